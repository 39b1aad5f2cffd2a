"""The pace page: the expected end of each table in the running round, last one first."""

import datetime as dt
from collections.abc import Sequence

import msgspec
from litestar import get
from litestar.response import Template

from core.terms import TableNo
from station.accounts.permissions import Permission
from station.pace.service import LivePace
from station.pace.text import ShownEnd, ShownPace, ShownTable, show_pace
from station.text.times import time_of_day
from station.web.tournament_context import AtTournament, tournament_routes

_LEAST_MS = 10 * 60_000


class PaceBar(msgspec.Struct, frozen=True):
    """A table with a bar for its range. ``begin``, ``width`` and ``middle`` are per cent of the scale."""

    table: TableNo
    end: ShownEnd
    is_known: bool
    begin: float
    width: float
    middle: float


class PaceChart(msgspec.Struct, frozen=True):
    """The bars of all tables on a common scale.

    ``begin`` and ``end`` are the ends of the scale, as ``15:40``.
    """

    bars: tuple[PaceBar, ...]
    begin: str
    end: str


def pace_chart(pace: ShownPace) -> PaceChart:
    """Return the chart of a round, from now until the end of the last range."""
    begin = pace.now_ms // 60_000 * 60_000
    end = max(begin + _LEAST_MS, *(table.end.moments[2] for table in pace.tables))
    bars = tuple(_bar(table, begin, end) for table in pace.tables)
    times = (time_of_day(dt.datetime.fromtimestamp(moment / 1000, dt.UTC)) for moment in (begin, end))
    return PaceChart(bars, *times)


def _bar(table: ShownTable, begin: float, end: float) -> PaceBar:
    middle, early, late = _shares(table.end.moments, begin, end)
    return PaceBar(table.table, table.end, table.is_known, early, round(late - early, 2), middle)


def _shares(moments: Sequence[float], begin: float, end: float) -> list[float]:
    return [round(100 * (moment - begin) / (end - begin), 2) for moment in moments]


@get("/pace", needs=Permission.FLOOR)
async def pace(here: AtTournament) -> Template:
    """Show when each table and the round will probably finish."""
    round_pace = show_pace(here.service.of(LivePace).of(here.state))
    chart = None if round_pace is None else pace_chart(round_pace)
    return here.page("judge/pace.html", pace=round_pace, chart=chart)


@get("/pace/line", needs=Permission.FLOOR)
async def line(here: AtTournament) -> Template:
    """Show only the round's line, as requested by the floor page after a change."""
    return here.page("judge/_pace.html")


routes = tournament_routes(pace, line)
