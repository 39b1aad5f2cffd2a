"""Forecast when each table of the running round will finish. Shared by all open pages."""

import asyncio
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from core.editions.loader import rules_of
from core.game.state.game import Phase, RecordedClock
from core.terms import GameId, MatchKind, RoundNo, TableNo, TournamentId
from core.tournament.forecast import (
    Forecast,
    forecast_round,
    learn_pace,
    remaining_time,
)
from core.tournament.progress import PlayedGame, TableProgress, game_kind
from core.tournament.round_clock import clock_of
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import TournamentState
from station.hall.clocks import MINUTE_MS, RoundTimes, TimedCourse, read_course, table_time, times_of_round
from station.hall.published import PublishedTable, running_tables
from station.hall.station_context import StationContext
from station.pace.day import DayLengths, MeasuredDay, day_lengths
from station.projections.game_logs import GameTrack
from station.text.times import time_of_day

_MOST: Final = 400
"""The most finished games to use, latest first."""


class _Read(msgspec.Struct, frozen=True):
    """A course, with the log, number of steps and times from which it was read."""

    track: GameTrack
    steps: int
    times: RoundTimes
    course: TimedCourse

    def holds(self, track: GameTrack, times: RoundTimes) -> bool:
        """Return whether the course is up to date: no new steps, and the same pauses."""
        is_paused = track.state is not None and track.state.clock.is_paused
        is_same = self.track is track and self.steps == len(track.steps)
        return is_same and self.times.paused == times.paused and not is_paused


class HallGames:
    """A cache of the courses of games. A running game is read again when it has new steps."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._running: dict[GameId, _Read] = {}
        self._played: dict[tuple[TournamentId, RoundNo, int], tuple[PlayedGame, ...]] = {}

    def read(self, table: PublishedTable, times: RoundTimes) -> TimedCourse:
        """Return the course of a running game."""
        game, number = table.drawn.game, table.drawn.table
        track = self._context.log_of(game)
        if track is None:
            return TimedCourse(None, times.pauses(number))
        known = self._running.get(game)
        if known is not None and known.holds(track, times):
            return known.course
        tracks = self._context.projections.games.get(game, [])
        course = read_course(track, tracks, number, times, rules_of(table.tournament.rules))
        self._running[game] = _Read(track, len(track.steps), times, course)
        return course

    def played(self) -> list[PlayedGame]:
        """Return the latest finished games of completed rounds, latest round first.

        Each call reads at most one more round, so that after a restart no page has to wait for all of them.
        """
        games: list[PlayedGame] = []
        may_read = True
        for tournament, drawn in self._rounds_over():
            if len(games) >= _MOST:
                break
            key = (tournament.tournament, drawn.round, drawn.attempt)
            if key not in self._played and may_read:
                self._played[key] = tuple(self._played_in(tournament, drawn))
                for table in drawn.tables:
                    self._running.pop(table.game, None)
                may_read = False
            games += self._played.get(key, ())
        return games[:_MOST]

    async def played_in(self, tournament: TournamentState) -> list[PlayedGame]:
        """Return all finished games of a tournament, yielding to the event loop between tables."""
        games: list[PlayedGame] = []
        for drawn in tournament.published_rounds:
            known = self._played.get((tournament.tournament, drawn.round, drawn.attempt))
            if known is not None:
                games += known
                continue
            for game in self._played_in(tournament, drawn):
                games.append(game)
                await asyncio.sleep(0)
        return games

    def _rounds_over(self) -> Iterator[tuple[TournamentState, Round]]:
        for tournament in reversed(self._context.tournament_states()):
            for drawn in reversed(tournament.published_rounds):
                if drawn.complete:
                    yield tournament, drawn

    def _played_in(self, tournament: TournamentState, drawn: Round) -> Iterator[PlayedGame]:
        now = self._context.parts.clock.wall_ms()
        history = self._context.projections.tournaments[tournament.tournament].steps
        times = times_of_round(history, drawn.round, now)
        for table in drawn.tables:
            published = PublishedTable(tournament, drawn.round, table, False, None, MatchKind.GAME)
            course = self.read(published, times).course
            if course is not None and course.played is not None:
                yield course.played


_SOONEST_MS: Final = 2_000
"""The age from which a change leads to a new forecast."""
_OLDEST_MS: Final = 15_000
_LIKELY: Final = 0.5
_WIDE_MS: Final = 20 * MINUTE_MS


class ExpectedEnd(msgspec.Struct, frozen=True):
    """An expected end, in milliseconds since 1970. ``early`` and ``late`` limit the 80 % range."""

    middle_ms: float
    early_ms: float
    late_ms: float

    @property
    def middle(self) -> str:
        return time_of(self.middle_ms)

    @property
    def early(self) -> str:
        return time_of(self.early_ms)

    @property
    def late(self) -> str:
        return time_of(self.late_ms)

    def rounded(self, now_ms: float) -> "ExpectedEnd":
        """Round outwards to the minute, or to five minutes if the range is wide, but not into the past."""
        step = MINUTE_MS * (5 if self.late_ms - self.early_ms >= _WIDE_MS else 1)
        early = max(now_ms // MINUTE_MS * MINUTE_MS, self.early_ms // step * step)
        late = -(-self.late_ms // step) * step
        middle = min(late, max(early, (self.middle_ms + step / 2) // step * step))
        return ExpectedEnd(middle, early, late)


def time_of(milliseconds: float) -> str:
    return time_of_day(dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC))


class TablePace(msgspec.Struct, frozen=True):
    """A table that is still playing. ``is_known`` is False while only the round's start is known."""

    table: TableNo
    end: ExpectedEnd
    is_known: bool


class RoundPace(msgspec.Struct, frozen=True):
    """The pace of a round. ``tables`` are those still playing, last to finish first.

    is_likely: whether the first of them is more likely to finish last than all others combined.
    is_stopped: whether the clock is stopped for all tables; the forecast assumes that it resumes now.
    """

    round: RoundNo
    end: ExpectedEnd
    tables: tuple[TablePace, ...]
    is_likely: bool
    is_stopped: bool
    now_ms: float

    def table(self, number: TableNo) -> TablePace | None:
        """Return the pace of a table, or None if it is not playing any more."""
        return next((one for one in self.tables if one.table == number), None)

    def rounded(self) -> "RoundPace":
        """Return the pace as pages show it, with ends rounded for people."""
        tables = (replace(one, end=one.end.rounded(self.now_ms)) for one in self.tables)
        return replace(self, end=self.end.rounded(self.now_ms), tables=tuple(tables))


class _CachedForecast(msgspec.Struct, frozen=True):
    """A forecast, with the time, change number and tournament for which it was computed."""

    at_ms: int
    change: int
    tournament: TournamentState
    pace: RoundPace | None

    def is_new_enough(self, now_ms: int, change: int, tournament: TournamentState) -> bool:
        age = now_ms - self.at_ms
        return self.tournament is tournament and age < (_OLDEST_MS if change == self.change else _SOONEST_MS)


class LivePace:
    """The pace of running rounds, computed at most once in two seconds for all pages."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._games = HallGames(context)
        self._made: dict[TournamentId, _CachedForecast] = {}

    def of(self, tournament: TournamentState) -> RoundPace | None:
        """Return the pace of the running round, or None if no game is running."""
        now, change = self._context.parts.clock.monotonic_ms(), self._context.feed.number
        made = self._made.get(tournament.tournament)
        if made is not None and made.is_new_enough(now, change, tournament):
            return made.pace
        pace = self._make(tournament)
        self._made[tournament.tournament] = _CachedForecast(now, change, tournament, pace)
        return pace

    def rounded_pace(self, tournament: TournamentState) -> RoundPace | None:
        """Return the pace as pages show it, or None if no game is running."""
        pace = self.of(tournament)
        return None if pace is None else pace.rounded()

    def day_lengths(
        self, tournament: TournamentState, sizes: Sequence[int], measured: MeasuredDay
    ) -> DayLengths | None:
        """Return how long the coming parts of a day take at the hall's pace, or None without tables."""
        hall, limit = learn_pace(self._games.played(), ()), tournament.waivers.time_limit_min
        return day_lengths(sizes, rules_of(tournament.rules), limit, hall, measured)

    async def played_in(self, tournament: TournamentState) -> list[PlayedGame]:
        """Return all finished games of a tournament that terminals have recorded."""
        return await self._games.played_in(tournament)

    def _make(self, tournament: TournamentState) -> RoundPace | None:
        running = tournament.running_round
        if running is None:
            return None
        history = self._context.projections.tournaments[tournament.tournament].steps
        times = times_of_round(history, running.round, self._context.parts.clock.wall_ms())
        tables = [table for table in running_tables(tournament) if table.match is MatchKind.GAME]
        courses = {table.drawn.table: self._games.read(table, times) for table in tables}
        playing, over = self._sort(tables, courses, times)
        hall = learn_pace(self._games.played(), playing.values(), over)
        forecast = forecast_round({number: remaining_time(one, hall) for number, one in playing.items()})
        if forecast is None:
            return None
        order = sorted(
            forecast.tables, key=lambda number: (number != forecast.last, -forecast.tables[number].minutes)
        )
        return RoundPace(
            round=running.round,
            end=_expected(forecast.end, times),
            tables=tuple(
                TablePace(
                    number, _expected(forecast.tables[number], times), playing[number].in_play is not None
                )
                for number in order
            ),
            is_likely=forecast.chance >= _LIKELY,
            is_stopped=clock_of(tournament, running).is_held,
            now_ms=times.now_ms,
        )

    def _sort(
        self,
        tables: list[PublishedTable],
        courses: Mapping[TableNo, TimedCourse],
        times: RoundTimes,
    ) -> tuple[dict[TableNo, TableProgress], list[PlayedGame]]:
        dealt = [course.course.dealt for course in courses.values() if course.course is not None]
        start = min(dealt, default=times.published_ms / MINUTE_MS)
        playing: dict[TableNo, TableProgress] = {}
        over: list[PlayedGame] = []
        for table in tables:
            timed = courses[table.drawn.table]
            if timed.course is not None and timed.course.ended is not None:
                over += [] if timed.course.played is None else [timed.course.played]
            elif not table.is_accepted:
                playing[table.drawn.table] = self._progress(table, timed, times, start)
        return playing, over

    def _progress(
        self, table: PublishedTable, timed: TimedCourse, times: RoundTimes, start: float
    ) -> TableProgress:
        """Return the progress of a table. ``start`` is the round's start, in minutes since 1970."""
        track = self._context.log_of(table.drawn.game)
        state = None if track is None else track.state
        limit = self._limit(table, RecordedClock() if state is None else state.clock, times)
        minute = timed.minute(times.now_ms)
        if timed.course is not None:
            return timed.course.progress(minute, limit)
        kind = game_kind(len(table.drawn.players), rules_of(table.tournament.rules))
        if state is not None and state.phase is not Phase.VOIDED:
            return TableProgress(kind, 0.0, in_play=kind.players, limit=limit)
        return TableProgress(kind, max(0.0, minute - timed.minute(start * MINUTE_MS)), limit=limit)

    def _limit(self, table: PublishedTable, clock: RecordedClock, times: RoundTimes) -> float | None:
        """Return the minutes left on a table's clock; None before it starts or without a limit."""
        if table.tournament.waivers.time_limit_min is None:
            return None
        history = self._context.projections.tournaments[table.tournament.tournament].steps
        time = table_time(table, history, clock, int(times.now_ms))
        return time.left_s / 60 if time is not None and time.is_started else None


def _expected(forecast: Forecast, times: RoundTimes) -> ExpectedEnd:
    def moment(minutes: float) -> float:
        return times.now_ms + minutes * MINUTE_MS

    return ExpectedEnd(moment(forecast.minutes), moment(forecast.early), moment(forecast.late))
