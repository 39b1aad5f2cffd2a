"""Access to the seats and turns of a logged game; a missing seat means that the log is damaged."""

import msgspec

from base.errors import BadData
from core.game.play.turn_events import TurnSkipped
from core.game.state.game import GameState, Seat
from core.terms import SeatNo


def recorded_seat(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat in an event. Raises BadData if the table doesn't have it."""
    if not 1 <= seat <= len(state.seats):
        raise BadData("game log", f"there is no seat {seat} at table {state.table}")
    return state.seats[seat - 1]


def with_seat(state: GameState, seat: Seat) -> GameState:
    """Return the state with a seat replaced by this one of the same number."""
    return msgspec.structs.replace(
        state, seats=(*state.seats[: seat.seat - 1], seat, *state.seats[seat.seat :])
    )


def turn_played(state: GameState, seat: SeatNo) -> GameState:
    """Return the state with one more turn played by a seat."""
    return with_turns(state, seat, state.turns_played[seat - 1] + 1)


def with_turns(state: GameState, seat: SeatNo, turns: int) -> GameState:
    """Return the state with this number of turns played by a seat."""
    played = state.turns_played
    return msgspec.structs.replace(state, turns_played=(*played[: seat - 1], turns, *played[seat:]))


def turn_skipped(state: GameState, event: TurnSkipped) -> GameState:
    """Return the state without the current turn's count.

    Raises BadData if the turn is another seat's.
    """
    seat = recorded_seat(state, event.seat).seat
    if state.turn != seat and seat not in state.passed:
        raise BadData("game log", f"seat {seat} skips a turn that is not its own")
    passed = tuple(other for other in state.passed if other != seat)
    # The judge may have set the count to 0 in the middle of this turn.
    played = with_turns(state, seat, max(0, state.turns_played[seat - 1] - 1))
    return msgspec.structs.replace(played, passed=passed)
