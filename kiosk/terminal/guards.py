"""Guards against presses that nobody can mean: the same again, sooner than anybody could have played."""

from collections.abc import Mapping
from typing import Final

from saloon.core.game.commands import (
    AnswerJudgeCall,
    CallJudge,
    EndTurn,
    GameCommand,
    Reshuffle,
    SaveLastLife,
    Undo,
)

END_TURN_MS: Final = 2_000
"""A turn begins with drawing two cards, and at High Noon with looking for a Beer."""
RESHUFFLE_MS: Final = 15_000
"""Shuffling alone takes longer, and then the deck must be drawn."""
UNDO_MS: Final = 700
"""Somebody who takes several steps back reads what each of them was."""
CALL_MS: Final = 3_000
"""No judge walks to a table faster."""

_PATIENCE: Final[Mapping[tuple[type[GameCommand], type[GameCommand]], int]] = {
    (EndTurn, EndTurn): END_TURN_MS,
    (EndTurn, SaveLastLife): END_TURN_MS,
    (Reshuffle, Reshuffle): RESHUFFLE_MS,
    (Undo, Undo): UNDO_MS,
    (CallJudge, AnswerJudgeCall): CALL_MS,
    (AnswerJudgeCall, CallJudge): UNDO_MS,
}
"""By what was carried out and what is asked then: how long nobody can mean it."""
_TAKEN_BACK: Final = (EndTurn, Reshuffle)


class RepeatGuard:
    """The times (monotonic) of the last presses that must not be repeated at once."""

    def __init__(self) -> None:
        self._done_ms: dict[type[GameCommand], int] = {}

    def refuses(self, command: GameCommand, now_ms: int) -> bool:
        """Return whether a command comes too soon to be meant."""
        return any(
            now_ms - self._done_ms[before] < patience_ms
            for (before, asked), patience_ms in _PATIENCE.items()
            if asked is type(command) and before in self._done_ms
        )

    def on_carried_out(self, command: GameCommand, now_ms: int) -> None:
        """Remember a command that the game accepted. What is taken back may be entered again at once."""
        if isinstance(command, Undo):
            for kind in _TAKEN_BACK:
                self._done_ms.pop(kind, None)
        if any(type(command) is before for before, _asked in _PATIENCE):
            self._done_ms[type(command)] = now_ms
