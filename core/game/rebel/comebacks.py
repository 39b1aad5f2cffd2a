"""Players who return by an event card in a game with the Rebel!: Ghost Town and the Dead Man."""

from typing import ClassVar, Final

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.state.decisions import Decision, Draft, Event
from core.game.state.game import Comeback, EventCard, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts
from core.game.state.seat_updates import recorded_seat, with_seat
from core.game.state.seats import require_no_question, require_phase
from core.terms import Role, SeatNo

DEAD_MANS_LIFE: Final = 2
"""Life points of a player who returns by the Dead Man, from the card; no document mentions it."""


_replace = msgspec.structs.replace


class ShowEventCard(Decision, frozen=True, tag="event-card-shown"):
    """Record an event card that returns eliminated players until the Sheriff's next turn; None for others."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    card: EventCard | None

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Record the event card in effect until the Sheriff's next turn. Raises Refused.

        Source: The Rebel!, Clarifications and particular cases.
        """
        require_phase(state, Phase.PLAYING)
        if not plays_with_rebel(state, edition):
            raise Refused(GameReason.NO_REBEL)
        require_no_question(state)
        if self.card is state.event_card:
            raise Refused(GameReason.EVENT_CARD_ALREADY)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return _replace(state, event_card=self.card)


class PlayerCameBack(Event, frozen=True, tag="player-came-back"):
    """An eliminated player's turn starts because of an event card. ``life`` is 0 for a ghost."""

    seat: SeatNo
    card: EventCard
    life: int

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        is_ghost = self.card is EventCard.GHOST_TOWN
        back = _replace(seat, life=self.life, in_play=not is_ghost)
        return _replace(
            with_seat(state, back),
            comebacks=(*state.comebacks, Comeback(self.seat, len(state.eliminations), self.card)),
            ghost=self.seat if is_ghost else None,
            rebel=self.seat if seat.role is Role.REBEL else state.rebel,
        )


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
