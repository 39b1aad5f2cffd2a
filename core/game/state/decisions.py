"""Commands and events of a game, and a step in progress."""

from abc import abstractmethod
from typing import ClassVar, Final

import msgspec
from msgspec.structs import replace

from core.editions.edition import Edition
from core.game.state.game import Agreement, GameState
from core.game.state.reasons import GameReason

_NOBODY: Final = Agreement()


class Command(msgspec.Struct, frozen=True):
    """A request from a table or the judge. refused_in_duel: why a duel refuses it, if it needs roles."""

    refused_in_duel: ClassVar[GameReason | None] = None

    @abstractmethod
    def decide(self, state: GameState, edition: Edition, /) -> "tuple[Event, ...]":
        """Return the events that it causes, without changing the state. Raises Refused."""


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A fact of a game: complete and valid. keeps_agreement: it doesn't change the proposed ending."""

    keeps_agreement: ClassVar[bool] = False

    @abstractmethod
    def apply(self, state: GameState, /) -> GameState:
        """Return the state after it. Raises BadData for an impossible event: the log is damaged."""


class Decision(Command, Event, frozen=True):
    """A command that is its own event once accepted, stored under the event's tag."""


class Draft(msgspec.Struct, frozen=True):
    """The events caused by a command so far, and the state after them."""

    state: GameState
    events: tuple[Event, ...] = ()

    def then(self, event: Event) -> "Draft":
        return Draft(state_after(self.state, event), (*self.events, event))


def state_after(state: GameState, event: Event) -> GameState:
    """Return the state after one event. Raises BadData for an impossible event."""
    after = event.apply(state)
    if event.keeps_agreement or after.agreement == _NOBODY:
        return after
    # Earlier answers were about a different state of the game.
    return replace(after, agreement=_NOBODY)
