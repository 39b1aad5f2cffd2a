"""The base classes of a game's commands and events, and the commands to undo and redo steps.

A command is a request, which the rules may refuse; an event is a fact, from which the state follows.
"""

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
    """A request from a table or the judge.

    refused_in_duel: why duels refuse this kind of command, or None if they don't.
    """

    refused_in_duel: ClassVar[GameReason | None] = None

    @abstractmethod
    def decide(self, state: GameState, edition: Edition, /) -> "tuple[Event, ...]":
        """Return the events that the command causes. Raises Refused."""


class RolesCommand(Command, frozen=True):
    """A command that makes sense only in a game with roles."""

    refused_in_duel: ClassVar[GameReason | None] = GameReason.NOT_IN_A_DUEL


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A fact of a game.

    keeps_agreement: whether the players' answers on the ending remain valid afterwards.
    """

    keeps_agreement: ClassVar[bool] = False

    @abstractmethod
    def apply(self, state: GameState, /) -> GameState:
        """Return the state after the event. Raises BadData if it is impossible: the log is damaged."""


class Decision(Command, Event, frozen=True):
    """A command that is its own event once accepted, stored under the event's tag."""


class RolesDecision(RolesCommand, Decision, frozen=True):
    """A decision that makes sense only in a game with roles."""


class Draft(msgspec.Struct, frozen=True):
    """A step in the making: the events that a command has caused so far, and the state after them."""

    state: GameState
    events: tuple[Event, ...] = ()

    def then(self, event: Event) -> "Draft":
        return Draft(state_after(self.state, event), (*self.events, event))


def state_after(state: GameState, event: Event) -> GameState:
    """Return the state after an event. Raises BadData if it is impossible."""
    after = event.apply(state)
    if event.keeps_agreement or after.agreement == _NOBODY:
        return after
    # Earlier answers were about a different state of the game.
    return replace(after, agreement=_NOBODY)


class _HistoryEvent(Event, frozen=True):
    """An event that the timeline handles, as it needs the earlier states."""

    def apply(self, _state: GameState) -> Never:
        raise BadData("game log", "steps are undone and redone in a step of their own")


class Undo(_HistoryEvent, frozen=True, tag="steps-undone"):
    """Undo the last steps."""

    steps: int

    def decide(self, may_undo: int) -> "Undo":
        """Check the number of steps against the number that may be undone. Raises Refused."""
        if self.steps < 1:
            raise Refused(GameReason.NO_STEPS, steps=self.steps)
        if self.steps > may_undo:
            raise Refused(GameReason.NOT_UNDOABLE, allowed=may_undo)
        return self


class StepsRedone(_HistoryEvent, frozen=True, tag="steps-redone"):
    """The steps of the last undo were restored."""

    steps: int


class Redo(msgspec.Struct, frozen=True):
    """Restore the steps of the last undo."""

    def decide(self, may_redo: int) -> StepsRedone:
        """Return the event that restores ``may_redo`` steps. Raises Refused if there are none."""
        if may_redo < 1:
            raise Refused(GameReason.NOTHING_TO_REDO)
        return StepsRedone(may_redo)
