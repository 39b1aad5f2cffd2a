"""The winning conditions of a duel."""

import enum

from core.terms import MatchKind, SeatNo

BETTER_PLACED = SeatNo(1)
"""The seat of the player who was placed better in the rounds."""
OTHER_PLACED = SeatNo(2)

CHARACTERS = {MatchKind.LONG_DUEL: 5, MatchKind.SHORT_DUEL: 8}
"""Number of characters of each player."""

_TO_WIN = 5
_AHEAD = 2


class DuelBecause(enum.Enum):
    """The rule that decided a duel; the value is its label."""

    ELIMINATIONS = "enough characters of the opponent are out"
    OPPONENT_LEFT = "the opponent left"
    OPPONENT_EJECTED = "the judge sent the opponent away"
    RULING = "the judge named the winner"


def opponent_of(seat: SeatNo) -> SeatNo:
    """Return the other seat of a duel."""
    return OTHER_PLACED if seat == BETTER_PLACED else BETTER_PLACED


def winner_by_score(kind: MatchKind, score: tuple[int, int]) -> SeatNo | None:
    """Return the seat that has won with this score; None while the duel goes on.

    score: characters eliminated by seat 1 and by seat 2. A long duel takes all five. A short one takes five
    and a lead of two: 6, 7 or 8 against four, five or six, as there are only eight.
    Source: Championship 2010 v1.1, 1.2.
    """
    first, second = score
    if _has_won(kind, first, second):
        return BETTER_PLACED
    return OTHER_PLACED if _has_won(kind, second, first) else None


def _has_won(kind: MatchKind, own: int, other: int) -> bool:
    if own >= CHARACTERS[kind]:
        return True
    return kind is MatchKind.SHORT_DUEL and own >= _TO_WIN and own - other >= _AHEAD
