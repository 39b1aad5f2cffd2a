"""Protection against repeated presses that come too soon to be intended."""

import math
from collections.abc import Mapping
from typing import Final

from core.editions.edition import Edition
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.play.reshuffles import Reshuffle, fewest_deck_turns, turns_since_reshuffle
from core.game.play.turns import EndTurn, SetTurn, records_turns
from core.game.play.wounds import SaveLastLife
from core.game.state.decisions import Redo, Undo
from core.game.state.game import GameState, Phase

END_TURN_MS: Final = 2_000
"""The shortest possible turn: draw two cards and, under High Noon, look for a Beer."""
RESHUFFLE_MS: Final = 1_000
"""Presses of the reshuffle button within this time count as one."""
RESHUFFLED_AGAIN_MS: Final = 20_000
"""The time after a reshuffle in which another one is questioned, as it may be a repeated press."""
WITHOUT_TURNS_MS: Final = 40_000
"""The same for games without recorded turns, where cards can't be counted."""
UNDO_MS: Final = 1_000
"""The time that people need to read what an undo has taken back."""
CALL_MS: Final = 3_000
"""The shortest time in which a judge can walk to a table."""

_PATIENCE: Final[Mapping[tuple[type[GameCommand], type[GameCommand]], int]] = {
    (EndTurn, EndTurn): END_TURN_MS,
    (EndTurn, SaveLastLife): END_TURN_MS,
    (SetTurn, EndTurn): END_TURN_MS,
    (Reshuffle, Reshuffle): RESHUFFLE_MS,
    (Undo, Undo): UNDO_MS,
    (Redo, Redo): UNDO_MS,
    (CallJudge, AnswerJudgeCall): CALL_MS,
    (CallJudge, GiveCallReason): UNDO_MS,
    (AnswerJudgeCall, CallJudge): UNDO_MS,
}
"""The minimum time between an earlier and a later command."""
_TAKEN_BACK: Final = (EndTurn, SetTurn, Reshuffle)


class RepeatGuard:
    """The times of the last commands that must not be repeated too soon.

    With ``is_trusting``, a reshuffle is never questioned, for a program that names its targets.
    """

    def __init__(self, *, is_trusting: bool = False) -> None:
        self.is_trusting = is_trusting
        self._done_ms: dict[type[GameCommand], int] = {}

    def refuses(self, command: GameCommand, now_ms: int) -> bool:
        """Return whether a command comes too soon to be intended."""
        return any(
            now_ms - self._done_ms[before] < patience_ms
            for (before, after), patience_ms in _PATIENCE.items()
            if after is type(command) and before in self._done_ms
        )

    def is_doubtful(
        self, command: GameCommand, game: GameState | None, edition: Edition | None, now_ms: int
    ) -> bool:
        """Return whether a reshuffle comes before the discard pile can have been drawn again.

        Without High Noon nothing depends on the number of reshuffles, so nobody is asked.
        """
        if not isinstance(command, Reshuffle) or game is None or edition is None or self.is_trusting:
            return False
        if edition.high_noon is None:
            return False
        since_ms = now_ms - self._done_ms.get(Reshuffle, -math.inf)
        if since_ms < RESHUFFLED_AGAIN_MS:
            return True
        if game.phase is not Phase.PLAYING or not game.reshuffles:
            return False
        if game.is_turn_unknown or not records_turns(game, edition):
            return since_ms < WITHOUT_TURNS_MS
        return turns_since_reshuffle(game) < fewest_deck_turns(game, edition)

    def on_carried_out(self, command: GameCommand, now_ms: int) -> None:
        """Remember an accepted command. After an undo, the same command may be entered immediately."""
        if isinstance(command, Undo):
            for kind in _TAKEN_BACK:
                self._done_ms.pop(kind, None)
        if any(type(command) is before for before, _after in _PATIENCE):
            self._done_ms[type(command)] = now_ms
