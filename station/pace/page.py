"""The pace page: the expected end of each table in the running round, last one first."""

import msgspec
from litestar import get
from litestar.response import Template

from station.accounts.permissions import Permission
from station.pace.service import LivePace, RoundPace, TablePace, time_of
from station.web.tournament_context import AtTournament, tournament_routes

_LEAST_MS = 10 * 60_000


class PaceBar(msgspec.Struct, frozen=True):
    """A table and the bar for its range. ``begin``, ``width`` and ``middle`` are per cent of the scale."""

    table: TablePace
    begin: float
    width: float
    middle: float


class PaceChart(msgspec.Struct, frozen=True):
    """The bars of all tables on a common scale, whose ends are times such as ``15:40``."""

    bars: tuple[PaceBar, ...]
    begin: str
    end: str


def pace_chart(pace: RoundPace) -> PaceChart:
    """Return the chart of a round, from now until the last table's latest end."""
    begin = pace.now_ms // 60_000 * 60_000
    end = max(begin + _LEAST_MS, *(table.end.late_ms for table in pace.tables))
    bars = tuple(_bar(table, begin, end) for table in pace.tables)
    return PaceChart(bars, time_of(begin), time_of(end))


def _bar(table: TablePace, begin: float, end: float) -> PaceBar:
    moments = table.end.early_ms, table.end.middle_ms, table.end.late_ms
    early, middle, late = (round(100 * (moment - begin) / (end - begin), 2) for moment in moments)
    return PaceBar(table, early, round(late - early, 2), middle)


@get("/pace", needs=Permission.FLOOR)
async def pace(here: AtTournament) -> Template:
    """Show when each table and the round will probably finish."""
    round_pace = here.service.of(LivePace).rounded_pace(here.state)
    chart = None if round_pace is None else pace_chart(round_pace)
    return here.page("judge/pace.html", pace=round_pace, chart=chart)


@get("/pace/line", needs=Permission.FLOOR)
async def line(here: AtTournament) -> Template:
    """Show only the round's line, as requested by the floor page after a change."""
    return here.page("judge/_pace.html")


routes = tournament_routes(pace, line)
