"""A step being decided: its events so far, and the state they lead to."""

import msgspec

from saloon.core.game.events import GameEvent
from saloon.core.game.evolve import evolve
from saloon.core.game.state import GameState


class Draft(msgspec.Struct, frozen=True):
    """Events that one command causes, and the state after them."""

    state: GameState
    events: tuple[GameEvent, ...] = ()

    def then(self, event: GameEvent) -> "Draft":
        """Return the draft with one more event."""
        return Draft(evolve(self.state, event), (*self.events, event))
