"""The Revolution: the Rebel! eliminates the Sheriff and takes the star."""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.game.events import Because, Cause
from saloon.core.game.rebel.rebel_events import RebelEvent, RebelRevealed, RevolutionAsked, RevolutionMade
from saloon.core.game.recorded import recorded_seat, with_seat
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Elimination, GameState, Revolution
from saloon.core.terms import SeatNo

_replace = msgspec.structs.replace


def evolve_rebel(state: GameState, event: RebelEvent) -> GameState:
    """Return the state after one event of the Rebel!. Raises BadData for a missing seat."""
    seat = recorded_seat(state, event.seat)
    match event:
        case RebelRevealed():
            return _replace(with_seat(state, _replace(seat, role=Role.REBEL)), rebel=event.seat)
        case RevolutionAsked():
            return _replace(state, revolution_question=event.seat)
        case RevolutionMade(points=points):
            star = _replace(seat, life=seat.life + points, max_life=seat.max_life + points)
            return _replace(
                with_seat(state, star),
                sheriff=event.seat,
                revolution_question=None,
                revolution=Revolution(event.seat, len(state.eliminations)),
                revolution_turn=state.turns + 1,
            )
        case _:
            assert_never(event)


def revolution_of(roles: tuple[Role, ...], eliminations: Sequence[Elimination]) -> Revolution | None:
    """Return the Revolution that eliminations made; None if there was none. roles: of all seats, by seat.

    The Sheriff was eliminated in the turn of a Rebel! who is still in play when the card is finished, by
    that player or by one that nobody recorded.
    Source: The Rebel!, Revolution; reading D38.
    """
    if Role.REBEL not in roles:
        return None
    rebel = SeatNo(roles.index(Role.REBEL) + 1)
    sheriffs_fall = next((e for e in eliminations if e.role is Role.SHERIFF), None)
    if sheriffs_fall is None or not is_revolt(sheriffs_fall, rebel):
        return None
    finished = [e for e in eliminations if e.effect <= sheriffs_fall.effect]
    if any(elimination.seat == rebel for elimination in finished):
        return None
    return Revolution(seat=rebel, after=len(finished))


def is_revolt(sheriffs_fall: Elimination, rebel: SeatNo) -> bool:
    """Return whether the Sheriff's elimination makes a Revolution, if the Rebel! is at this seat.

    Source: The Rebel!, Objective of the game; reading D38.
    """
    by_hand = sheriffs_fall.cause is Cause.PLAYER and sheriffs_fall.by in {rebel, None}
    return by_hand and sheriffs_fall.turn == rebel


def not_the_rebel(state: GameState) -> SeatNo | None:
    """Return the seat that eliminated the Sheriff but showed another role than the Rebel!, if any.

    If the time limit ended the question, nobody has answered it.
    Source: The Rebel!, Revolution.
    """
    if state.revolution is not None or state.because is Because.TIME_LIMIT:
        return None
    fall = next((e for e in state.eliminations if e.role is Role.SHERIFF), None)
    return fall.turn if fall is not None and is_revolt(fall, fall.turn) else None


def life_after_revolution(life: int, max_life: int, edition: Edition) -> tuple[int, int]:
    """Return life points and their maximum of the Rebel! who becomes Sheriff.

    Source: The Rebel!, Revolution.
    """
    extra = edition.characters.sheriff_extra_life
    return life + extra, max_life + extra
