"""Records of which terminals the station gave each game, and which ones it relieved of it."""

from collections.abc import Sequence

import msgspec

from core.game.orders import TakeGame
from core.game.takeover import StepWithOrigin, is_same_step, step_with_origin
from core.terms import GameId
from station.projections.game_logs import GameTrack
from sync.protocol.entry import TerminalId


class GameHandover(msgspec.Struct, frozen=True):
    """An order that gives a game to a terminal. ``steps`` is the number of steps given with it.

    ``last`` is the last one of these.
    """

    terminal: TerminalId
    steps: int = 0
    last: StepWithOrigin | None = None


class Handovers:
    """The handovers of all games, in order."""

    def __init__(self) -> None:
        self._of: dict[GameId, list[GameHandover]] = {}
        self._given_to: set[tuple[GameId, TerminalId]] = set()
        self._relieved: dict[GameId, set[TerminalId]] = {}

    def of(self, game: GameId) -> Sequence[GameHandover]:
        """Return the handovers of a game, first one first."""
        return self._of.get(game, ())

    def was_given(self, game: GameId, terminal: TerminalId) -> bool:
        """Return whether an order ever gave a game to a terminal, so that its steps count."""
        return (game, terminal) in self._given_to

    def is_relieved(self, game: GameId, terminal: TerminalId | None) -> bool:
        """Return whether a terminal no longer has a game that it was given."""
        return terminal in self._relieved.get(game, ())

    def has_given_steps(self, game: GameId, track: GameTrack) -> bool:
        """Return whether a track contains all steps that its terminal was given with the game.

        A track of the same length may be an older one that differs before the last given step.
        """
        handovers = (handover for handover in reversed(self.of(game)) if handover.terminal == track.terminal)
        last = next(handovers, None)
        if last is None or not last.steps:
            return True
        if last.last is None or track.followed < last.steps:
            return False
        timed = track.steps[last.steps - 1]
        return is_same_step(step_with_origin(timed.step, track.terminal, track.epoch, timed.seq), last.last)

    def give(self, game: GameId, handover: GameHandover) -> None:
        """Record that a game was given to a terminal."""
        self._of.setdefault(game, []).append(handover)
        self._given_to.add((game, handover.terminal))
        self._relieved.get(game, set()).discard(handover.terminal)

    def give_steps(self, terminal: TerminalId, order: TakeGame) -> None:
        """Record a game handed over in pieces. Steps to be merged later do not count as another handover."""
        if order.first == 0:
            self.give(order.game, GameHandover(terminal, order.total))
        known = self._of.get(order.game, [])
        unfinished = GameHandover(terminal, order.total)
        if order.steps and order.first + len(order.steps) == order.total and unfinished in known:
            known[known.index(unfinished)] = GameHandover(terminal, order.total, order.steps[-1])

    def relieve(self, game: GameId, terminal: TerminalId) -> None:
        """Record that a terminal no longer has a game."""
        self._relieved.setdefault(game, set()).add(terminal)
