"""Undoing steps of a game, and restoring them; ``timeline`` carries both out."""

from typing import Never

import msgspec

from base.errors import BadData, Refused
from core.game.state.decisions import Event
from core.game.state.game import GameState
from core.game.state.reasons import GameReason


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
