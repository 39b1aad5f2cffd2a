"""Keeps the round's clock over a restart of the terminal."""

from pathlib import Path
from typing import Final

import msgspec

from saloon.base.state_file import StateFile
from saloon.core.terms import GameId
from saloon.kiosk.terminal.clock.table_clock import TableClock

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


class ClockFile(StateFile[SavedClock]):
    """The clock's file in the folder of a terminal's data. boot: the board's, from the system by default."""

    def __init__(self, data: Path, boot: str | None = None) -> None:
        super().__init__(data / _NAME, "round clock", lambda raw: msgspec.json.decode(raw, type=SavedClock))
        self.boot = _boot() if boot is None else boot


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
