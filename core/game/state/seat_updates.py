"""Changes to the seats and turns of a logged game; a missing seat means that the log is damaged."""

import msgspec

from base.errors import BadData
from core.game.state.game import GameState, Phase, Seat
from core.terms import SeatNo

_replace = msgspec.structs.replace


def recorded_seat(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat in an event. Raises BadData if the table doesn't have it."""
    if not 1 <= seat <= len(state.seats):
        raise BadData("game log", f"there is no seat {seat} at table {state.table}")
    return state.seats[seat - 1]


def with_seat(state: GameState, seat: Seat) -> GameState:
    """Return the state with a seat replaced by this one of the same number."""
    return _replace(state, seats=(*state.seats[: seat.seat - 1], seat, *state.seats[seat.seat :]))


def turn_played(state: GameState, seat: SeatNo) -> GameState:
    return with_turns(state, seat, state.turns_played[seat - 1] + 1)


def with_turns(state: GameState, seat: SeatNo, turns: int) -> GameState:
    played = state.turns_played
    return _replace(state, turns_played=(*played[: seat - 1], turns, *played[seat:]))


def wounded(state: GameState, seat: SeatNo, points: int) -> GameState:
    """Return the state with a seat wounded; at no life points, the table is asked about the last one."""
    hit = recorded_seat(state, seat)
    after = with_seat(state, _replace(hit, life=hit.life - points))
    if hit.life > points or seat in state.pending:
        return after
    return _replace(after, pending=(*state.pending, seat))


def answered(state: GameState, seat: SeatNo) -> GameState:
    """Close the question of a seat; the last answer completes the effect, if anybody was eliminated by it."""
    pending = tuple(other for other in state.pending if other != seat)
    effects = state.effects
    if not pending and state.eliminations:
        effects = max(effects, state.eliminations[-1].effect)
    hits = tuple(hit for hit in state.hits_by_leavers if hit[0] != seat)
    at_noon = state.high_noon_question and bool(pending)
    return passed_forgotten(
        _replace(state, pending=pending, high_noon_question=at_noon, effects=effects, hits_by_leavers=hits)
    )


def passed_forgotten(state: GameState) -> GameState:
    """Return the state after an answer; after the last one the passed turns are forgotten."""
    is_open = bool(state.pending or state.doubtful)
    return state if is_open else _replace(state, doubtful_from=0)


def all_here(state: GameState) -> GameState:
    """Return the state after a check-in or departure; the last one ends the seating."""
    if state.phase is Phase.SEATING and all(seat.checked_in or seat.passive for seat in state.seats):
        return _replace(state, phase=Phase.ROLES if state.duel is None else Phase.DUEL)
    return state
