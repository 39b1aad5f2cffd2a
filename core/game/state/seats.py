"""Checks of a game's phase, seats and dollars, shared by several rules.

A seat's dollars are secret, so no refusal reveals them.
"""

from collections.abc import Iterator
from typing import Final

from base.errors import Refused
from core.editions.edition import Edition
from core.game.state.game import GameState, Phase, Seat
from core.game.state.reasons import GameReason
from core.terms import Dollars, SeatNo


def money_left(seat: Seat, edition: Edition) -> Dollars:
    """Return a seat's remaining dollars after its spending; negative for debts from penalties.

    A player seated without a stake has the start money, as it is their first table.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    brought = edition.money_at_start if seat.stake is None else seat.stake.budget
    return Dollars(brought - seat.spent)


def require_money(seat: Seat, dollars: Dollars, edition: Edition) -> None:
    """Raise Refused if a seat can't pay this amount; an amount of 0 is always allowed."""
    if dollars > max(0, money_left(seat, edition)):
        raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)


_REFUSAL = {
    Phase.SEATING: GameReason.CHECKING_IN,
    Phase.ROLES: GameReason.ROLES_NOT_DEALT,
    Phase.AUCTION: GameReason.AUCTIONING,
    Phase.CHARACTERS: GameReason.NOT_BEGUN,
    Phase.PLAYING: GameReason.RUNNING,
    Phase.DUEL: GameReason.DUEL_RUNNING,
    Phase.ENDED: GameReason.ENDED,
    Phase.SHEET: GameReason.ENDED,
    Phase.CONFIRMED: GameReason.CONFIRMED,
    Phase.VOIDED: GameReason.VOIDED,
}


BEFORE_THE_END: Final = (Phase.SEATING, Phase.ROLES, Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING)
"""Phases of a game with roles in which the players still have something to enter."""


MAY_LEAVE: Final = (*BEFORE_THE_END, Phase.DUEL)
"""Phases in which players may still leave."""
STILL_OPEN: Final = (*MAY_LEAVE, Phase.ENDED, Phase.SHEET)
"""Phases in which the table may still need a judge."""


def require_phase(state: GameState, *allowed: Phase) -> None:
    """Raise Refused, naming the current phase, unless the game is in one of these phases."""
    if state.phase not in allowed:
        raise Refused(_REFUSAL[state.phase])


def has_question(state: GameState) -> bool:
    """Return whether the table has an open question, which must be answered first."""
    return bool(state.pending or state.doubtful) or state.revolution_question is not None


def require_no_question(state: GameState) -> None:
    """Raise Refused while the table has an open question."""
    if state.pending:
        raise Refused(GameReason.QUESTION_OPEN, seat=state.pending[0])
    if state.doubtful:
        raise Refused(GameReason.STILL_IN_PLAY, seat=state.doubtful[0])
    if state.revolution_question is not None:
        raise Refused(GameReason.REVOLUTION_OPEN, seat=state.revolution_question)


def seat_of(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat with this number. Raises Refused if the table doesn't have it."""
    if not 1 <= seat <= len(state.seats):
        raise Refused(GameReason.NO_SEAT, seat=seat)
    return state.seats[seat - 1]


def seat_in_play(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat with this number. Raises Refused if it is eliminated or doesn't exist."""
    holder = seat_of(state, seat)
    if not holder.in_play:
        raise Refused(GameReason.OUT, seat=seat)
    return holder


def in_play(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats still in the game, including passive ones and those at no life points."""
    return tuple(seat.seat for seat in state.seats if seat.in_play)


def players_hit_from(state: GameState, *, is_last_card: bool = False) -> int:
    """Count the players in play when the current card was played, including those that it eliminated (D49).

    ``is_last_card`` is True if the life point was taken by the card of the last elimination, which seemed
    finished.
    """
    effect = state.eliminations[-1].effect if state.eliminations else 0
    counts = is_last_card or effect > state.effects
    hit = (out.seat for out in state.eliminations if out.effect == effect and counts)
    return len({*in_play(state), *hit})


def seats_after(state: GameState, seat: SeatNo) -> Iterator[Seat]:
    """Yield all other seats in the order of play, starting to the left, then the seat itself."""
    return iter((*state.seats[seat:], *state.seats[:seat]))
