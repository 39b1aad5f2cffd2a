"""Eliminations, and the endings that they cause."""

from itertools import takewhile

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.game.ending.endings import GameEnded, GameResumed, ending_met
from core.game.ending.rebel import has_turns, plays_with_rebel
from core.game.play.effects import after_sheriffs_fall, complete_effect, require_turn_order
from core.game.play.turns import HighNoonBegan, Skip, TurnSkipped
from core.game.state.decisions import Draft, Event, RolesCommand
from core.game.state.game import BY_PLAYERS, Because, Cause, Elimination, GameState, HighNoon, Phase, Seat
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
    seats_after,
    with_seat,
)
from core.terms import SHERIFF_SEAT, Role, SeatNo

_BY_ELIMINATION = {Because.NO_OUTLAW_OR_RENEGADE_LEFT, Because.SHERIFF_OUT, Because.RENEGADE_LAST}


class PlayerEliminated(Event, frozen=True, tag="player-eliminated", omit_defaults=True):
    """A player was eliminated and showed their role.

    is_earlier: it was entered late, so ``effect`` and all later effect numbers go up by one.
    same_card: the previous elimination was by the same card; missing in older logs.
    """

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause
    turn: SeatNo
    effect: int
    is_earlier: bool = False
    same_card: bool = False

    def apply(self, state: GameState) -> GameState:
        seat = replace(recorded_seat(state, self.seat), in_play=False, life=0, role=self.role)
        elimination = Elimination(self.seat, self.by, self.turn, self.effect, self.cause, self.role)
        out = _inserted(with_seat(state, seat), elimination, self._place(state))
        if state.high_noon_question and self.seat not in state.pending:
            # Dynamite of a player who left, before High Noon's question: that card is complete.
            out = replace(out, effects=self.effect)
        doubtful = tuple(other for other in state.doubtful if other != self.seat)
        # An elimination entered late is not the newest one.
        last_out_turn = state.last_out_turn if self.is_earlier else state.turns
        return close_question(replace(out, doubtful=doubtful, last_out_turn=last_out_turn), self.seat)

    def _place(self, state: GameState) -> int | None:
        """Return the index at which to insert an elimination that was entered late, or None."""
        if self.is_earlier:
            later = (n for n, out in enumerate(state.eliminations) if out.effect >= self.effect)
            return next(later, len(state.eliminations))
        is_passed = self.seat in state.doubtful and self.cause is Cause.HIGH_NOON
        since = state.eliminations[state.doubtful_from :]
        if is_passed and all(self.effect <= out.effect for out in since):
            return state.doubtful_from
        return None


def _inserted(state: GameState, elimination: Elimination, index: int | None) -> GameState:
    """Return the state with an elimination inserted at an index, or added at the end."""
    if index is None:
        return _appended(state, elimination)
    before, since = state.eliminations[:index], state.eliminations[index:]
    later = (replace(out, effect=out.effect + 1) for out in since)
    return replace(
        _move_events(state, index),
        eliminations=(*before, elimination, *later),
        effects=state.effects + 1,
        doubtful_from=state.doubtful_from + (index <= state.doubtful_from),
        abandonments=tuple(
            replace(left, after_eliminations=left.after_eliminations + (left.after_eliminations > index))
            for left in state.abandonments
        ),
    )


def _appended(state: GameState, elimination: Elimination) -> GameState:
    """Return the state with one more elimination, which precedes what its card has already caused."""
    count = len(state.eliminations)
    if count and state.eliminations[-1].effect == elimination.effect:
        state = _move_events(state, count - 1)
    return replace(state, eliminations=(*state.eliminations, elimination))


def _move_events(state: GameState, index: int) -> GameState:
    """Return the state with one more elimination counted before all later Revolutions and returns."""
    return replace(
        state,
        comebacks=tuple(replace(back, after=back.after + (back.after > index)) for back in state.comebacks),
        revolutions=tuple(replace(one, after=one.after + (one.after > index)) for one in state.revolutions),
    )


class Eliminate(RolesCommand, frozen=True):
    """Eliminate a player, whatever life points were recorded, with the cause and the role shown.

    same_card: whether the card of the last elimination did it, even if that one has ended the game. None if
        the table wasn't asked; then it was the same card if the player's last life point is in question.
    Source: base game; several deaths by one card: reading D07.
    """

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause
    same_card: bool | None = None

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        is_joined = self.same_card is True and may_be_same_card(state, self)
        require_phase(state, Phase.PLAYING, *((Phase.ENDED,) if is_joined else ()))
        seat = seat_in_play(state, self.seat)
        if self.same_card and not is_joined:
            raise Refused(GameReason.NOT_SAME_CARD)
        _require_askable(state, self, seat)
        require_turn_order(state, seat.seat)
        _check_killer(state, self, edition)
        check_role_shown(state, self.seat, self.role, edition)
        assert state.turn is not None  # set when the game begins
        if state.is_turn_unknown and _may_revolt(state, self, edition):
            raise Refused(GameReason.TURN_UNKNOWN)
        effect, is_earlier = _effect(state, self, edition)
        eliminated = PlayerEliminated(
            seat=self.seat,
            by=self.by,
            role=self.role,
            cause=self.cause,
            turn=_turn_of(state, self, state.turn),
            effect=effect,
            is_earlier=is_earlier,
            same_card=_is_one_card(state, self, effect) and not is_earlier,
        )
        draft = Draft(state)
        if self.cause is Cause.HIGH_NOON and state.high_noon is not HighNoon.ON:
            draft = draft.then(HighNoonBegan(self.seat))
        draft = draft.then(eliminated)
        if is_earlier:
            number = next(n for n, out in enumerate(draft.state.eliminations, 1) if out.effect == effect)
            _check_order(draft.state, number, self.seat, edition)
        elif self.cause is Cause.HIGH_NOON and self.seat in state.doubtful:
            _check_order(draft.state, state.doubtful_from + 1, self.seat, edition)
        if self.cause is Cause.DYNAMITE and self.seat == state.turn and not seat.passive:
            # Dynamite explodes before the player draws, so that turn does not count as played (D31).
            draft = draft.then(TurnSkipped(self.seat, Skip.DYNAMITE))
        if state.phase is Phase.ENDED:
            return _end_again(draft, edition).events
        return complete_effect(draft, edition).events


def _is_one_card(state: GameState, command: Eliminate, effect: int) -> bool:
    card = (effect, command.by, Cause.PLAYER)
    last = state.eliminations[-1] if state.eliminations else None
    return last is not None and command.cause is Cause.PLAYER and (last.effect, last.by, last.cause) == card


def _turn_of(state: GameState, command: Eliminate, turn: SeatNo) -> SeatNo:
    if command.same_card:
        return state.eliminations[-1].turn
    # High Noon takes a point in the player's own turn, which may have been passed.
    return command.seat if command.cause is Cause.HIGH_NOON else turn


def _end_again(draft: Draft, edition: Edition) -> Draft:
    """End the game again or make a Revolution, after one more victim of the last card."""
    revolted = after_sheriffs_fall(draft.then(GameResumed()), edition)
    if revolted is not None:
        return revolted
    met = ending_met(draft.state, edition)
    if met is None or met.after < len(draft.state.eliminations):
        # By this edition's reading the game had already ended.
        raise Refused(GameReason.ENDED)
    if (met.ending, met.because) == (draft.state.ending, draft.state.because):
        return draft
    return draft.then(GameEnded(met.ending, met.because))


def _require_askable(state: GameState, command: Eliminate, seat: Seat) -> None:
    if seat.seat in state.pending or seat.seat in state.doubtful:
        return
    if state.high_noon_question and not _exploded_before_turn(state, command, seat):
        require_no_question(state)
    if state.doubtful or (state.revolution_question is not None and not command.same_card):
        require_no_question(state)


def _exploded_before_turn(state: GameState, command: Eliminate, seat: Seat) -> bool:
    """Return whether Dynamite killed a player who has left, in a skipped turn before the current one."""
    if command.cause is not Cause.DYNAMITE or not seat.passive or state.turn is None:
        return False
    playing = state.turn - 1
    before = (*reversed(state.seats[:playing]), *reversed(state.seats[playing + 1 :]))
    return any(other is seat for other in takewhile(lambda one: one.passive or not one.in_play, before))


def last_card(state: GameState) -> tuple[Elimination, ...]:
    effect = state.eliminations[-1].effect if state.eliminations else 0
    return tuple(out for out in state.eliminations if out.effect == effect)


def may_be_same_card(state: GameState, command: Eliminate) -> bool:
    """Return whether the card that caused the last elimination may have caused this one, too."""
    if command.cause is not Cause.PLAYER or not may_go_on(state) or state.eliminations[-1].by != command.by:
        return False
    return state.phase is not Phase.ENDED or state.because in _BY_ELIMINATION


def may_go_on(state: GameState) -> bool:
    """Return whether the card of the last elimination may hit others: nobody has ended a turn since."""
    if not state.eliminations or state.eliminations[-1].cause is not Cause.PLAYER:
        return False
    begun = state.turns - state.last_out_turn
    if begun == 0 or state.turns == state.revolution_turn:
        return begun <= 1
    owner = state.seats[state.eliminations[-1].turn - 1]
    if owner.in_play and not owner.passive:
        return False
    # Turns of players who were eliminated or left end automatically.
    later = tuple(seat for seat in seats_after(state, owner.seat) if has_turns(state, seat.seat))
    passed = len(tuple(takewhile(lambda seat: seat.passive, later)))
    return passed < len(later) and (later[passed].seat, passed + 1) == (state.turn, begun)


def check_role_shown(state: GameState, seat: SeatNo, role: Role, edition: Edition) -> None:
    """Raise Refused unless a seat can have this role, given the roles already shown."""
    if seat == SHERIFF_SEAT and role is not Role.SHERIFF:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=seat)
    if seat != SHERIFF_SEAT and role is Role.SHERIFF:
        raise Refused(GameReason.ROLE_NOT_SHERIFF, seat=seat)
    known = {elimination.seat: elimination.role for elimination in state.eliminations}
    if state.rebel is not None:
        known[state.rebel] = Role.REBEL
    public = known.pop(seat, role)
    if public is not role:
        raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat, shown=public, declared=role)
    left = roles_left(role_counts(len(state.seats), edition), known.values())
    if left[role] < 1:
        raise Refused(GameReason.ROLE_USED_UP, role=role)


def _effect(state: GameState, command: Eliminate, edition: Edition) -> tuple[int, bool]:
    """Return the number of the effect that caused an elimination, and whether it was entered too late.

    If a turn was passed, High Noon took its life point before everything that was entered afterwards. If the
    killer has been eliminated, their card was played before the one that eliminated them.
    """
    if command.same_card:
        return state.eliminations[-1].effect, False
    since = state.eliminations[state.doubtful_from :]
    if command.cause is Cause.HIGH_NOON and command.seat in state.doubtful and since:
        return since[0].effect, False
    fall = _killers_fall(state, command.by)
    if fall is not None and not plays_with_rebel(state, edition):
        return fall.effect, True
    newest = state.eliminations[-1].effect if state.eliminations else 0
    if command.same_card is False and newest > state.effects:
        # If the newest card ended the game, this one came before it.
        is_over = ending_met(state, edition) is not None
        return newest + (not is_over), is_over
    return max(state.effects + 1, newest), False


def _killers_fall(state: GameState, by: SeatNo | None) -> Elimination | None:
    if by is None or seat_of(state, by).in_play or by == state.ghost:
        return None
    return next(out for out in reversed(state.eliminations) if out.seat == by)


def _check_order(after: GameState, number: int, seat: SeatNo, edition: Edition) -> None:
    """Raise Refused if an elimination that was entered late makes later ones impossible."""
    since = after.eliminations[number:]
    if any(elimination.by == seat for elimination in since):
        raise Refused(GameReason.WAS_IN_PLAY, seat=seat)
    met = ending_met(after, edition)
    if since and met is not None and met.after < len(after.eliminations):
        raise Refused(GameReason.WOULD_END_EARLIER)


def _may_revolt(state: GameState, command: Eliminate, edition: Edition) -> bool:
    """Return whether an elimination may cause a Revolution, depending on whose turn it is."""
    is_sheriff = command.seat == state.sheriff and command.cause is Cause.PLAYER
    may_be_back = not state.revolutions or bool(state.comebacks)
    return is_sheriff and may_be_back and plays_with_rebel(state, edition)


def check_cause(
    state: GameState, seat: SeatNo, by: SeatNo | None, cause: Cause, *, is_near: bool = False
) -> None:
    """Raise Refused if the cause of an elimination is impossible or doesn't fit the killer.

    is_near: High Noon may have begun unnoticed.
    """
    if cause is Cause.HIGH_NOON and state.high_noon is not HighNoon.ON and not is_near:
        raise Refused(GameReason.NOT_HIGH_NOON, seat=seat)
    if cause not in BY_PLAYERS:
        if by is not None:
            raise Refused(GameReason.BY_NOBODY)
        return
    if by is None:
        if cause is Cause.OWN_DUEL:  # older logs lack the other duellist
            return
        raise Refused(GameReason.BY_WHOM, seat=seat)
    if seat_of(state, by).seat == seat:
        raise Refused(GameReason.BY_ONESELF, seat=seat)


def _check_killer(state: GameState, command: Eliminate, edition: Edition) -> None:
    if state.high_noon_question and command.seat in state.pending and command.cause is not Cause.HIGH_NOON:
        raise Refused(GameReason.HIGH_NOON_TOOK_IT, seat=command.seat)
    is_near = state.high_noon is not HighNoon.OFF
    check_cause(state, command.seat, command.by, command.cause, is_near=is_near)
    if command.by is None:
        return
    killer = seat_of(state, command.by)
    # The player may have left after playing the card: reading D51.
    was_here = command.same_card is True or (command.seat, command.by) in state.hits_by_leavers
    if killer.passive and not was_here:
        raise Refused(GameReason.KILLER_LEFT, by=command.by)
    fall = _killers_fall(state, command.by)
    # Revolutions and returns depend on the order of cards, so only the same effect is allowed.
    is_one_effect = fall is not None and fall.effect > state.effects and command.same_card is not False
    is_ordered = fall is not None and not is_one_effect and plays_with_rebel(state, edition)
    # A victim who has left was still in play after the killer's last card.
    if is_ordered or (fall is not None and state.seats[command.seat - 1].passive):
        raise Refused(GameReason.BY_SOMEBODY_OUT, by=command.by)
