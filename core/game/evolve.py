"""Evolve a game: the state after each event."""

from base.errors import BadData
from core.game.events import GameEvent
from core.game.setup.seating import TableSeated
from core.game.state.decisions import state_after
from core.game.state.game import GameState


def evolve(state: GameState | None, event: GameEvent) -> GameState:
    """Return the state after one event. state: None for the first, which seats the table.

    An undo needs the earlier states: fold steps with ``timeline.extend``. Raises BadData for an event that
    ``decide`` could not have returned: the log is damaged.
    """
    if state is not None:
        return state_after(state, event)
    if not isinstance(event, TableSeated):
        raise BadData("game log", f"the first event must seat a table, not {type(event).__name__}")
    return event.apply(None)
