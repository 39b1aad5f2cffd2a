"""What each event of the Rebel! means: the state after it."""

from typing import assert_never

import msgspec

from saloon.core.game.rebel.rebel_events import RebelEvent, RebelRevealed, RevolutionAsked, RevolutionMade
from saloon.core.game.recorded import recorded_seat, with_seat
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import GameState, Revolution

_replace = msgspec.structs.replace


def rebelled(state: GameState, event: RebelEvent) -> GameState:
    """The state after one event of the Rebel!. Raises BadData for a seat that there is not."""
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
