"""A tournament's data as CSV or a workbook, and its statistics."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response, Stream, Template
from msgspec.structs import replace

from core.text.sentence import dollars
from core.tournament.standings.round_by_round import RoundByRound, round_by_round
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
from station import web
from station.accounts.permissions import Permission
from station.audit import Audit
from station.exports import (
    WORKBOOK,
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
from station.players.service import Desk, DeskRecord
from station.text.i18n import Words
from station.text.names import round_title
from station.text.prizes import awards_in_words
from station.text.reasons import Missing
from station.text.story_in_words import duel_story
from station.tournaments.places_chart import PlacesChart, places_chart
from station.web.http_rules import COMPRESSED
from station.web.long_tasks import LongJob, MadeFile, TaskProgress, TaskStep
from station.web.task_page import file_response, result_of
from station.web.tournament_context import TOURNAMENT, AtTournament, TournamentContext, tournament_routes

_Key = TypeVar("_Key")
_PODIUM: Final = 3
_STATIC: Final = Path(web.__file__).with_name("static")
_FONT_FACE: Final = re.compile(r"@font-face \{[^}]*\}")
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
    exports = _exporter(here, await _desk(here))
    content = await asyncio.to_thread(lambda: as_csv(exports(chosen), separator))
    headers = here.file_headers(f"{chosen.value}.csv")
    return Response(content, media_type="text/csv", headers=headers)


@get("/workbook.xlsx", needs=Permission.TOURNAMENTS, audit=Audit("Downloaded data"))
async def download_workbook(here: AtTournament) -> Stream:
    """Return all permitted tables as a workbook."""
    tables = _allowed(here)
    desk = await _desk(here)
    exports = _exporter(here, desk)

    async def _make(progress: TaskProgress) -> MadeFile:
        progress.begin(TaskStep.TABLES, len(tables))
        content = ((table, exports(table)) for table in progress.counted(tables))
        return await asyncio.to_thread(lambda: MadeFile((as_workbook(content),)))

    title = f"{here.words.gettext('Data')} · {here.state.name}"
    what = (here.url, tables, here.may(Permission.CHECK_IN))
    version = (here.service.steps_written(here.state.tournament), desk)
    made = await result_of(here.request, LongJob(title, what, version, _make))
    return file_response(made, WORKBOOK, here.file_headers("data.xlsx"))


def _cells(facts: PrivateFacts, fields: Sequence[PrivateField]) -> tuple[str, ...]:
    texts = {PrivateField.PAID: "yes" if facts.paid else "no"}
    texts |= {PrivateField.NOTE: facts.note, PrivateField.EMAIL: facts.email}
    texts[PrivateField.NEWCOMER] = "yes" if facts.newcomer else "no"
    return tuple(texts[one] for one in fields)


async def _desk(here: TournamentContext) -> DeskRecord:
    return await here.service.of(Desk).record(here.state.tournament)


def _exporter(here: TournamentContext, desk: DeskRecord) -> Callable[[DataTable], ExportedTable]:
    """Return how to export a table; that of players has the private facts that judges keep."""
    kept = desk.private_fields if here.may(Permission.CHECK_IN) else frozenset()
    private = [one for one in PrivateField if one in kept]

    def _export(table: DataTable) -> ExportedTable:
        content = exported(table, desk.with_newcomers(here.state), here.rules)
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
    """Show places and winnings by round, and wins by role, seat, size and character.

    They are public once the ranking is.
    """
    results = await _results_of(here)
    played = played_statistics(await here.service.of(LivePace).played_in(here.state))
    return here.page(
        "public/statistics.html",
        results=results,
        played=played,
        noon=_bars(played.high_noon, partial(_in_players, here.words)),
        lengths=_length_bars(played, here.words),
        first_three=_first_three(here),
    )


@get("/results.html", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def results_file(here: AtTournament) -> Response[str]:
    """Return the results as one file to keep and share, which loads nothing; public once the ranking is."""
    results = await _results_of(here)
    state = await here.service.of(Desk).with_newcomers(here.state)
    style = await asyncio.to_thread((_STATIC / "saloon.css").read_text, "utf-8")
    content = here.part(
        "public/results_file.html",
        "",
        style=_FONT_FACE.sub("", style),
        story=_final_story(here),
        results=results,
        awards=await asyncio.to_thread(awards_in_words, state, here.rules, here.words),
    )
    return Response(content, media_type="text/html", headers=here.file_headers("results.html"))


class ResultsView(msgspec.Struct, frozen=True):
    """The results as the page and the file show them. ``heads`` name the columns of the rounds."""

    figures: Statistics
    charts: tuple["RateChart", ...]
    rounds: RoundByRound
    heads: tuple[str, ...]
    places: PlacesChart | None


async def _results_of(here: TournamentContext) -> ResultsView:
    """Return the results. Raises NotFoundException while they are secret."""
    if here.state.stage is not Stage.PUBLISHED and not here.may(Permission.STANDINGS):
        taken_back = here.state.ranking_taken_back
        raise NotFoundException((Missing.RANKING_TAKEN_BACK if taken_back else Missing.STATISTICS).value)
    figures = await asyncio.to_thread(statistics_of, here.state, here.rules)
    rounds = await asyncio.to_thread(round_by_round, here.state, here.rules)
    finals = (here.words.gettext("Finals"),) if rounds.has_finals else ()
    heads = (*(round_title(here.state, number, here.words) for number in rounds.rounds), *finals)
    marks = (*map(str, rounds.rounds), *finals)
    chart = places_chart(rounds, here.names, marks)
    return ResultsView(figures, _charts_of(figures, here.words), rounds, heads, chart)


def _final_story(here: TournamentContext) -> tuple[str, ...]:
    """Return the moves of the final as its terminal recorded them; none if it was played on paper."""
    final = here.state.finals.final if here.state.finals else None
    if final is None:
        return ()
    table = final.tables[0]
    names = [here.names[player] for player in table.players]
    return duel_story(here.service.story(table.game), names, here.words)


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
    """A chart of wins. ``note`` explains what is counted, ``finding`` says what the numbers show."""

    title: str
    note: str
    bars: tuple[RateBar, ...]
    finding: str = ""


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
    return tuple(replace(chart, finding=_finding(chart.bars, words)) for chart in all_charts if chart.bars)


def _finding(bars: Sequence[RateBar], words: Words) -> str:
    """Say in a sentence which of the bars is the longest, or that several are or none is."""
    _ = words.gettext
    shares = [Fraction(bar.rate.wins, bar.rate.games) for bar in bars]
    best = [bar for bar, share in zip(bars, shares, strict=True) if share == max(shares)]
    if not max(shares):
        return _("No wins.")
    if len(best) == 1:
        name, rate = best[0].label, best[0].rate
        text = (
            _("Wins: {wins} of {n}.")
            if len(bars) == 1
            else _("Highest share of wins: {name}, {wins} of {n}.")
        )
        return text.format(name=name, wins=rate.wins, n=rate.games)
    if len(best) == len(bars):
        return _("All have the same share of wins.")
    return _("Highest share of wins, tied: {names}.").format(names=", ".join(bar.label for bar in best))


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
public_routes = Router(
    "/t/{tournament:str}", dependencies=TOURNAMENT, route_handlers=[statistics, results_file]
)
