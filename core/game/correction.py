"""Corrections by the judge to a game that isn't confirmed yet.

They fix entries that are too old to undo. Each correction is a step of its own, which can be undone.
"""

from typing import Final

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.game.ending.endings import GameEnded, GameResumed, ending_met
from core.game.ending.rebel import come_back, has_turns
from core.game.play.effects import complete_effect
from core.game.play.eliminations import check_cause
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.turns import forget_turn, pass_turns
from core.game.state.decisions import Draft, Event, RolesCommand, RolesDecision
from core.game.state.game import Because, Cause, Elimination, GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    close_question,
    recorded_seat,
    require_no_question,
    require_phase,
    role_counts,
    roles_left,
    seat_in_play,
    seat_of,
    with_seat,
    with_turns,
)
from core.terms import SHERIFF_SEAT, Role, SeatNo

MOST_RESHUFFLES: Final = 20
"""More reshuffles than any game has."""
NOT_CONFIRMED: Final = (Phase.PLAYING, Phase.ENDED, Phase.SHEET)


def require_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(GameReason.CORRECTION_REASON)


class CorrectLife(RolesDecision, frozen=True, tag="life-corrected"):
    """Set the life points of a seat. If the table was asked about its last point, that is the answer."""

    seat: SeatNo
    life: int
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        seat = seat_in_play(state, self.seat)
        if not 1 <= self.life <= seat.max_life:
            raise Refused(GameReason.LIFE_RANGE, seat=seat.seat, maximum=seat.max_life)
        if self.life == seat.life:
            raise Refused(GameReason.NOTHING_CORRECTED)
        draft = Draft(state).then(self)
        return (complete_effect(draft, edition) if state.pending else draft).events

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        after = with_seat(state, replace(seat, life=self.life))
        return close_question(after, self.seat) if self.seat in state.pending else after


class CorrectTurns(RolesDecision, frozen=True, tag="turns-corrected"):
    """Correct the number of turns that a seat actually played."""

    seat: SeatNo
    turns: int
    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_reason(self.reason)
        require_phase(state, *NOT_CONFIRMED)
        seat = seat_of(state, self.seat).seat
        if not 0 <= self.turns <= state.turns:
            raise Refused(GameReason.TURNS_RANGE, seat=seat, maximum=state.turns)
        if self.turns == state.turns_played[seat - 1]:
            raise Refused(GameReason.NOTHING_CORRECTED)
        return (replace(self, reason=self.reason.strip()),)

    def apply(self, state: GameState) -> GameState:
        return with_turns(state, recorded_seat(state, self.seat).seat, self.turns)


class ReshufflesCorrected(Event, frozen=True, tag="reshuffles-corrected"):
    """The judge set the number of reshuffles."""

    count: int
    high_noon: HighNoon
    reason: str

    def apply(self, state: GameState) -> GameState:
        return replace(state, reshuffles=self.count, reshuffled_at=state.turns, high_noon=self.high_noon)


class CorrectReshuffles(RolesCommand, frozen=True):
    """Correct the number of reshuffles, on which High Noon depends."""

    count: int
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        if not 0 <= self.count <= MOST_RESHUFFLES:
            raise Refused(GameReason.RESHUFFLES_RANGE, maximum=MOST_RESHUFFLES)
        if self.count == state.reshuffles:
            raise Refused(GameReason.NOTHING_CORRECTED)
        noon = high_noon_with_reshuffles(state, self.count, edition)
        corrected = ReshufflesCorrected(self.count, noon, self.reason.strip())
        # In light mode the turn didn't matter until High Noon was near.
        return forget_turn(Draft(state), edition).then(corrected).events


def high_noon_with_reshuffles(state: GameState, count: int, edition: Edition) -> HighNoon:
    """Return the state of High Noon if this were the number of reshuffles."""
    threshold = reshuffles_to_high_noon(len(state.seats), edition)
    if threshold is not None and count >= threshold:
        return HighNoon.WAITING if state.high_noon is HighNoon.OFF else state.high_noon
    return state.high_noon if state.high_noon is HighNoon.CALLED or state.ruled else HighNoon.OFF


class CorrectTurn(RolesDecision, frozen=True, tag="turn-corrected"):
    """Correct whose turn it is and whether High Noon is on. No life points change."""

    seat: SeatNo
    high_noon: HighNoon
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        require_no_question(state)
        seat = seat_of(state, self.seat)
        if not has_turns(state, seat.seat):
            raise Refused(GameReason.OUT, seat=seat.seat)
        if self.high_noon is not HighNoon.OFF and edition.high_noon is None:
            raise Refused(GameReason.NO_HIGH_NOON)
        if (seat.seat, self.high_noon) == (state.turn, state.high_noon) and not state.is_turn_unknown:
            raise Refused(GameReason.NOTHING_CORRECTED)
        corrected = replace(self, reason=self.reason.strip())
        return pass_turns(come_back(Draft(state), seat.seat).then(corrected), edition).events

    def apply(self, state: GameState) -> GameState:
        turn = recorded_seat(state, self.seat).seat
        return replace(
            state,
            turn=turn,
            high_noon=self.high_noon,
            is_turn_unknown=False,
            passed=(),
            wounded=(),
            ghost=turn if turn == state.ghost else None,
        )


def _require_correctable(state: GameState, reason: str) -> None:
    require_reason(reason)
    if state.comebacks:
        raise Refused(GameReason.COMEBACK_TOLD)
    require_phase(state, *NOT_CONFIRMED)


def _elimination_of(state: GameState, seat: SeatNo) -> Elimination:
    for elimination in state.eliminations:
        if elimination.seat == seat:
            return elimination
    raise Refused(GameReason.NOT_ELIMINATED, seat=seat)


class CorrectElimination(RolesDecision, frozen=True, tag="elimination-corrected"):
    """Correct an elimination. If another player has already shown the role, the two swap their roles."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        _require_correctable(state, self.reason)
        elimination = _elimination_of(state, seat_of(state, self.seat).seat)
        if (elimination.by, elimination.cause, elimination.role) == (self.by, self.cause, self.role):
            raise Refused(GameReason.NOTHING_CORRECTED)
        _check_author(state, self, elimination)
        _check_role(state, self, elimination, edition)
        reason, draft = self.reason.strip(), Draft(state)
        other = mixed_up_with(state, self.seat, self.role, edition)
        if other is not None:
            draft = draft.then(
                CorrectElimination(other.seat, other.by, other.cause, elimination.role, reason)
            )
        return _find_ending_again(draft.then(replace(self, reason=reason)), edition).events

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        if all(elimination.seat != self.seat for elimination in state.eliminations):
            raise BadData("game log", f"seat {self.seat} is not eliminated and cannot be corrected")
        eliminations = tuple(
            replace(out, by=self.by, cause=self.cause, role=self.role) if out.seat == self.seat else out
            for out in state.eliminations
        )
        corrected = with_seat(state, replace(seat, role=self.role))
        return _hide_declared_roles(replace(corrected, eliminations=eliminations))


def mixed_up_with(state: GameState, seat: SeatNo, role: Role, edition: Edition) -> Elimination | None:
    """Return the elimination of another player who showed this role, if only one card has it."""
    if role_counts(len(state.seats), edition).count(role) != 1:
        return None
    return next((e for e in state.eliminations if e.role is role and e.seat != seat), None)


class CorrectOrder(RolesDecision, frozen=True, tag="order-corrected"):
    """Correct the order of all eliminations, first to last."""

    seats: tuple[SeatNo, ...]
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        _require_correctable(state, self.reason)
        now = tuple(elimination.seat for elimination in state.eliminations)
        if sorted(self.seats) != sorted(now):
            raise Refused(GameReason.ORDER_OF_ALL)
        if self.seats == now:
            raise Refused(GameReason.NOTHING_CORRECTED)
        require_no_question(state)
        if state.revolutions:
            raise Refused(GameReason.REVOLUTION_TOLD)
        draft = Draft(state).then(replace(self, reason=self.reason.strip()))
        for number, elimination in enumerate(draft.state.eliminations):
            earlier = draft.state.eliminations[:number]
            if any(e.seat == elimination.by and e.effect != elimination.effect for e in earlier):
                raise Refused(GameReason.BY_SOMEBODY_OUT, by=elimination.by)
        return _find_ending_again(draft, edition).events

    def apply(self, state: GameState) -> GameState:
        return _reorder(state, self.seats)


class RestorePlayer(RolesDecision, frozen=True, tag="player-restored"):
    """Remove an elimination that never happened, and any ending that it caused."""

    seat: SeatNo
    life: int
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        _require_correctable(state, self.reason)
        seat = seat_of(state, self.seat)
        elimination = _elimination_of(state, seat.seat)
        if not 1 <= self.life <= seat.max_life:
            raise Refused(GameReason.LIFE_RANGE, seat=seat.seat, maximum=seat.max_life)
        if role_counts(len(state.seats), edition).rebel and elimination.role in {Role.REBEL, Role.SHERIFF}:
            raise Refused(GameReason.REVOLUTION_TOLD)
        return _find_ending_again(
            Draft(state).then(replace(self, reason=self.reason.strip())), edition
        ).events

    def apply(self, state: GameState) -> GameState:
        index = next((n for n, e in enumerate(state.eliminations) if e.seat == self.seat), None)
        if index is None:
            raise BadData("game log", f"seat {self.seat} is not eliminated and cannot be restored")
        kept = (*state.eliminations[:index], *state.eliminations[index + 1 :])
        known = Role.SHERIFF if self.seat == SHERIFF_SEAT else None
        seat = replace(recorded_seat(state, self.seat), in_play=True, life=self.life, role=known)
        left = tuple(
            replace(gone, after_eliminations=gone.after_eliminations - (gone.after_eliminations > index))
            for gone in state.abandonments
        )
        made = tuple(replace(one, after=one.after - (one.after > index)) for one in state.revolutions)
        restored = replace(
            with_seat(state, seat),
            revolutions=made,
            eliminations=kept,
            abandonments=left,
            doubtful_from=state.doubtful_from - (state.doubtful_from > index),
        )
        return _hide_declared_roles(_reorder(restored, tuple(elimination.seat for elimination in kept)))


def _check_author(state: GameState, command: CorrectElimination, elimination: Elimination) -> None:
    check_cause(state, command.seat, command.by, command.cause)
    before = state.eliminations[: state.eliminations.index(elimination)]
    by = command.by
    if by is not None and any(
        earlier.seat == by and earlier.effect != elimination.effect for earlier in before
    ):
        raise Refused(GameReason.BY_SOMEBODY_OUT, by=by)


def _check_role(
    state: GameState, command: CorrectElimination, elimination: Elimination, edition: Edition
) -> None:
    counts = role_counts(len(state.seats), edition)
    if counts.rebel and (Role.REBEL in {elimination.role, command.role} or elimination.role is Role.SHERIFF):
        raise Refused(GameReason.REVOLUTION_TOLD)
    if command.role is elimination.role:
        return
    if command.seat == SHERIFF_SEAT:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=command.seat)
    if command.role is Role.SHERIFF:
        raise Refused(GameReason.ROLE_NOT_SHERIFF, seat=command.seat)
    left = roles_left(counts, (e.role for e in state.eliminations if e.seat != command.seat))
    if left[command.role] < 1 and mixed_up_with(state, command.seat, command.role, edition) is None:
        raise Refused(GameReason.ROLE_USED_UP, role=command.role)


def _find_ending_again(draft: Draft, edition: Edition) -> Draft:
    state = draft.state
    if state.pending or state.revolution_question is not None:
        return draft
    if state.doubtful:
        # First settle whether somebody was eliminated in a passed turn, as at the table.
        judged = complete_effect(draft, edition)
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


def _reorder(state: GameState, seats: tuple[SeatNo, ...]) -> GameState:
    """Return the state with its eliminations in another order; victims of one card stay together."""
    by_seat = {elimination.seat: elimination for elimination in state.eliminations}
    if sorted(by_seat) != sorted(seats):
        raise BadData("game log", f"the order {seats} does not name the seats that are eliminated")
    ordered = list[Elimination]()
    effect, before = 0, None
    for seat in seats:
        effect += by_seat[seat].effect != before
        before = by_seat[seat].effect
        ordered.append(replace(by_seat[seat], effect=effect))
    # A card with open questions about other victims is not complete.
    effect -= before is not None and before > state.effects
    return _hide_declared_roles(replace(state, eliminations=tuple(ordered), effects=effect))


def _hide_declared_roles(state: GameState) -> GameState:
    if state.phase is not Phase.SHEET:
        return state
    public = {elimination.seat for elimination in state.eliminations} | {SHERIFF_SEAT, state.rebel}
    seats = tuple(seat if seat.seat in public else replace(seat, role=None) for seat in state.seats)
    return replace(state, phase=Phase.ENDED, seats=seats)


CorrectionCommand = (
    CorrectLife
    | CorrectElimination
    | CorrectTurns
    | CorrectReshuffles
    | CorrectTurn
    | CorrectOrder
    | RestorePlayer
)
