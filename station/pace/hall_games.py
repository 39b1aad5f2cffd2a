"""The courses of a hall's games: the running ones, and finished ones from which the pace is estimated."""

import asyncio
from collections.abc import Iterator
from typing import Final

import msgspec

from core.editions.loader import rules_of
from core.terms import GameId, MatchKind, RoundNo, TournamentId
from core.tournament.pace.progress import PlayedGame
from core.tournament.state import Round, TournamentState
from station.hall.authoritative_log import Standing, authoritative_log
from station.hall.game_courses import RoundTimes, TimedCourse, read_course, times_of_round
from station.hall.published import PublishedTable
from station.hall.station_context import StationContext
from station.projections.game_logs import GameTrack

_MOST: Final = 400
"""The most finished games to use, latest first."""


class _Read(msgspec.Struct, frozen=True):
    """A course with the log, number of steps and times from which it was read."""

    track: GameTrack
    steps: int
    times: RoundTimes
    course: TimedCourse

    def holds(self, track: GameTrack, times: RoundTimes) -> bool:
        """Return whether the course is up to date: there are no new steps, and the pauses are the same."""
        is_paused = track.state is not None and track.state.clock.is_paused
        is_same = self.track is track and self.steps == len(track.steps)
        return is_same and self.times.paused == times.paused and not is_paused


class HallGames:
    """A cache of the courses of games, re-read for a running game when it has new steps."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._running: dict[GameId, _Read] = {}
        self._played: dict[tuple[TournamentId, RoundNo, int], tuple[PlayedGame, ...]] = {}

    def read(self, table: PublishedTable, times: RoundTimes, here: Standing) -> TimedCourse:
        """Return the course of a running game. here: the terminal at each table."""
        game, number = table.drawn.game, table.drawn.table
        track = authoritative_log(game, self._context.projections, here)
        if track is None:
            return TimedCourse(None, times.pauses(number))
        known = self._running.get(game)
        if known is not None and known.holds(track, times):
            return known.course
        tracks = self._context.projections.games.get(game, [])
        course = read_course(track, tracks, number, times, rules_of(table.tournament.rules))
        self._running[game] = _Read(track, len(track.steps), times, course)
        return course

    def played(self, here: Standing) -> list[PlayedGame]:
        """Return the latest finished games of completed rounds, latest round first.

        Each call reads at most one more round, so that no page has to wait for all after a restart.
        """
        found: list[PlayedGame] = []
        may_read = True
        for tournament, drawn in self._rounds_over():
            if len(found) >= _MOST:
                break
            key = (tournament.tournament, drawn.round, drawn.attempt)
            if key not in self._played and may_read:
                self._played[key] = tuple(self._played_in(tournament, drawn, here))
                for table in drawn.tables:
                    self._running.pop(table.game, None)
                may_read = False
            found += self._played.get(key, ())
        return found[:_MOST]

    async def played_in(self, tournament: TournamentState, here: Standing) -> list[PlayedGame]:
        """Return all finished games of a tournament that terminals have recorded.

        Yields to the event loop between tables.
        """
        found: list[PlayedGame] = []
        for drawn in tournament.published_rounds:
            known = self._played.get((tournament.tournament, drawn.round, drawn.attempt))
            if known is not None:
                found += known
                continue
            for game in self._played_in(tournament, drawn, here):
                found.append(game)
                await asyncio.sleep(0)
        return found

    def _rounds_over(self) -> Iterator[tuple[TournamentState, Round]]:
        """Yield the completed rounds, latest first."""
        for tournament in reversed(self._context.tournament_states()):
            for drawn in reversed(tournament.published_rounds):
                if drawn.complete:
                    yield tournament, drawn

    def _played_in(self, tournament: TournamentState, drawn: Round, here: Standing) -> Iterator[PlayedGame]:
        now = self._context.parts.clock.wall_ms()
        history = self._context.projections.tournaments[tournament.tournament].steps
        times = times_of_round(history, drawn.round, now)
        for table in drawn.tables:
            published = PublishedTable(tournament, drawn.round, table, False, None, MatchKind.GAME)
            course = self.read(published, times, here).course
            if course is not None and course.played is not None:
                yield course.played
