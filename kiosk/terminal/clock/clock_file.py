"""Keeps the round's clock over a restart of the terminal."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import structlog

from saloon.base.whole_file import write_whole
from saloon.core.terms import GameId
from saloon.kiosk.terminal.clock.table_clock import TableClock

_log = structlog.get_logger()
_NAME: Final = "clock.json"
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


class SavedClock(msgspec.Struct, frozen=True):
    """The clock of a game as it was saved.

    order: the number of the station's last order that is in it. boot: of the board; while it is the same,
    the monotonic clock has run on, whatever became of the program.
    """

    game: GameId
    clock: TableClock
    order: int
    boot: str


class ClockFile:
    """The file in the folder of a terminal's data; one that cannot be read or written stops no game."""

    def __init__(self, data: Path, boot: str | None = None) -> None:
        self._path = data / _NAME
        self.boot = _boot() if boot is None else boot
        self._writer = ThreadPoolExecutor(1, "clock")

    def read(self) -> SavedClock | None:
        """Return the clock that was saved last; None if nothing can be read."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=SavedClock)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            _log.warning("the saved clock is left out", problem=str(error))
            return None

    def keep(self, saved: SavedClock) -> None:
        """Write it soon, on another thread; the last one counts."""
        self._writer.submit(self._write, saved)

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._writer.shutdown(wait=True)

    def _write(self, saved: SavedClock) -> None:
        try:
            write_whole(self._path, msgspec.json.encode(saved))
        except OSError as error:
            _log.warning("the clock was not saved", problem=str(error))


class NoClockFile:
    """Keeps nothing: after a restart the station says what is left."""

    boot = ""

    def read(self) -> SavedClock | None:
        """Return nothing."""
        return None

    def keep(self, saved: SavedClock) -> None:
        """Forget it."""


def _boot() -> str:
    """Return an id of this start of the board; empty if unknown, which never counts as the same start."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
