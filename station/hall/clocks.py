"""The clocks of the tables, as the station calculates them."""

import datetime as dt
from collections.abc import Sequence

from core.game.state.game import RecordedClock
from core.terms import MatchKind, Seconds
from core.tournament.decisions import TournamentStep
from core.tournament.timeline import TimeLeft, time_left
from station.hall.published import PublishedTable
from station.projections.floor_cards import TableTime


def limit_min_of(table: PublishedTable) -> int | None:
    """Return the time limit of a table in minutes, or None without a limit, as in every duel."""
    return table.tournament.waivers.time_limit_min if table.match is MatchKind.GAME else None


def limit_of(table: PublishedTable) -> Seconds | None:
    """Return the time limit of a table in seconds, or None without a limit."""
    minutes = limit_min_of(table)
    return None if minutes is None else Seconds(minutes * 60)


def time_left_at(
    table: PublishedTable, history: Sequence[TournamentStep], limit: Seconds, wall_ms: int
) -> TimeLeft:
    """Return the time left at a table now, ignoring what a judge did at the table itself."""
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    return time_left(history, table.round, table.drawn.table, limit, now)


def table_time(
    published: PublishedTable, history: Sequence[TournamentStep], recorded: RecordedClock, wall_ms: int
) -> TableTime | None:
    """Return a table's clock as shown on the floor, or None without a time limit."""
    limit = limit_of(published)
    if limit is None:
        return None
    left = time_left_at(published, history, limit, wall_ms)
    table, clock = published.drawn.table, left.clock
    left_s = recorded.paused_at_s
    return TableTime(
        left_s=Seconds(left.left_s + recorded.given_s) if left_s is None else left_s,
        is_started=clock.is_started or recorded.started,
        is_held=clock.is_held,
        is_held_alone=table in clock.held,
        is_held_at_table=recorded.is_paused,
        given_s=Seconds(clock.time_given_to(table) + sum(recorded.extensions)),
        wall_ms=wall_ms,
        pause=recorded.pauses if recorded.is_paused else 0,
        is_let_run=recorded.is_paused and recorded.pauses == clock.ended_pause_of(table),
    )
