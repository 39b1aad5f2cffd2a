"""Commands and events of a game, undoing them, and a step in progress; ``timeline`` carries undo out."""

from abc import abstractmethod
from typing import ClassVar, Final, Never

import msgspec
from msgspec.structs import replace

from base.errors import BadData, Refused
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


class _StepsOfTheirOwn(Event, frozen=True):
    """An event that needs the earlier states, and a step of its own."""

    def apply(self, _state: GameState) -> Never:
        raise BadData("game log", "steps are undone and redone in a step of their own")


class Undo(_StepsOfTheirOwn, frozen=True, tag="steps-undone"):
    """Undo the last steps."""

    steps: int

    def decide(self, may_undo: int) -> "Undo":
        """Return the undo. may_undo: number of steps that may be undone. Raises Refused."""
        if self.steps < 1:
            raise Refused(GameReason.NO_STEPS, steps=self.steps)
        if self.steps > may_undo:
            raise Refused(GameReason.NOT_UNDOABLE, allowed=may_undo)
        return self


class StepsRedone(_StepsOfTheirOwn, frozen=True, tag="steps-redone"):
    """The steps of the last undo were restored. ``steps`` is the number of them."""

    steps: int


class Redo(msgspec.Struct, frozen=True):
    """Restore the steps of the last undo."""

    def decide(self, may_redo: int) -> StepsRedone:
        """Return the restored steps. may_redo: their number. Raises Refused if there are none."""
        if may_redo < 1:
            raise Refused(GameReason.NOTHING_TO_REDO)
        return StepsRedone(may_redo)
