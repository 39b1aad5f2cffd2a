"""The seats of a state that a log has led to; a seat that is not there is a damaged log."""

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.state import GameState, Seat
from saloon.core.terms import SeatNo


def recorded_seat(state: GameState, seat: SeatNo) -> Seat:
    """The seat that an event names. Raises BadData where the table has none."""
    if not 1 <= seat <= len(state.seats):
        raise BadData("game log", f"there is no seat {seat} at table {state.table}")
    return state.seats[seat - 1]


def with_seat(state: GameState, seat: Seat) -> GameState:
    """The state with this seat in the place of the one of its number."""
    return msgspec.structs.replace(
        state, seats=(*state.seats[: seat.seat - 1], seat, *state.seats[seat.seat :])
    )
