"""State changes caused by the judge's corrections."""

from typing import assert_never

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.correction.correction_events import (
    CorrectionEvent,
    EliminationCorrected,
    GameResumed,
    LifeCorrected,
    TurnsCorrected,
)
from saloon.core.game.recorded import recorded_seat, with_seat, with_turns
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import GameState, Phase, Seat
from saloon.core.terms import SeatNo

_replace = msgspec.structs.replace


def evolve_correction(state: GameState, event: CorrectionEvent) -> GameState:
    """Return the state after a correction. Raises BadData for a missing seat, or one not eliminated."""
    match event:
        case LifeCorrected(seat=seat, life=life):
            return _with_life(state, seat, life)
        case EliminationCorrected():
            return _with_elimination(state, event)
        case TurnsCorrected(seat=seat, turns=turns):
            return with_turns(state, recorded_seat(state, seat).seat, turns)
        case GameResumed():
            fallen = tuple(seat.seat for seat in state.seats if seat.in_play and seat.life <= 0)
            return _replace(state, phase=Phase.PLAYING, ending=None, because=None, pending=fallen)
        case _:
            assert_never(event)


def _with_life(state: GameState, number: SeatNo, life: int) -> GameState:
    seat = recorded_seat(state, number)
    after = with_seat(state, _replace(seat, life=life))
    if number not in state.pending:
        return after
    pending = tuple(other for other in state.pending if other != number)
    effects = state.effects
    if not pending and state.eliminations:
        effects = max(effects, state.eliminations[-1].effect)
    return _replace(after, pending=pending, high_noon_question=False, effects=effects)


def _with_elimination(state: GameState, event: EliminationCorrected) -> GameState:
    seat = recorded_seat(state, event.seat)
    if all(elimination.seat != event.seat for elimination in state.eliminations):
        raise BadData("game log", f"seat {event.seat} is not eliminated and cannot be corrected")
    eliminations = tuple(
        _replace(told, by=event.by, cause=event.cause, role=event.role) if told.seat == event.seat else told
        for told in state.eliminations
    )
    after = _replace(with_seat(state, _replace(seat, role=event.role)), eliminations=eliminations)
    if state.phase is not Phase.SHEET:
        return after
    # The declared roles were those of another game: they must be shown again.
    seats = tuple(_hide_role(after, seat) for seat in after.seats)
    return _replace(after, phase=Phase.ENDED, seats=seats)


def _hide_role(state: GameState, seat: Seat) -> Seat:
    shown = {elimination.seat for elimination in state.eliminations} | {SHERIFF_SEAT, state.rebel}
    return seat if seat.seat in shown else _replace(seat, role=None)
