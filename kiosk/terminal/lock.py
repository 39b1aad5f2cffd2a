"""The lock of a table: while it is on, neither fingers nor panel buttons change the game."""

from pathlib import Path
from typing import Final, Protocol

import msgspec

from saloon.base.state_file import StateFile
from saloon.core.game.commands import AnswerJudgeCall, CallJudge, GameCommand
from saloon.core.game.state import GameState, Phase
from saloon.core.terms import GameId

_NAME: Final = "lock.json"


class _Saved(msgspec.Struct, frozen=True):
    game: GameId


class LockFile(StateFile[GameId]):
    """The file in the folder of a terminal's data, there while a game is locked by hand.

    One that cannot be read or written stops no game: its table comes back open. Where the power takes a
    removal back, the table comes back locked, and is unlocked by a hold.
    """

    def __init__(self, data: Path) -> None:
        super().__init__(
            data / _NAME,
            "locked game",
            lambda raw: msgspec.json.decode(raw, type=_Saved).game,
            lambda game: msgspec.json.encode(_Saved(game)),
        )


_SECOND_MS: Final = 1_000


class LockStore(Protocol):
    """A store that keeps a lock across a restart. Neither method raises, nor waits for the card."""

    def read(self) -> GameId | None:
        """Return the game that was locked; None for none."""

    def keep(self, game: GameId | None) -> None:
        """Save the game that is locked by hand now; None for none."""


class TableLock:
    """A lock set by hand, or automatically after a quiet time. It never outlasts the running game.

    What is locked by hand is so again after a restart in the middle of the game; what locked itself does so
    again. store: keeps it over that restart.
    """

    def __init__(self, store: LockStore | None = None) -> None:
        self.is_locked = self.is_wet = False
        self.is_shut_by_station = False
        self._is_by_hand = False
        self._touched_ms = 0
        self._store = store
        self._kept = self._comes_back = None if store is None else store.read()

    def choose(self, *, is_locked: bool, now_ms: int, is_wet: bool = False) -> None:
        """Lock or unlock."""
        self.is_locked = self._is_by_hand = is_locked
        self.is_wet = is_wet
        self._touched_ms = now_ms

    def on_touch(self, now_ms: int) -> None:
        """Note that somebody used the table."""
        self._touched_ms = now_ms

    def advance(self, game: GameState | None, after_s: int, now_ms: int) -> None:
        """Lock or unlock the table as game and time demand. after_s: of quiet, 0 for never automatically."""
        if game is None or not _is_running(game):
            self.is_locked = self._is_by_hand = self.is_wet = False
        else:
            if self._comes_back == game.game:
                self.is_locked = self._is_by_hand = True
            due = self.next_deadline_ms(game, after_s)
            self.is_locked = self.is_locked or (due is not None and now_ms >= due)
        if game is not None:
            self._comes_back = None
            self._remember(game.game if self._is_by_hand else None)

    def refuses(self, command: GameCommand) -> bool:
        """Return whether a button of the panel does nothing now; the judge can be called at any time."""
        is_shut = self.is_locked or self.is_shut_by_station
        return is_shut and not isinstance(command, CallJudge | AnswerJudgeCall)

    def next_deadline_ms(self, game: GameState | None, after_s: int) -> int | None:
        """Return the time of the automatic lock; None for never, and while a question of the game is open."""
        if self.is_locked or not after_s or game is None or game.pending or not _is_running(game):
            return None
        return self._touched_ms + after_s * _SECOND_MS

    def _remember(self, locked: GameId | None) -> None:
        """Write only what changed, to spare the card."""
        if self._store is not None and locked != self._kept:
            self._kept = locked
            self._store.keep(locked)


def _is_running(game: GameState) -> bool:
    return game.phase in {Phase.PLAYING, Phase.DUEL}
