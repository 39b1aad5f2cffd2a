"""State changes caused by the judge's corrections."""

from typing import assert_never

import msgspec

from base.errors import BadData
from core.game.correction.correction_events import (
    CorrectionEvent,
    EliminationCorrected,
    GameResumed,
    LifeCorrected,
    OrderCorrected,
    PlayerRestored,
    ReshufflesCorrected,
    TurnCorrected,
    TurnsCorrected,
)
from core.game.state.game import Elimination, GameState, Phase, Seat
from core.game.state.seat_updates import recorded_seat, with_seat, with_turns
from core.terms import SHERIFF_SEAT, Role, SeatNo

_replace = msgspec.structs.replace


def evolve_correction(state: GameState, event: CorrectionEvent) -> GameState:
    """Return the state after a correction. Raises BadData for a seat that is missing or not eliminated."""
    match event:
        case LifeCorrected(seat=seat, life=life):
            return _with_life(state, seat, life)
        case EliminationCorrected():
            return _with_elimination(state, event)
        case TurnsCorrected(seat=seat, turns=turns):
            return with_turns(state, recorded_seat(state, seat).seat, turns)
        case ReshufflesCorrected(count=count, high_noon=high_noon):
            return _replace(state, reshuffles=count, reshuffled_at=state.turns, high_noon=high_noon)
        case TurnCorrected(seat=seat, high_noon=high_noon):
            turn = recorded_seat(state, seat).seat
            ghost = turn if turn == state.ghost else None
            return _replace(
                state,
                turn=turn,
                high_noon=high_noon,
                is_turn_unknown=False,
                passed=(),
                wounded=(),
                ghost=ghost,
            )
        case OrderCorrected(seats=seats):
            return _reorder(state, seats)
        case PlayerRestored(seat=seat, life=life):
            return _restore(state, seat, life)
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
    return _roles_hidden(
        _replace(with_seat(state, _replace(seat, role=event.role)), eliminations=eliminations)
    )


def _reorder(state: GameState, seats: tuple[SeatNo, ...]) -> GameState:
    """Return the state with its eliminations in another order; victims of one card stay together."""
    found = {elimination.seat: elimination for elimination in state.eliminations}
    if sorted(found) != sorted(seats):
        raise BadData("game log", f"the order {seats} does not name the seats that are eliminated")
    ordered = list[Elimination]()
    effect, before = 0, None
    for seat in seats:
        effect += found[seat].effect != before
        before = found[seat].effect
        ordered.append(_replace(found[seat], effect=effect))
    # A card with open questions about other victims is not complete.
    effect -= before is not None and before > state.effects
    return _roles_hidden(_replace(state, eliminations=tuple(ordered), effects=effect))


def _restore(state: GameState, number: SeatNo, life: int) -> GameState:
    """Return the state without the elimination of a seat."""
    index = next((n for n, e in enumerate(state.eliminations) if e.seat == number), None)
    if index is None:
        raise BadData("game log", f"seat {number} is not eliminated and cannot be restored")
    kept = (*state.eliminations[:index], *state.eliminations[index + 1 :])
    known = Role.SHERIFF if number == SHERIFF_SEAT else None
    seat = _replace(recorded_seat(state, number), in_play=True, life=life, role=known)
    left = tuple(
        _replace(gone, after_eliminations=gone.after_eliminations - (gone.after_eliminations > index))
        for gone in state.abandonments
    )
    made = tuple(_replace(one, after=one.after - (one.after > index)) for one in state.revolutions)
    restored = _replace(
        with_seat(state, seat),
        revolutions=made,
        eliminations=kept,
        abandonments=left,
        doubtful_from=state.doubtful_from - (state.doubtful_from > index),
    )
    return _roles_hidden(_reorder(restored, tuple(elimination.seat for elimination in kept)))


def _roles_hidden(state: GameState) -> GameState:
    """Return the state without the declared roles, which must be declared again."""
    if state.phase is not Phase.SHEET:
        return state
    seats = tuple(_hide_role(state, seat) for seat in state.seats)
    return _replace(state, phase=Phase.ENDED, seats=seats)


def _hide_role(state: GameState, seat: Seat) -> Seat:
    shown = {elimination.seat for elimination in state.eliminations} | {SHERIFF_SEAT, state.rebel}
    return seat if seat.seat in shown else _replace(seat, role=None)
