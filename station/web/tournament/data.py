"""The data of a tournament for spreadsheets: each table as CSV, all of them as a workbook; statistics."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import msgspec
from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response, Template

from saloon.core.text.sentence import dollars
from saloon.core.tournament.state import Stage
from saloon.core.tournament.statistics import Rate, Statistics, statistics_of
from saloon.station.accounts.permissions import Permission
from saloon.station.exports.tables import (
    DataTable,
    as_csv,
    as_workbook,
    exported,
    permission_for,
)
from saloon.station.web.account.access import require
from saloon.station.web.i18n import Words
from saloon.station.web.text.reasons import Missing
from saloon.station.web.tournament_context import (
    TOURNAMENT,
    AtTournament,
    TournamentContext,
    tournament_routes,
)

_Key = TypeVar("_Key")
WIDTH: Final = 300
"""The width of a chart's bars in points."""


@get("/")
async def data(here: AtTournament) -> Template:
    """Show what can be downloaded now."""
    return here.page("judge/data.html", tables=_allowed(here), hidden=len(DataTable) - len(_allowed(here)))


def _allowed(here: TournamentContext) -> list[DataTable]:
    return [table for table in DataTable if here.may(permission_for(table, here.state))]


@get("/{table:str}/file.csv")
async def download_csv(here: AtTournament, table: FromPath[str]) -> Response[bytes]:
    """Return one table as CSV."""
    found = next((one for one in DataTable if one.value == table), None)
    if found is None:
        raise NotFoundException(Missing.DATA.value)
    await require(here.request, permission_for(found, here.state))
    content = await asyncio.to_thread(lambda: as_csv(exported(found, here.state, here.rules)))
    return _file(here, content, f"{found.value}.csv", "text/csv; charset=utf-8")


@get("/workbook.xlsx")
async def download_workbook(here: AtTournament) -> Response[bytes]:
    """Return all tables that the person may see as a workbook."""
    tables = _allowed(here)
    content = await asyncio.to_thread(
        lambda: as_workbook({table: exported(table, here.state, here.rules) for table in tables})
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return _file(here, content, "data.xlsx", kind)


def _file(here: TournamentContext, content: bytes, name: str, kind: str) -> Response[bytes]:
    disposition = f'attachment; filename="{here.state.tournament}-{name}"'
    return Response(content, media_type=kind, headers={"Content-Disposition": disposition})


@get("/statistics")
async def statistics(here: AtTournament) -> Template:
    """Show wins by role, seat, size and character: to everybody once the ranking is public."""
    if here.state.stage is not Stage.PUBLISHED and not here.may(Permission.STANDINGS):
        raise NotFoundException(Missing.STATISTICS.value)
    found = await asyncio.to_thread(statistics_of, here.state, here.rules)
    return here.page("public/statistics.html", found=found, charts=charts_of(found, here.words))


class RateBar(msgspec.Struct, frozen=True):
    """A bar of a chart. bar, low, high: in points from the left."""

    label: str
    rate: Rate
    bar: float
    low: float
    high: float
    mean: str


class RateChart(msgspec.Struct, frozen=True):
    """A chart of wins. note: what is counted."""

    title: str
    note: str
    bars: tuple[RateBar, ...]


def charts_of(found: Statistics, words: Words) -> tuple[RateChart, ...]:
    """Return the charts that have anything to show."""
    _ = words.gettext
    seat = _("Seat {n}")
    by_seat = _bars(found.by_seat, lambda number: seat.format(n=number))
    by_size = _bars(
        found.by_size, lambda number: words.ngettext("{n} player", "{n} players", number).format(n=number)
    )
    by_character = _bars(found.by_character, words.label)
    all_charts = (
        RateChart(_("Wins by role"), "", _bars(found.by_role, words.label)),
        RateChart(_("Wins by seat"), _("Seat 1 is the Sheriff's."), by_seat),
        RateChart(_("Wins of the Sheriff by table size"), "", by_size),
        RateChart(_("Wins by character"), _("Where characters were recorded."), by_character),
    )
    return tuple(chart for chart in all_charts if chart.bars)


def _bars(rates: Mapping[_Key, Rate], name_of: Callable[[_Key], str]) -> tuple[RateBar, ...]:
    bars = []
    for key, rate in rates.items():
        low, high = rate.interval
        ends = WIDTH * rate.share, WIDTH * low, WIDTH * high
        bars.append(RateBar(name_of(key), rate, *ends, dollars(rate.mean_dollars)))
    return tuple(bars)


routes = tournament_routes(data, download_csv, download_workbook, under="/data")
public_routes = Router("/t/{tournament:str}", dependencies=TOURNAMENT, route_handlers=[statistics])
