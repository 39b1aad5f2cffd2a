"""The consequences of a card, or of the start of a turn: a Revolution, the ending, or the next turn.

An *effect* is a card, or the start of a turn, that takes life points. It is complete once the table has said,
for each player without life points, whether they were saved.
"""

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import Simultaneous
from core.game.ending.endings import GameEnded, ending_met
from core.game.ending.rebel import (
    RevealRebel,
    RevolutionAsked,
    RevolutionMade,
    current_rebel,
    is_revolt,
    plays_with_rebel,
)
from core.game.play.turns import pass_turns, start_turn
from core.game.state.decisions import Draft, Event, RolesCommand, RolesDecision
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import forget_passed_turns, require_phase
from core.terms import SeatNo


def complete_effect(draft: Draft, edition: Edition) -> Draft:
    """Add everything that follows from an effect, if it is complete: a Revolution, the ending, or turns.

    Some editions judge eliminations one by one, so that the game may end before that.
    """
    state = draft.state
    before = state.eliminations[: state.doubtful_from]
    if not state.doubtful:
        before = tuple(out for out in state.eliminations if out.effect <= state.effects)
    earlier = replace(state, eliminations=before)
    met = ending_met(earlier, edition) if state.pending or state.doubtful else None
    if met is not None:
        # An elimination in a passed turn or by an earlier card has ended the game before the open question.
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


class SurviveHighNoon(RolesDecision, frozen=True, tag="high-noon-survived"):
    """Answer that a player survived High Noon in a turn whose end was not entered."""

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        if self.seat not in state.doubtful:
            raise Refused(GameReason.NO_QUESTION, seat=self.seat)
        require_turn_order(state, self.seat)
        return complete_effect(Draft(state).then(self), edition).events

    def apply(self, state: GameState) -> GameState:
        doubtful = tuple(other for other in state.doubtful if other != self.seat)
        return forget_passed_turns(replace(state, doubtful=doubtful))


def require_turn_order(state: GameState, seat: SeatNo) -> None:
    """Raise Refused if the table must first answer for another player, whose turn was earlier."""
    if seat in state.doubtful and seat != state.doubtful[0]:
        raise Refused(GameReason.STILL_IN_PLAY, seat=state.doubtful[0])


def after_sheriffs_fall(draft: Draft, edition: Edition) -> Draft | None:
    """Make a Revolution or ask about one, or return None if a card caused neither.

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
    return make_revolution(draft, known, edition) if known == state.turn else None


class AnswerRevolution(RolesCommand, frozen=True):
    """Answer whether the player who eliminated the Sheriff is the Rebel!. If not, the game ends.

    Source: The Rebel!, Revolution.
    """

    seat: SeatNo
    is_rebel: bool

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        if state.revolution_question is None or self.seat != state.revolution_question:
            raise Refused(GameReason.NO_REVOLUTION_QUESTION, seat=self.seat)
        draft = Draft(state)
        if self.is_rebel:
            return make_revolution(draft.then(RevealRebel(self.seat)), self.seat, edition).events
        return _end_or_continue(draft, edition).events


def make_revolution(draft: Draft, seat: SeatNo, edition: Edition) -> Draft:
    """Make the Rebel! the Sheriff, who starts a new turn unless the game has ended.

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
    return pass_turns(start_turn(draft, new_turn, edition, follows_turn=False), edition)
