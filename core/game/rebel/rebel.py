"""The Rebel! at a table: revealing the role, and the Revolution."""

from base.errors import Refused
from core.editions.edition import Edition
from core.game.commands import AnswerRevolution, RevealRebel
from core.game.ending.endings import ending_met
from core.game.events import GameEnded, GameEvent
from core.game.play.turns import pass_turns, turn_start
from core.game.rebel.comebacks import plays_with_rebel
from core.game.rebel.rebel_events import RebelRevealed, RevolutionAsked, RevolutionMade
from core.game.rebel.revolution import current_rebel, is_revolt
from core.game.state.decisions import Draft
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_no_question, require_phase, seat_in_play
from core.terms import Role, SeatNo


def reveal_rebel(state: GameState, command: RevealRebel, edition: Edition) -> tuple[GameEvent, ...]:
    """Reveal the Rebel! at the end of the first phase of that player's turn. Raises Refused.

    It is the only role that may be shown while in play, and the player need not do it.
    Source: The Rebel!, Showing up the role.
    """
    require_phase(state, Phase.PLAYING)
    if not plays_with_rebel(state, edition):
        raise Refused(GameReason.NO_REBEL)
    require_no_question(state)
    seat = seat_in_play(state, command.seat)
    known = current_rebel(state)
    if known is not None:
        raise Refused(GameReason.REBEL_KNOWN, seat=known)
    if seat.role is Role.SHERIFF:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=seat.seat)
    if seat.role is not None:
        raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat.seat, shown=seat.role, declared=Role.REBEL)
    if seat.seat != state.turn:
        raise Refused(GameReason.NOT_ITS_TURN, seat=seat.seat)
    return (RebelRevealed(seat.seat),)


def answer_revolution(state: GameState, command: AnswerRevolution, edition: Edition) -> tuple[GameEvent, ...]:
    """Record the role shown by the player who eliminated the Sheriff: the Rebel!, or another one.

    The Rebel! starts the Revolution; any other role ends the game. The Rebel! must show their role.
    Raises Refused.
    Source: The Rebel!, Revolution.
    """
    require_phase(state, Phase.PLAYING)
    if state.revolution_question is None or command.seat != state.revolution_question:
        raise Refused(GameReason.NO_REVOLUTION_QUESTION, seat=command.seat)
    draft = Draft(state)
    if command.is_rebel:
        return revolution(draft.then(RebelRevealed(command.seat)), command.seat, edition).events
    return _end_or_continue(draft, edition).events


def after_sheriffs_fall(draft: Draft, edition: Edition) -> Draft | None:
    """Return the draft with the Revolution, or the question about it; None if the card caused neither.

    Called after all answers about the card.
    Source: The Rebel!, Clarifications and particular cases; reading D38.
    """
    state = draft.state
    if state.turn is None or not plays_with_rebel(state, edition) or state.seats[state.sheriff - 1].in_play:
        return None
    fall = next(e for e in reversed(state.eliminations) if e.seat == state.sheriff)
    plays = state.seats[state.turn - 1].in_play or state.ghost == state.turn
    if not plays or not is_revolt(fall, state.turn):
        return None
    known = current_rebel(state)
    if known is None and state.revolution_question == state.turn:
        # Another victim of the card that eliminated the Sheriff: the question is already open.
        return draft
    if known is None:
        # A player who came back has already shown another role.
        is_hidden = state.seats[state.turn - 1].role is None
        return draft.then(RevolutionAsked(state.turn)) if is_hidden else None
    return revolution(draft, known, edition) if known == state.turn else None


def revolution(draft: Draft, seat: SeatNo, edition: Edition) -> Draft:
    """Return the draft with the Rebel! as Sheriff, who starts a new turn unless the Law has won.

    Source: The Rebel!, Revolution.
    """
    made = draft.then(RevolutionMade(seat, edition.characters.sheriff_extra_life))
    return _end_or_continue(made, edition, new_turn=seat)


def _end_or_continue(draft: Draft, edition: Edition, new_turn: SeatNo | None = None) -> Draft:
    state = draft.state
    met = ending_met(state, edition)
    if met is not None:
        return draft.then(GameEnded(met.ending, met.because))
    assert new_turn is not None  # without a Revolution, the Sheriff's elimination ends the game
    return pass_turns(turn_start(draft, new_turn, edition, follows_turn=False), edition)
