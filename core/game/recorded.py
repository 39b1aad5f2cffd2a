"""Access to the seats of a logged game; a missing seat means a damaged log."""

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.state import GameState, Seat
from saloon.core.terms import SeatNo


def recorded_seat(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat that an event names. Raises BadData if the table has none."""
    if not 1 <= seat <= len(state.seats):
        raise BadData("game log", f"there is no seat {seat} at table {state.table}")
    return state.seats[seat - 1]


def with_seat(state: GameState, seat: Seat) -> GameState:
    """Return the state with this seat replacing the one of its number."""
    return msgspec.structs.replace(
        state, seats=(*state.seats[: seat.seat - 1], seat, *state.seats[seat.seat :])
    )
