"""A tournament's data as CSV or a workbook, and its statistics."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec
from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response, Template

from core.text.sentence import dollars
from core.tournament.standings.standings import StandingRow
from core.tournament.state.tournament import Stage
from core.tournament.statistics import (
    Lengths,
    PlayedStatistics,
    Rate,
    Statistics,
    played_statistics,
    statistics_of,
)
from station.accounts.permissions import Permission
from station.audit import Audit
from station.exports import (
    DataTable,
    ExportedTable,
    as_csv,
    as_workbook,
    csv_separator,
    exported,
    permission_for,
)
from station.imports.findings import PrivateFacts, PrivateField
from station.judges.access import require
from station.pace.service import LivePace
from station.players.service import Desk
from station.text.i18n import Words
from station.text.reasons import Missing
from station.web.http_rules import COMPRESSED
from station.web.tournament_context import TOURNAMENT, AtTournament, TournamentContext, tournament_routes

_Key = TypeVar("_Key")
_PODIUM: Final = 3
WIDTH: Final = 300
"""The width of a chart's bars in points."""


@get("/", needs=Permission.TOURNAMENTS)
async def data(here: AtTournament) -> Template:
    return here.page("judge/data.html", tables=_allowed(here), hidden=len(DataTable) - len(_allowed(here)))


def _allowed(here: TournamentContext) -> list[DataTable]:
    return [table for table in DataTable if here.may(permission_for(table, here.state))]


@get("/{table:str}/file.csv", needs=Permission.TOURNAMENTS, audit=Audit("Downloaded data"))
async def download_csv(here: AtTournament, table: FromPath[str]) -> Response[bytes]:
    """Return one table as CSV."""
    chosen = next((one for one in DataTable if one.value == table), None)
    if chosen is None:
        raise NotFoundException(Missing.DATA.value)
    await require(here.request, permission_for(chosen, here.state))
    separator = csv_separator(here.words.language)
    exports = await _exporter(here)
    content = await asyncio.to_thread(lambda: as_csv(exports(chosen), separator))
    headers = here.file_headers(f"{chosen.value}.csv")
    return Response(content, media_type="text/csv", headers=headers)


@get("/workbook.xlsx", needs=Permission.TOURNAMENTS, audit=Audit("Downloaded data"))
async def download_workbook(here: AtTournament) -> Response[bytes]:
    """Return all permitted tables as a workbook."""
    tables = _allowed(here)
    exports = await _exporter(here)
    content = await asyncio.to_thread(lambda: as_workbook({table: exports(table) for table in tables}))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return Response(content, media_type=kind, headers=here.file_headers("data.xlsx"))


def _cells(facts: PrivateFacts, fields: Sequence[PrivateField]) -> tuple[str, ...]:
    texts = {PrivateField.PAID: "yes" if facts.paid else "no"}
    texts |= {PrivateField.NOTE: facts.note, PrivateField.EMAIL: facts.email}
    return tuple(texts[one] for one in fields)


async def _exporter(here: TournamentContext) -> Callable[[DataTable], ExportedTable]:
    """Return how to export a table; that of players has the private facts that judges keep."""
    desk = await here.service.of(Desk).record(here.state.tournament)
    kept = desk.private_fields if here.may(Permission.CHECK_IN) else frozenset()
    private = [one for one in PrivateField if one in kept]

    def _export(table: DataTable) -> ExportedTable:
        content = exported(table, here.state, here.rules)
        if table is not DataTable.PLAYERS or not private:
            return content
        rows = (
            (*row, *_cells(desk.facts_of(entrant.player), private))
            for row, entrant in zip(content.rows, here.state.entrants, strict=True)
        )
        return ExportedTable((*content.head, *(one.value for one in private)), tuple(rows))

    return _export


@get("/statistics", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def statistics(here: AtTournament) -> Template:
    """Show wins by role, seat, size and character, publicly once the ranking is public."""
    if here.state.stage is not Stage.PUBLISHED and not here.may(Permission.STANDINGS):
        taken_back = here.state.ranking_taken_back
        raise NotFoundException((Missing.RANKING_TAKEN_BACK if taken_back else Missing.STATISTICS).value)
    figures = await asyncio.to_thread(statistics_of, here.state, here.rules)
    played = played_statistics(await here.service.of(LivePace).played_in(here.state))
    return here.page(
        "public/statistics.html",
        figures=figures,
        charts=_charts_of(figures, here.words),
        played=played,
        noon=_bars(played.high_noon, partial(_in_players, here.words)),
        lengths=_length_bars(played, here.words),
        first_three=_first_three(here),
    )


def _first_three(here: TournamentContext) -> list[StandingRow]:
    """Return the players on the first three places, once they are public."""
    if here.state.stage is not Stage.PUBLISHED:
        return []
    rows = here.service.standings(here.state.tournament).rows
    return [row for row in rows if row.rank is not None and row.rank.first <= _PODIUM]


class RateBar(msgspec.Struct, frozen=True):
    """A bar of a chart. ``bar``, ``low`` and ``high`` are points from the left."""

    label: str
    rate: Rate
    bar: float
    low: float
    high: float
    mean: str


class RateChart(msgspec.Struct, frozen=True):
    """A chart of wins. ``note`` explains what is counted."""

    title: str
    note: str
    bars: tuple[RateBar, ...]


def _charts_of(figures: Statistics, words: Words) -> tuple[RateChart, ...]:
    _ = words.gettext
    seat = _("Seat {n}")
    by_seat = _bars(figures.by_seat, lambda number: seat.format(n=number))
    by_size = _bars(figures.by_size, partial(_in_players, words))
    by_character = _bars(figures.by_character, words.label)
    all_charts = (
        RateChart(_("Wins by role"), "", _bars(figures.by_role, words.label)),
        RateChart(_("Wins by seat"), _("Seat 1 is the Sheriff's."), by_seat),
        RateChart(_("Sheriff wins by table size"), "", by_size),
        RateChart(_("Wins by character"), _("Only games where characters were recorded."), by_character),
    )
    return tuple(chart for chart in all_charts if chart.bars)


class LengthBar(msgspec.Struct, frozen=True):
    """A box of a box plot of game lengths. Its positions are in points from the left."""

    label: str
    minutes: Lengths
    begins: float
    low: float
    middle: float
    high: float
    ends: float


def _length_bars(played: PlayedStatistics, words: Words) -> tuple[LengthBar, ...]:
    """Return a box for each table size, which contains the middle half of its games."""
    longest = max((spread.longest for spread in played.lengths.values()), default=0.0)
    scale = WIDTH / longest if longest else 0.0
    return tuple(
        LengthBar(
            _in_players(words, size), spread, spread.shortest * scale, spread.low * scale,
            spread.middle * scale, spread.high * scale, spread.longest * scale,
        )
        for size, spread in played.lengths.items()
    )  # fmt: skip


def _in_players(words: Words, number: int) -> str:
    return words.ngettext("{n} player", "{n} players", number).format(n=number)


def _bars(rates: Mapping[_Key, Rate], name_of: Callable[[_Key], str]) -> tuple[RateBar, ...]:
    bars = []
    for key, rate in rates.items():
        low, high = rate.interval
        ends = WIDTH * rate.share, WIDTH * low, WIDTH * high
        bars.append(RateBar(name_of(key), rate, *ends, dollars(rate.mean_dollars)))
    return tuple(bars)


routes = tournament_routes(data, download_csv, download_workbook, under="/data")
public_routes = Router("/t/{tournament:str}", dependencies=TOURNAMENT, route_handlers=[statistics])
