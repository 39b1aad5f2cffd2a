"""The clocks of the tables, and the course of their games in minutes of playing time.

A terminal's clock may be wrong, and a spare records copied steps at its own time. So each step's original
time is used, and impossible times are shifted.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.clock import PauseClock, ResumeClock
from core.game.events import StepOrigin
from core.game.state.game import RecordedClock
from core.terms import MatchKind, RoundNo, Seconds, TableNo
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import PublishDraw
from core.tournament.progress import GameCourse, Pauses, TimedState, course_of, merge_pauses
from core.tournament.timeline import TimeLeft, round_pauses, time_left
from station.hall.published import PublishedTable
from station.projections.cards import TableTime, TimedGameStep
from station.projections.game_logs import GameTrack


def limit_min_of(table: PublishedTable) -> int | None:
    """Return a table's time limit in minutes; None without a limit, as in every duel."""
    return table.tournament.waivers.time_limit_min if table.match is MatchKind.GAME else None


def limit_of(table: PublishedTable) -> Seconds | None:
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


MINUTE_MS: Final = 60_000


class RoundTimes(msgspec.Struct, frozen=True):
    """The times of a round, in milliseconds since 1970.

    published_ms: when its draw was published.
    paused: the clock's pauses as (start, end), by table; those of all tables are under None.
    """

    published_ms: float
    now_ms: float
    paused: Mapping[TableNo | None, Sequence[tuple[float, float]]]

    def pauses(self, table: TableNo, at_table: Iterable[tuple[float, float]] = ()) -> Pauses:
        """Return a table's pauses, including those that a judge made at the table (``at_table``)."""
        return merge_pauses((*self.paused.get(None, ()), *self.paused.get(table, ()), *at_table))


class TimedCourse(msgspec.Struct, frozen=True):
    """The course of a game, in minutes of playing time since 1970 (None before it starts), and its pauses."""

    course: GameCourse | None
    pauses: Pauses

    def minute(self, moment_ms: float) -> float:
        return self.pauses.playing(moment_ms) / MINUTE_MS


def times_of_round(history: Sequence[TournamentStep], round_no: RoundNo, now_ms: float) -> RoundTimes:
    """Return the times of a published round. ``history`` contains all steps of its tournament."""
    published = next(
        step.at
        for step in reversed(history)
        if any(isinstance(event, PublishDraw) and event.round == round_no for event in step.events)
    )
    paused = round_pauses(history, round_no, dt.datetime.fromtimestamp(now_ms / 1000, dt.UTC))
    return RoundTimes(
        published_ms=_ms(dt.datetime.fromisoformat(published)),
        now_ms=now_ms,
        paused={table: [(_ms(a), _ms(b)) for a, b in spans] for table, spans in paused.items()},
    )


def read_course(
    track: GameTrack, tracks: Iterable[GameTrack], table: TableNo, times: RoundTimes, edition: Edition
) -> TimedCourse:
    """Return the course of the game that ``track`` records. ``tracks`` are all logs of this game."""
    walls = _moved_ms(written_ms(track.steps, tracks), times)
    pauses = times.pauses(table, _pauses_at_table(track.steps, walls, times.now_ms))
    if track.timeline is None:
        return TimedCourse(None, pauses)
    # Reuse the log's step objects.
    by_step = {id(timed.step): wall for timed, wall in zip(track.steps, walls, strict=True)}
    log = [
        TimedState(pauses.playing(by_step[id(moment.step)]) / MINUTE_MS, moment.state)
        for moment in track.timeline.moments
    ]
    return TimedCourse(course_of(log, edition), pauses)


def written_ms(steps: Sequence[TimedGameStep], tracks: Iterable[GameTrack]) -> list[int]:
    """Return when each step was first recorded, by the clock of the terminal that recorded it."""
    if not any(isinstance(timed.step.origin, StepOrigin) for timed in steps):
        return [timed.wall_ms for timed in steps]
    known: dict[StepOrigin | msgspec.UnsetType, int] = {
        StepOrigin(track.terminal, track.epoch, timed.seq): timed.wall_ms
        for track in tracks
        for timed in track.steps
    }
    return [known.get(timed.step.origin, timed.wall_ms) for timed in steps]


def _moved_ms(walls: Sequence[float], times: RoundTimes) -> list[float]:
    """Shift all times by the same amount so that they lie between the draw and now."""
    if not walls:
        return []
    ahead = max(walls) - times.now_ms
    behind = times.published_ms - min(walls)
    by = -ahead if ahead > 0 else max(0.0, min(behind, -ahead))
    return [wall + by for wall in walls]


def _pauses_at_table(
    steps: Sequence[TimedGameStep], walls: Sequence[float], now_ms: float
) -> list[tuple[float, float]]:
    pauses: list[tuple[float, float]] = []
    since: float | None = None
    for timed, wall in zip(steps, walls, strict=True):
        for event in timed.step.events:
            match event:
                case PauseClock():
                    since = wall
                case ResumeClock() if since is not None:
                    pauses.append((since, wall))
                    since = None
                case _:
                    pass
    return pauses if since is None else [*pauses, (since, now_ms)]


def _ms(moment: dt.datetime) -> float:
    return moment.timestamp() * 1000
