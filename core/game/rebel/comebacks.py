"""Players who return by an event card in a game with the Rebel!: Ghost Town and the Dead Man."""

from typing import Final

from base.errors import Refused
from core.editions.edition import Edition
from core.game.commands import ShowEventCard
from core.game.events import GameEvent
from core.game.rebel.rebel_events import EventCardShown, PlayerCameBack
from core.game.state.decisions import Draft
from core.game.state.game import EventCard, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts
from core.game.state.seats import require_no_question, require_phase
from core.terms import SeatNo

DEAD_MANS_LIFE: Final = 2
"""Life points of a player who returns by the Dead Man, from the card; no document mentions it."""


def show_event_card(state: GameState, command: ShowEventCard, edition: Edition) -> tuple[GameEvent, ...]:
    """Record the event card in effect until the Sheriff's next turn. Raises Refused.

    Source: The Rebel!, Clarifications and particular cases.
    """
    require_phase(state, Phase.PLAYING)
    if not plays_with_rebel(state, edition):
        raise Refused(GameReason.NO_REBEL)
    require_no_question(state)
    if command.card is state.event_card:
        raise Refused(GameReason.EVENT_CARD_ALREADY)
    return (EventCardShown(command.card),)


def plays_with_rebel(state: GameState, edition: Edition) -> bool:
    """Return whether a Rebel! was dealt at this table."""
    return role_counts(len(state.seats), edition).rebel > 0


def has_turns(state: GameState, number: SeatNo) -> bool:
    """Return whether a seat has turns: it is in play, or the event card brings it back."""
    seat = state.seats[number - 1]
    if seat.in_play or seat.passive:
        return seat.in_play
    match state.event_card:
        case EventCard.GHOST_TOWN:
            return True
        case EventCard.DEAD_MAN:
            # A player who came back and was eliminated again does not return twice.
            backs = (back.seat for back in state.comebacks if back.card is EventCard.DEAD_MAN)
            return number == state.eliminations[0].seat and number not in backs
        case None:
            return False


def come_back(draft: Draft, number: SeatNo) -> Draft:
    """Return the draft with the return of an eliminated player whose turn starts; unchanged for others.

    Source: The Rebel!, Clarifications and particular cases.
    """
    state = draft.state
    seat = state.seats[number - 1]
    if seat.in_play or number == state.ghost or not has_turns(state, number):
        return draft
    assert state.event_card is not None  # otherwise eliminated players have no turns
    life = 0 if state.event_card is EventCard.GHOST_TOWN else min(DEAD_MANS_LIFE, seat.max_life)
    return draft.then(PlayerCameBack(number, state.event_card, life))
