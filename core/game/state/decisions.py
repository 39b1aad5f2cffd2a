"""A step in progress: its events so far, and the state after them."""

import msgspec

from core.game.events import GameEvent
from core.game.evolve import evolve
from core.game.state.game import GameState


class Draft(msgspec.Struct, frozen=True):
    """The events caused by a command so far, and the state after them."""

    state: GameState
    events: tuple[GameEvent, ...] = ()

    def then(self, event: GameEvent) -> "Draft":
        """Return the draft with one more event."""
        return Draft(evolve(self.state, event), (*self.events, event))
