"""The expected length of games from rehearsals, before a hall has games of its own.

Nobody has measured tournaments: the numbers come from simulated players (docs/reference/performance.md), and
``python -m bench.rehearsed.prior`` computes them. ``hall_pace`` corrects them for a hall.
"""

import math
from typing import Final

from core.game.play.reshuffles import usual_deck_turns
from core.tournament.pace.progress import GameKind

TURN_MIN: Final = 0.55
"""Minutes for each turn."""
_HELD: Final = 4
"""Average number of cards that a living player holds and has in play."""
NEAR_NOON: Final = 15.0
"""Turns before High Noon within which its effect on the length of a game grows to 63 %."""
_SHORTEST: Final = 0.6
_NARROWEST: Final = 0.2

_BASE, _BY_PLAYERS = 2.14, 0.99
_BY_TURNS, _BY_TURNS_AND_PLAYERS = -0.38, -0.45
_AT_NOON, _AT_NOON_BY_PLAYERS = -0.49, -0.53
_SPREAD, _SPREAD_BY_PLAYERS, _SPREAD_AT_NOON = 0.57, 0.06, -0.35
BELOW: Final = 1.21
ABOVE: Final = 0.80
"""Factors on the spread, below and above the median."""


def root_of_turns(in_play: int, turns: float, to_noon: float) -> float:
    """Return the median of the cube root of the remaining turns.

    in_play: number of players.
    turns: number of turns so far.
    to_noon: turns until High Noon; infinite without it.
    """
    size, near = _size(in_play), math.exp(-to_noon / NEAR_NOON)
    by_turns = (_BY_TURNS + _BY_TURNS_AND_PLAYERS * size) * turns / 100
    by_noon = (_AT_NOON + _AT_NOON_BY_PLAYERS * size) * near
    return max(_SHORTEST, _BASE + _BY_PLAYERS * size + by_turns + by_noon)


def spread_of_turns(in_play: int, to_noon: float) -> float:
    """Return the standard deviation of the cube root of the remaining turns."""
    near = math.exp(-to_noon / NEAR_NOON)
    return max(_NARROWEST, _SPREAD + (_SPREAD_BY_PLAYERS + _SPREAD_AT_NOON * near) * _size(in_play))


def turns_to_noon(kind: GameKind, in_play: int, reshuffles: int, turns_since: float) -> float:
    """Return the expected number of turns until High Noon; infinite for a game without it.

    ``turns_since`` is the number of turns since the last reshuffle, or since the start.
    """
    if kind.noon_after is None:
        return math.inf
    if reshuffles >= kind.noon_after:
        return in_play / 2
    whole = usual_deck_turns(kind.deck, _HELD * in_play)
    return max(1.0, whole - turns_since) + whole * (kind.noon_after - reshuffles - 1) + in_play / 2


def turns_at_reshuffle(kind: GameKind, reshuffles: int) -> float:
    """Return the usual number of turns played up to a reshuffle."""
    return reshuffles * usual_deck_turns(kind.deck, _HELD * kind.players)


def _size(in_play: int) -> float:
    return math.log(max(2, in_play) - 1)
