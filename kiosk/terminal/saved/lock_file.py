"""Keeps the lock of a table over a restart of the terminal."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import structlog

from saloon.base.whole_file import write_whole
from saloon.core.terms import GameId

_log = structlog.get_logger()
_NAME: Final = "lock.json"


class _Saved(msgspec.Struct, frozen=True):
    game: GameId


class LockFile:
    """The file in the folder of a terminal's data, there while a game is locked by hand.

    One that cannot be read or written stops no game: its table comes back open. A removal is not flushed:
    where the power takes it back, the table comes back locked, and is unlocked by a hold.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / _NAME
        self._writer = ThreadPoolExecutor(1, "lock")

    def read(self) -> GameId | None:
        """Return the game that was locked; None for none."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Saved).game
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            _log.warning("whether the table was locked is not known", problem=str(error))
            return None

    def keep(self, game: GameId | None) -> None:
        """Write it soon, on another thread; the last one counts."""
        self._writer.submit(self._write, game)

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._writer.shutdown(wait=True)

    def _write(self, game: GameId | None) -> None:
        try:
            if game is None:
                self._path.unlink(missing_ok=True)
            else:
                write_whole(self._path, msgspec.json.encode(_Saved(game)))
        except OSError as error:
            _log.warning("whether the table is locked was not saved", problem=str(error))
