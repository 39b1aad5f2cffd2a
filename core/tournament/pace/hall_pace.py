"""The pace of a hall: minutes for each turn and length of games, learnt from its own games.

Both are factors relative to rehearsals, estimated on a logarithmic scale. Games are weighted by their
certainty, rehearsals have little weight.
"""

import math
from collections.abc import Iterable
from typing import Final

import msgspec

from core.tournament.pace.prior import (
    TURN_MIN,
    root_of_turns,
    spread_of_turns,
    turns_at_reshuffle,
    turns_to_noon,
)
from core.tournament.pace.progress import PlayedGame, TableProgress

_HALLS_VARY: Final = 0.25
"""The standard deviation of pace between halls."""
_TABLES_VARY: Final = 0.12
"""The standard deviation of pace between tables of a hall."""
_TURNS_VARY: Final = 0.55
"""The standard deviation of single turns at a table."""
_DECKS_VARY: Final = 0.2
"""The standard deviation of the number of turns between reshuffles."""
_LENGTHS_VARY: Final = 0.15
"""The standard deviation of the usual number of turns between halls."""
_POSSIBLE_TURN_MIN: Final = (0.1, 5.0)


class Estimate(msgspec.Struct, frozen=True):
    """The estimate of a logarithm, with its variance."""

    mean: float
    variance: float

    def combined_with(self, other: "Estimate") -> "Estimate":
        """Return the combination with another, independent estimate."""
        precision = 1 / self.variance + 1 / other.variance
        return Estimate((self.mean / self.variance + other.mean / other.variance) / precision, 1 / precision)

    def widened(self, deviation: float) -> "Estimate":
        """Return the estimate with its variance increased by a standard deviation."""
        return Estimate(self.mean, self.variance + deviation**2)


class HallPace(msgspec.Struct, frozen=True):
    """The pace of a hall.

    turn: minutes for a turn.
    length: factor on the turns in rehearsals.
    """

    turn: Estimate = Estimate(math.log(TURN_MIN), _HALLS_VARY**2)
    length: Estimate = Estimate(0.0, _LENGTHS_VARY**2)

    def turn_at(self, table: TableProgress) -> Estimate:
        """Return the estimated minutes for a turn at a table."""
        observed = _turn_shown(table)
        here = self.turn.widened(_TABLES_VARY)
        return here if observed is None else here.combined_with(observed)


def learn_pace(
    played: Iterable[PlayedGame], running: Iterable[TableProgress], over: Iterable[PlayedGame] = ()
) -> HallPace:
    """Return the pace of a hall.

    played: games of earlier rounds.
    running: games of this round.
    over: finished games of this round; as short games end first, they only count for the minutes of a turn.
    """
    turn, length = HallPace().turn, HallPace().length
    for game in played:
        if game.turns and game.is_whole:
            length = length.combined_with(_length_shown(game, game.turns))
        if game.turns:
            turn = turn.combined_with(_minutes_a_turn(game.minutes, game.turns).widened(_TABLES_VARY))
        elif game.is_whole:
            turn = turn.combined_with(_turn_of_whole_game(game))
    for game in over:
        if game.turns:
            turn = turn.combined_with(_minutes_a_turn(game.minutes, game.turns).widened(_TABLES_VARY))
    for table in running:
        observed = _turn_shown(table)
        if observed is not None:
            turn = turn.combined_with(observed.widened(_TABLES_VARY))
    return HallPace(turn, length)


def _turn_shown(table: TableProgress) -> Estimate | None:
    """Return the minutes for a turn as observed in one game, or None without observations."""
    if not table.is_begun:
        return None
    if table.turns:
        return _minutes_a_turn(table.minutes, table.turns)
    if table.reshuffles:
        turns = turns_at_reshuffle(table.kind, table.reshuffles)
        return Estimate(_log_turn(table.reshuffled_at / turns), _DECKS_VARY**2 / table.reshuffles)
    return None


def _minutes_a_turn(minutes: float, turns: int) -> Estimate:
    return Estimate(_log_turn(minutes / turns), _TURNS_VARY**2 / turns)


def _length_shown(game: PlayedGame, turns: int) -> Estimate:
    root, variance = _usual_length(game)
    return Estimate(math.log(turns) - 3 * math.log(root), variance)


def _turn_of_whole_game(game: PlayedGame) -> Estimate:
    root, variance = _usual_length(game)
    return Estimate(_log_turn(game.minutes / root**3), variance).widened(_TABLES_VARY)


def _log_turn(minutes: float) -> float:
    """Return the logarithm of the minutes for a turn, within bounds (entries may be made all at once)."""
    quickest, slowest = _POSSIBLE_TURN_MIN
    return math.log(min(slowest, max(quickest, minutes)))


def _usual_length(game: PlayedGame) -> tuple[float, float]:
    """Return the cube root of a whole game's turns, and nine times the variance of its logarithm."""
    kind = game.kind
    noon = turns_to_noon(kind, kind.players, 0, 0)
    root = root_of_turns(kind.players, 0, noon)
    return root, (3 * spread_of_turns(kind.players, noon) / root) ** 2
