"""The lock of a table, which prevents touches and panel buttons from changing the game."""

from pathlib import Path
from typing import Final

import msgspec

from base.state_file import StateFile
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.state.game import GameState, Phase
from core.terms import GameId

_NAME: Final = "lock.json"
_SECOND_MS: Final = 1_000


class _Saved(msgspec.Struct, frozen=True):
    game: GameId


class LockFile(StateFile[GameId]):
    """A file in the data folder that exists while a game is locked by hand.

    Errors never stop a game: if the file can't be read or written, the table is unlocked after a restart. If
    a power cut undoes its removal, the table is locked again, and a hold unlocks it.
    """

    def __init__(self, data: Path | None) -> None:
        super().__init__(
            data and data / _NAME,
            "locked game",
            lambda raw: msgspec.json.decode(raw, type=_Saved).game,
            lambda game: msgspec.json.encode(_Saved(game)),
        )


class TableLock:
    """The lock of a table, set by hand or after a quiet period. It ends with the game.

    A manual lock is restored after a restart during the game; an automatic one is set again after a quiet
    period. ``store`` keeps the manual lock.
    """

    def __init__(self, store: LockFile) -> None:
        self.is_locked = self.is_wet = False
        self.is_shut_by_station = False
        self._is_by_hand = False
        self._touched_ms = 0
        self._store = store
        self._kept = self._comes_back = store.read()

    def choose(self, *, is_locked: bool, now_ms: int, is_wet: bool = False) -> None:
        """Lock or unlock the table. ``is_wet``: drops on the screen are the reason."""
        self.is_locked = self._is_by_hand = is_locked
        self.is_wet = is_wet
        self._touched_ms = now_ms

    def on_touch(self, now_ms: int) -> None:
        self._touched_ms = now_ms

    def advance(self, game: GameState | None, after_s: int, now_ms: int) -> None:
        """Update the lock. ``after_s`` is the quiet period before an automatic lock, or 0 for none."""
        if game is None or not _is_running(game):
            self.is_locked = self._is_by_hand = self.is_wet = False
        else:
            if self._comes_back == game.game:
                self.is_locked = self._is_by_hand = True
            due = self.next_deadline_ms(game, after_s)
            self.is_locked = self.is_locked or (due is not None and now_ms >= due)
        if game is not None:
            self._comes_back = None
            locked = game.game if self._is_by_hand else None
            if locked != self._kept:
                self._kept = locked
                self._store.keep(locked)

    def refuses(self, command: GameCommand) -> bool:
        """Return whether the lock forbids a panel button's command; the judge can always be called."""
        is_shut = self.is_locked or self.is_shut_by_station
        return is_shut and not isinstance(command, CallJudge | AnswerJudgeCall)

    def next_deadline_ms(self, game: GameState | None, after_s: int) -> int | None:
        """Return the time of the automatic lock, or None if there is none or a question is open."""
        if self.is_locked or not after_s or game is None or game.pending or not _is_running(game):
            return None
        return self._touched_ms + after_s * _SECOND_MS


def _is_running(game: GameState) -> bool:
    return game.phase in {Phase.PLAYING, Phase.DUEL}
