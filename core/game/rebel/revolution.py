"""The Revolution: the Rebel! eliminates the Sheriff and takes over as Sheriff."""

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

import msgspec

from core.editions.edition import Edition
from core.game.rebel.rebel_events import (
    EventCardShown,
    PlayerCameBack,
    RebelEvent,
    RebelRevealed,
    RevolutionAsked,
    RevolutionMade,
)
from core.game.state.causes import Because, Cause
from core.game.state.game import Comeback, Elimination, EventCard, GameState, Revolution
from core.game.state.seat_updates import recorded_seat, with_seat
from core.terms import SHERIFF_SEAT, Role, SeatNo

_replace = msgspec.structs.replace


def evolve_rebel(state: GameState, event: RebelEvent) -> GameState:
    """Return the state after one event of the Rebel!. Raises BadData for a missing seat."""
    if isinstance(event, EventCardShown):
        return _replace(state, event_card=event.card)
    seat = recorded_seat(state, event.seat)
    match event:
        case RebelRevealed():
            return _replace(with_seat(state, _replace(seat, role=Role.REBEL)), rebel=event.seat)
        case RevolutionAsked():
            return _replace(state, revolution_question=event.seat)
        case RevolutionMade(points=points):
            star = _replace(seat, life=seat.life + points, max_life=seat.max_life + points, in_play=True)
            # The Sheriff's extra life point passes to the new Sheriff.
            former = recorded_seat(state, state.sheriff)
            former = _replace(former, max_life=former.max_life - points)
            return _replace(
                with_seat(with_seat(state, former), star),
                sheriff=event.seat,
                revolution_question=None,
                revolutions=(*state.revolutions, Revolution(event.seat, len(state.eliminations))),
                revolution_turn=state.turns + 1,
                # The new Sheriff's turn reveals the next card.
                event_card=None,
                ghost=None,
            )
        case PlayerCameBack(card=card):
            is_ghost = card is EventCard.GHOST_TOWN
            back = _replace(seat, life=event.life, in_play=not is_ghost)
            return _replace(
                with_seat(state, back),
                comebacks=(*state.comebacks, Comeback(event.seat, len(state.eliminations), card)),
                ghost=event.seat if is_ghost else None,
                rebel=event.seat if seat.role is Role.REBEL else state.rebel,
            )
        case _:
            assert_never(event)


def seats_out(
    eliminations: Sequence[Elimination],
    revolutions: Sequence[Revolution] = (),
    comebacks: Sequence[Comeback] = (),
) -> dict[SeatNo, Role]:
    """Return the seats that are out of play after all these eliminations, each with the role shown.

    A ghost remains out of play, unless they make a Revolution.
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
    """Return the Revolutions that eliminations caused, in order. roles: all roles, by seat.

    A Revolution: the Sheriff is eliminated in the turn of a Rebel! who is a ghost, or still in play when the
    card is finished, by that player or an unknown one. A former Sheriff who comes back is a Rebel!.
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
    """Return the seat publicly known as the Rebel!, even if eliminated; None if unknown.

    After a Revolution it is the former Sheriff, should they come back.
    Source: The Rebel!, Clarifications and particular cases.
    """
    out = (elimination.seat for elimination in state.eliminations if elimination.role is Role.REBEL)
    shown = state.rebel if state.rebel is not None else next(out, None)
    return SHERIFF_SEAT if shown == state.sheriff else shown


def current_role(state: GameState, seat: SeatNo) -> Role | None:
    """Return the publicly known current role of a seat; None if unknown.

    A Revolution makes the Rebel! Sheriff, and the former Sheriff a Rebel!, whatever their cards show.
    """
    if seat == state.sheriff:
        return Role.SHERIFF
    return Role.REBEL if seat == current_rebel(state) else state.seats[seat - 1].role


def is_revolt(sheriffs_fall: Elimination, rebel: SeatNo) -> bool:
    """Return whether the Sheriff's elimination causes a Revolution, if the Rebel! is at this seat.

    Source: The Rebel!, Objective of the game; reading D38.
    """
    by_hand = sheriffs_fall.cause is Cause.PLAYER and sheriffs_fall.by in {rebel, None}
    return by_hand and sheriffs_fall.turn == rebel


def not_the_rebel(state: GameState) -> SeatNo | None:
    """Return the seat that eliminated the Sheriff but showed another role than the Rebel!, if any.

    None if the time limit came before the answer.
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
    """Return the life points and maximum of a Rebel! who becomes Sheriff.

    Source: The Rebel!, Revolution.
    """
    extra = edition.characters.sheriff_extra_life
    return life + extra, max_life + extra
