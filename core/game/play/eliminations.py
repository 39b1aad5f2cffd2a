"""Eliminations, and the endings that follow from them."""

import msgspec

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.editions.readings import Simultaneous
from saloon.core.game.commands import CorrectElimination, Eliminate, SurviveHighNoon
from saloon.core.game.draft import Draft
from saloon.core.game.ending.endings import ending_met
from saloon.core.game.events import Cause, GameEnded, GameEvent, HighNoonBegan, PlayerEliminated
from saloon.core.game.play.turn_events import HighNoonSurvived, Skip, TurnSkipped
from saloon.core.game.play.turns import pass_turns
from saloon.core.game.reasons import GameReason
from saloon.core.game.rebel.comebacks import plays_with_rebel
from saloon.core.game.rebel.rebel import after_sheriffs_fall
from saloon.core.game.seats import require_no_question, require_phase, seat_in_play, seat_of
from saloon.core.game.setup.role_counts import role_counts, roles_left
from saloon.core.game.setup.roles import SHERIFF_SEAT, Role
from saloon.core.game.state import GameState, HighNoon, Phase
from saloon.core.terms import SeatNo


def eliminate(state: GameState, command: Eliminate, edition: Edition) -> tuple[GameEvent, ...]:
    """Eliminate a seat, whatever life points were entered for it, which shows its role.

    Players who lose their last life point before all questions are answered are eliminated by the same
    effect. After the last answer the ending is judged, and the next turn starts if the player whose turn
    it was is eliminated.
    Raises Refused.
    Source: base game; several deaths by one card: reading D07.
    """
    require_phase(state, Phase.PLAYING)
    seat = seat_in_play(state, command.seat)
    is_asked = seat.seat in state.pending or seat.seat in state.doubtful
    if not is_asked and (state.high_noon_question or state.doubtful or state.revolution_question is not None):
        require_no_question(state)
    _require_turn_order(state, seat.seat)
    _check_killer(state, command)
    check_role_shown(state, command.seat, command.role, edition)
    assert state.turn is not None  # turns begin with the game
    if state.is_turn_unknown and _may_revolt(state, command, edition):
        raise Refused(GameReason.TURN_UNKNOWN)
    eliminated = PlayerEliminated(
        seat=command.seat,
        by=command.by,
        role=command.role,
        cause=command.cause,
        # High Noon takes a point in the player's own turn, which may have been passed.
        turn=command.seat if command.cause is Cause.HIGH_NOON else state.turn,
        effect=_effect(state, command),
    )
    draft = _begin_high_noon(state, command).then(eliminated)
    if command.cause is Cause.HIGH_NOON and command.seat in state.doubtful:
        _check_order(draft.state, state.doubtful_from + 1, command.seat, edition)
    if command.cause is Cause.DYNAMITE and command.seat == state.turn and not seat.passive:
        # Dynamite explodes before its player draws: that turn was not played (D31).
        draft = draft.then(TurnSkipped(command.seat, Skip.DYNAMITE))
    return effect_completed(draft, edition).events


def _begin_high_noon(state: GameState, command: Eliminate) -> Draft:
    """Return the draft in which High Noon is on if it eliminates: its reshuffle may be entered too late."""
    is_late = command.cause is Cause.HIGH_NOON and state.high_noon is not HighNoon.ON
    return Draft(state).then(HighNoonBegan(command.seat)) if is_late else Draft(state)


def survive_high_noon(state: GameState, command: SurviveHighNoon, edition: Edition) -> tuple[GameEvent, ...]:
    """Answer that a player is still in play after a turn at High Noon that was passed.

    After the last such answer the ending is judged: somebody else may have been eliminated meanwhile.
    Raises Refused.
    """
    require_phase(state, Phase.PLAYING)
    if command.seat not in state.doubtful:
        raise Refused(GameReason.NO_QUESTION, seat=command.seat)
    _require_turn_order(state, command.seat)
    return effect_completed(Draft(state).then(HighNoonSurvived(command.seat)), edition).events


def _require_turn_order(state: GameState, seat: SeatNo) -> None:
    """Raise Refused for a seat in doubt while an earlier turn is: that may have ended the game."""
    if seat in state.doubtful and seat != state.doubtful[0]:
        raise Refused(GameReason.STILL_IN_PLAY, seat=state.doubtful[0])


def check_role_shown(state: GameState, seat: SeatNo, role: Role, edition: Edition) -> None:
    """Raise Refused unless a seat can show this role, given the roles already shown."""
    if seat == SHERIFF_SEAT and role is not Role.SHERIFF:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=seat)
    if seat != SHERIFF_SEAT and role is Role.SHERIFF:
        raise Refused(GameReason.ROLE_NOT_SHERIFF, seat=seat)
    known = {elimination.seat: elimination.role for elimination in state.eliminations}
    if state.rebel is not None:
        known[state.rebel] = Role.REBEL
    shown = known.pop(seat, role)
    if shown is not role:
        raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat, shown=shown, declared=role)
    left = roles_left(role_counts(len(state.seats), edition), known.values())
    if left[role] < 1:
        raise Refused(GameReason.ROLE_USED_UP, role=role)


def effect_completed(draft: Draft, edition: Edition) -> Draft:
    """Return the draft with the consequences of an answer: the ending, or the next turn.

    While other questions of the same effect are open nothing follows, unless the edition judges
    eliminations one by one; the Rebel! waits for the end of the effect in any case.
    """
    state = draft.state
    earlier = msgspec.structs.replace(state, eliminations=state.eliminations[: state.doubtful_from])
    met = ending_met(earlier, edition) if state.pending or state.doubtful else None
    if met is not None:
        # Somebody fell in a turn that was passed: what is still asked about never happened.
        return draft.then(GameEnded(met.ending, met.because))
    if state.doubtful:
        return draft
    one_by_one = edition.readings.simultaneous is Simultaneous.ELIMINATION_ORDER
    if state.pending and (not one_by_one or plays_with_rebel(state, edition)):
        return draft
    revolted = after_sheriffs_fall(draft, edition)
    if revolted is not None:
        return revolted
    met = ending_met(state, edition)
    if met is not None:
        return draft.then(GameEnded(met.ending, met.because))
    return pass_turns(draft, edition)


def _effect(state: GameState, command: Eliminate) -> int:
    """Return the number of the card, or turn start, that caused an elimination.

    In a turn that was passed, High Noon took its point before all that was entered since.
    """
    since = state.eliminations[state.doubtful_from :]
    is_earlier = command.cause is Cause.HIGH_NOON and command.seat in state.doubtful and bool(since)
    return since[0].effect if is_earlier else state.effects + 1


def _check_order(after: GameState, number: int, seat: SeatNo, edition: Edition) -> None:
    """Raise Refused where the elimination of this number, in a passed turn, makes later ones impossible."""
    since = after.eliminations[number:]
    if any(elimination.by == seat for elimination in since):
        raise Refused(GameReason.WAS_IN_PLAY, seat=seat)
    met = ending_met(after, edition)
    if since and met is not None and met.after < len(after.eliminations):
        raise Refused(GameReason.WOULD_END_EARLIER)


def _may_revolt(state: GameState, command: Eliminate, edition: Edition) -> bool:
    """Return whether an elimination is a Revolution in one turn and an ending in another."""
    is_sheriff = command.seat == state.sheriff and command.cause is Cause.PLAYER
    may_be_back = not state.revolutions or bool(state.comebacks)
    return is_sheriff and may_be_back and plays_with_rebel(state, edition)


def check_cause(state: GameState, command: Eliminate | CorrectElimination) -> None:
    """Raise Refused where a cause does not fit the game, or lacks a killer, or has one."""
    is_near = isinstance(command, Eliminate) and state.high_noon is not HighNoon.OFF
    if command.cause is Cause.HIGH_NOON and state.high_noon is not HighNoon.ON and not is_near:
        raise Refused(GameReason.NOT_HIGH_NOON, seat=command.seat)
    if command.cause is not Cause.PLAYER:
        if command.by is not None:
            raise Refused(GameReason.BY_NOBODY)
        return
    if command.by is None:
        raise Refused(GameReason.BY_WHOM, seat=command.seat)
    if seat_of(state, command.by).seat == command.seat:
        raise Refused(GameReason.BY_ONESELF, seat=command.seat)


def _check_killer(state: GameState, command: Eliminate) -> None:
    if state.high_noon_question and command.cause is not Cause.HIGH_NOON:
        raise Refused(GameReason.HIGH_NOON_TOOK_IT, seat=command.seat)
    check_cause(state, command)
    if command.by is None:
        return
    same_effect = {e.seat for e in state.eliminations if e.effect == state.effects + 1}
    plays = seat_of(state, command.by).in_play or command.by == state.ghost
    if not plays and command.by not in same_effect:
        raise Refused(GameReason.BY_SOMEBODY_OUT, by=command.by)
