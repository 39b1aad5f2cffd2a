"""The Rebel!: Revolutions, and players who return by an event card (Ghost Town, Dead Man).

In a *Revolution* the Rebel! eliminates the Sheriff and becomes Sheriff.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.game.state.decisions import Draft, Event, RolesDecision
from core.game.state.game import (
    Because,
    Cause,
    Comeback,
    Elimination,
    EventCard,
    GameState,
    Phase,
    Revolution,
)
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    recorded_seat,
    require_no_question,
    require_phase,
    role_counts,
    seat_in_play,
    with_seat,
)
from core.terms import SHERIFF_SEAT, Role, SeatNo

DEAD_MANS_LIFE: Final = 2
"""Life points of a player who returns by the Dead Man, as printed on the card."""


class ShowEventCard(RolesDecision, frozen=True, tag="event-card-shown"):
    """Record that an event card takes effect, until the Sheriff's next turn.

    card: None for a card that brings nobody back.

    Source: The Rebel!, Clarifications and particular cases.
    """

    card: EventCard | None

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        if not plays_with_rebel(state, edition):
            raise Refused(GameReason.NO_REBEL)
        require_no_question(state)
        if self.card is state.event_card:
            raise Refused(GameReason.EVENT_CARD_ALREADY)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return replace(state, event_card=self.card)


class PlayerCameBack(Event, frozen=True, tag="player-came-back"):
    """An event card brought an eliminated player back, whose turn starts. ``life`` is 0 for a ghost."""

    seat: SeatNo
    card: EventCard
    life: int

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        is_ghost = self.card is EventCard.GHOST_TOWN
        back = replace(seat, life=self.life, in_play=not is_ghost)
        return replace(
            with_seat(state, back),
            comebacks=(*state.comebacks, Comeback(self.seat, len(state.eliminations), self.card)),
            ghost=self.seat if is_ghost else None,
            rebel=self.seat if seat.role is Role.REBEL else state.rebel,
        )


def plays_with_rebel(state: GameState, edition: Edition) -> bool:
    return role_counts(len(state.seats), edition).rebel > 0


def has_turns(state: GameState, number: SeatNo) -> bool:
    """Return whether a player is in play, or will be brought back by the event card."""
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
    """Bring back an eliminated player whose turn starts, if the event card says so.

    Source: The Rebel!, Clarifications and particular cases.
    """
    state = draft.state
    seat = state.seats[number - 1]
    if seat.in_play or number == state.ghost or not has_turns(state, number):
        return draft
    assert state.event_card is not None  # otherwise eliminated players have no turns
    life = 0 if state.event_card is EventCard.GHOST_TOWN else min(DEAD_MANS_LIFE, seat.max_life)
    return draft.then(PlayerCameBack(number, state.event_card, life))


class RevealRebel(RolesDecision, frozen=True, tag="rebel-revealed"):
    """Reveal that the current player is the Rebel!, the only role that may be shown before elimination.

    Source: The Rebel!, Showing up the role.
    """

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        if not plays_with_rebel(state, edition):
            raise Refused(GameReason.NO_REBEL)
        require_no_question(state)
        seat = seat_in_play(state, self.seat)
        known = current_rebel(state)
        if known is not None:
            raise Refused(GameReason.REBEL_KNOWN, seat=known)
        if seat.role is Role.SHERIFF:
            raise Refused(GameReason.ROLE_OF_SHERIFF, seat=seat.seat)
        if seat.role is not None:
            raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat.seat, shown=seat.role, declared=Role.REBEL)
        if seat.seat != state.turn:
            raise Refused(GameReason.NOT_ITS_TURN, seat=seat.seat)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        rebel = replace(recorded_seat(state, self.seat), role=Role.REBEL)
        return replace(with_seat(state, rebel), rebel=self.seat)


class RevolutionAsked(Event, frozen=True, tag="revolution-asked"):
    """The player who eliminated the Sheriff was asked to show whether they are the Rebel!."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        return replace(state, revolution_question=recorded_seat(state, self.seat).seat)


class RevolutionMade(Event, frozen=True, tag="revolution-made"):
    """The Rebel! became Sheriff. ``points`` were added to their life points and to the maximum."""

    seat: SeatNo
    points: int

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        life, most = seat.life + self.points, seat.max_life + self.points
        star = replace(seat, life=life, max_life=most, in_play=True)
        # The Sheriff's extra life point passes to the new Sheriff.
        former = recorded_seat(state, state.sheriff)
        former = replace(former, max_life=former.max_life - self.points)
        return replace(
            with_seat(with_seat(state, former), star),
            sheriff=self.seat,
            revolution_question=None,
            revolutions=(*state.revolutions, Revolution(self.seat, len(state.eliminations))),
            revolution_turn=state.turns + 1,
            # The new Sheriff's turn reveals the next card.
            event_card=None,
            ghost=None,
        )


def seats_out(
    eliminations: Sequence[Elimination],
    revolutions: Sequence[Revolution] = (),
    comebacks: Sequence[Comeback] = (),
) -> dict[SeatNo, Role]:
    """Return the seats that are out of play after all these eliminations, each with the role shown.

    Ghosts are out of play.
    Source: The Rebel!, Clarifications and particular cases.
    """
    out = dict[SeatNo, Role]()
    lasting = [(made.seat, made.after) for made in revolutions]
    lasting += [(back.seat, back.after) for back in comebacks if back.card is EventCard.DEAD_MAN]
    for number, elimination in enumerate(eliminations, start=1):
        out[elimination.seat] = elimination.role
        for seat, after in lasting:
            if after == number:
                out.pop(seat, None)
    return out


def revolutions_of(
    roles: tuple[Role, ...], eliminations: Sequence[Elimination], comebacks: Sequence[Comeback] = ()
) -> tuple[Revolution, ...]:
    """Return the Revolutions that eliminations caused, in order. ``roles`` are all roles, by seat.

    The Rebel! must be a ghost, or still in play when the card is finished. A former Sheriff who comes back
    becomes the Rebel!.
    Source: The Rebel!, Revolution, Clarifications and particular cases; reading D38.
    """
    if Role.REBEL not in roles:
        return ()
    sheriff, rebel = (SeatNo(roles.index(role) + 1) for role in (Role.SHERIFF, Role.REBEL))
    made, number = list[Revolution](), 0
    for _, effect in groupby(eliminations, key=lambda elimination: elimination.effect):
        fallen = {elimination.seat: elimination for elimination in effect}
        before, number = number, number + len(fallen)
        may_revolt = rebel not in seats_out(eliminations[:before], made, comebacks)
        if not may_revolt:
            ghosts = (back for back in comebacks if back.card is EventCard.GHOST_TOWN)
            may_revolt = any(back.seat == rebel and back.after <= before for back in ghosts)
        fall = fallen.get(sheriff)
        if fall is not None and may_revolt and rebel not in fallen and is_revolt(fall, rebel):
            made.append(Revolution(rebel, number))
            sheriff, rebel = rebel, sheriff
    return tuple(made)


def current_rebel(state: GameState) -> SeatNo | None:
    """Return the seat publicly known as the Rebel!, even if eliminated, or None if unknown.

    After a Revolution, the former Sheriff is the Rebel!.
    Source: The Rebel!, Clarifications and particular cases.
    """
    out = (elimination.seat for elimination in state.eliminations if elimination.role is Role.REBEL)
    rebel = state.rebel if state.rebel is not None else next(out, None)
    return SHERIFF_SEAT if rebel == state.sheriff else rebel


def current_role(state: GameState, seat: SeatNo) -> Role | None:
    """Return the publicly known role of a seat, which a Revolution may have changed, or None if unknown."""
    if seat == state.sheriff:
        return Role.SHERIFF
    return Role.REBEL if seat == current_rebel(state) else state.seats[seat - 1].role


def is_revolt(sheriffs_fall: Elimination, rebel: SeatNo) -> bool:
    """Return whether the Sheriff's elimination caused a Revolution, if the Rebel! is at this seat.

    Source: The Rebel!, Objective of the game; reading D38.
    """
    by_hand = sheriffs_fall.cause is Cause.PLAYER and sheriffs_fall.by in {rebel, None}
    return by_hand and sheriffs_fall.turn == rebel


def not_the_rebel(state: GameState) -> SeatNo | None:
    """Return the seat that eliminated the Sheriff and then showed another role than the Rebel!, if any.

    Source: The Rebel!, Revolution.
    """
    if state.revolutions or state.because is Because.TIME_LIMIT:
        return None
    fall = next((e for e in state.eliminations if e.role is Role.SHERIFF), None)
    # A Rebel! eliminated by the same card wasn't asked.
    if fall is None or not is_revolt(fall, fall.turn) or current_rebel(state) == fall.turn:
        return None
    return fall.turn


def life_after_revolution(life: int, max_life: int, edition: Edition) -> tuple[int, int]:
    """Return the life points and maximum of a Rebel! who becomes Sheriff. Source: The Rebel!, Revolution."""
    extra = edition.characters.sheriff_extra_life
    return life + extra, max_life + extra
