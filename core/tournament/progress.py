"""The progress of a game, from which its end is estimated."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from core.editions.edition import Edition, TieBreak
from core.editions.game_rules import CharacterMethod, Deck
from core.editions.readings import TimeLimit
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.state.game import Because, GameState, HighNoon, Phase
from core.rule_set import RecordMode

SETUP_MIN: Final = 4.0
"""Minutes from the deal of the roles to the first turn."""
AUCTION_MIN: Final = 10.0
"""Minutes from the deal of the roles to the first turn, with an auction."""


_DEALT: Final = (Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING)
_OVER: Final = (Phase.ENDED, Phase.SHEET, Phase.CONFIRMED)


class GameKind(msgspec.Struct, frozen=True):
    """The games of one edition at tables of one size.

    setup: minutes from the deal to the first turn.
    noon_after: reshuffles to High Noon, or None without that rule.
    """

    players: int
    deck: Deck
    setup: float = SETUP_MIN
    noon_after: int | None = None
    is_ended_by_limit: bool = True


class TableProgress(msgspec.Struct, frozen=True):
    """A game in progress.

    minutes: time since the first turn; before it, since the deal of the roles; for a table without reports,
        since the start of the round. Pauses don't count.
    in_play: number of players, or None without reports.
    turns: number of turns started, or None if not recorded.
    reshuffled_at: minutes at the last reshuffle, 0 before.
    turns_since: turns since that reshuffle, or since the start.
    limit: minutes left on the table's clock, or None without a limit.
    """

    kind: GameKind
    minutes: float
    is_begun: bool = False
    in_play: int | None = None
    turns: int | None = None
    reshuffles: int = 0
    reshuffled_at: float = 0.0
    turns_since: int = 0
    is_noon: bool = False
    limit: float | None = None


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game. minutes: without pauses. is_whole: eliminations ended it, not the time limit."""

    kind: GameKind
    minutes: float
    turns: int | None
    is_whole: bool
    had_noon: bool = False


class Pauses(msgspec.Struct, frozen=True):
    """The periods in which a table's clock was stopped, oldest first and without overlaps."""

    spans: tuple[tuple[float, float], ...] = ()

    def playing(self, moment: float) -> float:
        """Return the playing time up to a moment, without pauses."""
        return moment - sum(max(0.0, min(end, moment) - begin) for begin, end in self.spans)

    def with_pauses(self, playing: float) -> float:
        """Return the moment at which this much playing time has passed: the inverse of ``playing``."""
        for begin, end in self.spans:
            if playing > begin:
                playing += end - begin
        return playing


def merge_pauses(spans: Iterable[tuple[float, float]]) -> Pauses:
    """Merge pauses that may overlap because different judges started them."""
    merged: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return Pauses(tuple(merged))


class TimedState(msgspec.Struct, frozen=True):
    """A state and its time. minute: playing time since any fixed moment."""

    minute: float
    state: GameState


class GameCourse(msgspec.Struct, frozen=True):
    """The course of a game from its log, independent of the current time.

    dealt, began, ended, reshuffled: minutes of playing time since a fixed moment, or None if not yet. The
        rest is as in ``TableProgress`` and ``PlayedGame``.
    """

    kind: GameKind
    dealt: float
    in_play: int
    began: float | None = None
    ended: float | None = None
    turns: int | None = None
    reshuffles: int = 0
    reshuffled: float | None = None
    turns_since: int = 0
    is_noon: bool = False
    is_whole: bool = False

    def progress(self, minute: float, limit: float | None = None) -> TableProgress:
        """Return the progress at a minute. limit: minutes left on the table's clock."""
        since = self.dealt if self.began is None else self.began
        return TableProgress(
            kind=self.kind,
            minutes=max(0.0, minute - since),
            is_begun=self.began is not None,
            in_play=self.in_play,
            turns=self.turns,
            reshuffles=self.reshuffles,
            reshuffled_at=0.0 if self.reshuffled is None else max(0.0, self.reshuffled - since),
            turns_since=self.turns_since,
            is_noon=self.is_noon,
            limit=limit,
        )

    @property
    def played(self) -> PlayedGame | None:
        """The finished game, or None while it is running, or if it never began."""
        if self.began is None or self.ended is None:
            return None
        return PlayedGame(self.kind, self.ended - self.began, self.turns, self.is_whole, self.is_noon)


def game_kind(players: int, edition: Edition) -> GameKind:
    """Return the kind of a game with this many players."""
    is_auction = edition.characters.method is CharacterMethod.AUCTION
    return GameKind(
        players=players,
        deck=edition.deck,
        setup=AUCTION_MIN if is_auction else SETUP_MIN,
        noon_after=reshuffles_to_high_noon(players, edition),
        is_ended_by_limit=edition.readings.time_limit is not TimeLimit.HIGH_NOON,
    )


def course_of(log: Sequence[TimedState], edition: Edition) -> GameCourse | None:
    """Return a game's course, or None before the deal and for duels and voided games. log: oldest first."""
    if not log or log[-1].state.duel is not None or log[-1].state.phase is Phase.VOIDED:
        return None
    # A restarted game counts from its last seating.
    seating = [number for number, one in enumerate(log) if one.state.phase is Phase.SEATING]
    log = log[seating[-1] :] if seating else log
    dealt = _first(log, _DEALT)
    if dealt is None:
        return None
    last, began = log[-1].state, _first(log, (Phase.PLAYING,))
    kind = game_kind(len(last.seats), edition)
    if began is None:
        return GameCourse(kind, dealt, kind.players, ended=_first(log, _OVER))
    pairs = pairwise(log)
    shuffled = [after.minute for before, after in pairs if after.state.reshuffles > before.state.reshuffles]
    # In light mode, turns are only recorded near High Noon, unless they break ties.
    are_turns_entered = TieBreak.TURNS_PLAYED in edition.tie_breaks or all(
        one.state.mode is RecordMode.FULL for one in log
    )
    return GameCourse(
        kind=kind,
        dealt=dealt,
        in_play=sum(seat.in_play for seat in last.seats),
        began=began,
        ended=_first(log, _OVER) if last.phase in _OVER else None,
        turns=last.turns if are_turns_entered else None,
        reshuffles=last.reshuffles,
        reshuffled=shuffled[-1] if shuffled else None,
        turns_since=last.turns - last.reshuffled_at,
        is_noon=last.high_noon in {HighNoon.ON, HighNoon.CALLED},
        is_whole=last.because not in {Because.TIME_LIMIT, Because.JUDGE},
    )


def _first(log: Sequence[TimedState], phases: tuple[Phase, ...]) -> float | None:
    return next((one.minute for one in log if one.state.phase in phases), None)
