"""Corrections by the judge to a game that isn't confirmed yet, and their consequences.

They fix entries that are too old to undo. Each correction has a reason and is a step of its own, which can
be undone like any other.
"""

from typing import Final, assert_never

from base.errors import Refused
from core.editions.edition import Edition
from core.game import commands as c
from core.game.correction.correction_events import (
    EliminationCorrected,
    GameResumed,
    LifeCorrected,
    OrderCorrected,
    PlayerRestored,
    ReshufflesCorrected,
    TurnCorrected,
    TurnsCorrected,
)
from core.game.ending.endings import ending_met
from core.game.events import GameEnded, GameEvent
from core.game.play.eliminations import check_cause, effect_completed
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.turns import forget_turn, pass_turns
from core.game.rebel.comebacks import come_back, has_turns
from core.game.state.causes import Because
from core.game.state.decisions import Draft
from core.game.state.game import Elimination, GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts, roles_left
from core.game.state.seats import require_no_question, require_phase, seat_in_play, seat_of
from core.terms import SHERIFF_SEAT, Role, SeatNo

MOST_RESHUFFLES: Final = 20
"""An upper limit that no game reaches."""
_OPEN = (Phase.PLAYING, Phase.ENDED, Phase.SHEET)


def correct(state: GameState, command: c.CorrectionCommand, edition: Edition) -> tuple[GameEvent, ...]:
    """Return the events of a correction. Raises Refused for an impossible one, or without a reason."""
    if state.duel is not None:
        raise Refused(GameReason.NOT_IN_A_DUEL)
    if not command.reason.strip():
        raise Refused(GameReason.CORRECTION_REASON)
    if isinstance(command, c.CorrectElimination | c.CorrectOrder | c.RestorePlayer):
        return _correct_eliminations(state, command, edition)
    match command:
        case c.CorrectLife():
            return _life(state, command, edition)
        case c.CorrectTurns():
            return _turns(state, command)
        case c.CorrectReshuffles():
            return _reshuffles(state, command, edition)
        case c.CorrectTurn():
            return _turn(state, command, edition)
        case _:
            assert_never(command)


def _correct_eliminations(
    state: GameState, command: c.CorrectElimination | c.CorrectOrder | c.RestorePlayer, edition: Edition
) -> tuple[GameEvent, ...]:
    if state.comebacks:
        raise Refused(GameReason.COMEBACK_TOLD)
    match command:
        case c.CorrectElimination():
            return _elimination(state, command, edition)
        case c.CorrectOrder():
            return _order(state, command, edition)
        case c.RestorePlayer():
            return _restore(state, command, edition)
        case _:
            assert_never(command)


def _life(state: GameState, command: c.CorrectLife, edition: Edition) -> tuple[GameEvent, ...]:
    require_phase(state, Phase.PLAYING)
    seat = seat_in_play(state, command.seat)
    if not 1 <= command.life <= seat.max_life:
        raise Refused(GameReason.LIFE_RANGE, seat=seat.seat, maximum=seat.max_life)
    if command.life == seat.life:
        raise Refused(GameReason.NOTHING_CORRECTED)
    draft = Draft(state).then(LifeCorrected(seat.seat, command.life, command.reason))
    # The correction may have answered the last question of a card.
    return (effect_completed(draft, edition) if state.pending else draft).events


def _elimination(state: GameState, command: c.CorrectElimination, edition: Edition) -> tuple[GameEvent, ...]:
    require_phase(state, *_OPEN)
    seat = seat_of(state, command.seat)
    found = next((e for e in state.eliminations if e.seat == seat.seat), None)
    if found is None:
        raise Refused(GameReason.NOT_ELIMINATED, seat=seat.seat)
    if (found.by, found.cause, found.role) == (command.by, command.cause, command.role):
        raise Refused(GameReason.NOTHING_CORRECTED)
    _check_author(state, command, found)
    _check_role(state, command, found, edition)
    reason, draft = command.reason.strip(), Draft(state)
    other = mixed_up_with(state, command.seat, command.role, edition)
    if other is not None:
        draft = draft.then(EliminationCorrected(other.seat, other.by, other.cause, found.role, reason))
    corrected = EliminationCorrected(command.seat, command.by, command.cause, command.role, reason)
    return _find_ending_again(draft.then(corrected), edition).events


def mixed_up_with(state: GameState, seat: SeatNo, role: Role, edition: Edition) -> Elimination | None:
    """Return the elimination that already shows this role's only card; the two players then swap roles."""
    if role_counts(len(state.seats), edition).count(role) != 1:
        return None
    return next((e for e in state.eliminations if e.role is role and e.seat != seat), None)


def _turns(state: GameState, command: c.CorrectTurns) -> tuple[GameEvent, ...]:
    require_phase(state, *_OPEN)
    seat = seat_of(state, command.seat).seat
    if not 0 <= command.turns <= state.turns:
        raise Refused(GameReason.TURNS_RANGE, seat=seat, maximum=state.turns)
    if command.turns == state.turns_played[seat - 1]:
        raise Refused(GameReason.NOTHING_CORRECTED)
    return (TurnsCorrected(seat, command.turns, command.reason.strip()),)


def _reshuffles(state: GameState, command: c.CorrectReshuffles, edition: Edition) -> tuple[GameEvent, ...]:
    """Return the events that correct the number of reshuffles; High Noon may be switched off again."""
    require_phase(state, Phase.PLAYING)
    if not 0 <= command.count <= MOST_RESHUFFLES:
        raise Refused(GameReason.RESHUFFLES_RANGE, maximum=MOST_RESHUFFLES)
    if command.count == state.reshuffles:
        raise Refused(GameReason.NOTHING_CORRECTED)
    noon = high_noon_with_reshuffles(state, command.count, edition)
    corrected = ReshufflesCorrected(command.count, noon, command.reason.strip())
    # In light mode the turn didn't matter until High Noon was near.
    return forget_turn(Draft(state), edition).then(corrected).events


def high_noon_with_reshuffles(state: GameState, count: int, edition: Edition) -> HighNoon:
    """Return the state of High Noon for another number of reshuffles; one called by the judge stays."""
    threshold = reshuffles_to_high_noon(len(state.seats), edition)
    is_due = threshold is not None and count >= threshold
    if is_due:
        return HighNoon.WAITING if state.high_noon is HighNoon.OFF else state.high_noon
    return state.high_noon if state.high_noon is HighNoon.CALLED or state.ruled else HighNoon.OFF


def _turn(state: GameState, command: c.CorrectTurn, edition: Edition) -> tuple[GameEvent, ...]:
    require_phase(state, Phase.PLAYING)
    require_no_question(state)
    seat = seat_of(state, command.seat)
    if not has_turns(state, seat.seat):
        raise Refused(GameReason.OUT, seat=seat.seat)
    if command.high_noon is not HighNoon.OFF and edition.high_noon is None:
        raise Refused(GameReason.NO_HIGH_NOON)
    if (seat.seat, command.high_noon) == (state.turn, state.high_noon) and not state.is_turn_unknown:
        raise Refused(GameReason.NOTHING_CORRECTED)
    corrected = TurnCorrected(seat.seat, command.high_noon, command.reason.strip())
    return pass_turns(come_back(Draft(state), seat.seat).then(corrected), edition).events


def _order(state: GameState, command: c.CorrectOrder, edition: Edition) -> tuple[GameEvent, ...]:
    require_phase(state, *_OPEN)
    now = tuple(elimination.seat for elimination in state.eliminations)
    if sorted(command.seats) != sorted(now):
        raise Refused(GameReason.ORDER_OF_ALL)
    if command.seats == now:
        raise Refused(GameReason.NOTHING_CORRECTED)
    require_no_question(state)
    if state.revolutions:
        raise Refused(GameReason.REVOLUTION_TOLD)
    draft = Draft(state).then(OrderCorrected(command.seats, command.reason.strip()))
    for number, elimination in enumerate(draft.state.eliminations):
        earlier = draft.state.eliminations[:number]
        if any(e.seat == elimination.by and e.effect != elimination.effect for e in earlier):
            assert elimination.by is not None  # a seat
            raise Refused(GameReason.BY_SOMEBODY_OUT, by=elimination.by)
    return _find_ending_again(draft, edition).events


def _restore(state: GameState, command: c.RestorePlayer, edition: Edition) -> tuple[GameEvent, ...]:
    require_phase(state, *_OPEN)
    seat = seat_of(state, command.seat)
    found = next((e for e in state.eliminations if e.seat == seat.seat), None)
    if found is None:
        raise Refused(GameReason.NOT_ELIMINATED, seat=seat.seat)
    if not 1 <= command.life <= seat.max_life:
        raise Refused(GameReason.LIFE_RANGE, seat=seat.seat, maximum=seat.max_life)
    if role_counts(len(state.seats), edition).rebel and found.role in {Role.REBEL, Role.SHERIFF}:
        raise Refused(GameReason.REVOLUTION_TOLD)
    restored = PlayerRestored(seat.seat, command.life, command.reason.strip())
    return _find_ending_again(Draft(state).then(restored), edition).events


def _check_author(state: GameState, command: c.CorrectElimination, found: Elimination) -> None:
    check_cause(state, command)
    before = state.eliminations[: state.eliminations.index(found)]
    by = command.by
    if by is not None and any(earlier.seat == by and earlier.effect != found.effect for earlier in before):
        raise Refused(GameReason.BY_SOMEBODY_OUT, by=by)


def _check_role(
    state: GameState, command: c.CorrectElimination, found: Elimination, edition: Edition
) -> None:
    counts = role_counts(len(state.seats), edition)
    if counts.rebel and (Role.REBEL in {found.role, command.role} or found.role is Role.SHERIFF):
        raise Refused(GameReason.REVOLUTION_TOLD)
    if command.role is found.role:
        return
    if command.seat == SHERIFF_SEAT:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=command.seat)
    if command.role is Role.SHERIFF:
        raise Refused(GameReason.ROLE_NOT_SHERIFF, seat=command.seat)
    left = roles_left(counts, (e.role for e in state.eliminations if e.seat != command.seat))
    if left[command.role] < 1 and mixed_up_with(state, command.seat, command.role, edition) is None:
        raise Refused(GameReason.ROLE_USED_UP, role=command.role)


def _find_ending_again(draft: Draft, edition: Edition) -> Draft:
    """Return the draft with the ending that the eliminations now lead to, or with the game resumed."""
    state = draft.state
    if state.pending or state.revolution_question is not None:
        return draft
    if state.doubtful:
        # First settle whether somebody was eliminated in a passed turn, as at the table.
        judged = effect_completed(draft, edition)
        if judged is not draft and state.doubtful_from < len(state.eliminations):
            raise Refused(GameReason.WOULD_END_EARLIER)
        return judged
    met = ending_met(state, edition)
    if met is None:
        ended = state.phase is Phase.ENDED and state.because not in {Because.TIME_LIMIT, Because.JUDGE}
        return pass_turns(draft.then(GameResumed()), edition) if ended else draft
    if met.after < len(state.eliminations):
        raise Refused(GameReason.WOULD_END_EARLIER)
    if (met.ending, met.because) == (state.ending, state.because):
        return draft
    return draft.then(GameEnded(met.ending, met.because))
