"""The files for the station's screen: the hall's settings, and the station's status.

The screen opens no connection and needs no login: it only reads these files. The system writes the settings
from the card file at the start. The station rewrites its status whenever something changes, and a recent
modification time shows that it is running.
"""

import enum
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from base.whole_file import disk_errors_as_unavailable, write_in_memory

HALL_FILE: Final = "hall.json"
STATUS_FILE: Final = "status.json"
TOUCHED_EVERY_S: Final = 2.0
SILENT_AFTER_S: Final = 15.0
"""The age at which the status file shows that the station hangs or is not running."""


class StickState(enum.Enum):
    """The state of the stick."""

    NONE = "none"
    """No stick is inserted."""
    WRITING = "writing"
    """A copy is being written; unplugging the stick now loses only this copy."""
    GOOD = "good"
    FULL = "full"
    READ_ONLY = "read-only"
    FAILED = "failed"
    LET_GO = "let go"
    """Nothing more is written until a stick is inserted again."""


class StickStatus(msgspec.Struct, frozen=True):
    """The state of the stick, for people.

    good_ms: the wall clock of the last good copy, on any stick. A copy that equals the last one is not
        written again, but counts as good.
    file: the name of the last good copy.
    """

    state: StickState = StickState.NONE
    good_ms: int | None = None
    file: str = ""


class RoundStatus(msgspec.Struct, frozen=True):
    """The current round.

    number: 0 before the first.
    done: the number of tables with a confirmed sheet.
    calls: the number of tables waiting for a judge.
    ends_ms: wall clock when the hall's time ends, or None while it is paused, or without a limit.
    left_s: the time left while it is paused, else None.
    is_game: the tournament has one group.
    """

    tournament: str
    number: int = 0
    tables: int = 0
    done: int = 0
    calls: int = 0
    ends_ms: int | None = None
    left_s: int | None = None
    is_game: bool = False


class StationStatus(msgspec.Struct, frozen=True):
    """The status of the station for its screen.

    pages: addresses of the pages, best first.
    local: the name in the local network; may be empty.
    fingerprint: that of the pages' certificate, or empty without one.
    first_code: opens the first account, empty once there is one.
    here, away: the numbers of connected and disconnected terminals.
    alarms: the number of alarms that no judge has seen, about terminals' journals and cables.
    room, room_of: free and total bytes on the computer's disk.
    """

    pages: tuple[str, ...] = ()
    local: str = ""
    fingerprint: str = ""
    first_code: str = ""
    here: int = 0
    away: int = 0
    alarms: int = 0
    round: RoundStatus | None = None
    stick: StickStatus = StickStatus()
    room: int = 0
    room_of: int = 0
    is_clock_sure: bool = True
    has_radio: bool = False
    is_away: bool = False
    is_ending: bool = False


class StationStatusWriter:
    """The writer of the status file. Calls block briefly; the folder is on a tmpfs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / STATUS_FILE
        self._last: StationStatus | None = None

    def write(self, status: StationStatus) -> bool:
        """Write a changed status, or only touch the file. Return whether it changed. Raises Unavailable."""
        with disk_errors_as_unavailable(self._path):
            if status == self._last and self._path.exists():
                os.utime(self._path)
                return False
            # It may contain the code of the first account.
            write_in_memory(self._path, msgspec.json.encode(status), 0o640)
        self._last = status
        return True


class StatusReader:
    """The reader of the status file. ``now_s`` is the wall clock, comparable to modification times."""

    def __init__(self, folder: Path, now_s: Callable[[], float]) -> None:
        self._path = folder / STATUS_FILE
        self._now_s = now_s
        self._seen = b""
        self._last: StationStatus | None = None

    def read(self) -> StationStatus | None:
        """Return the station's last status, or None if it is too old. Raises BadData or Unavailable."""
        try:
            stat = self._path.stat()
            if abs(self._now_s() - stat.st_mtime) > SILENT_AFTER_S:
                return None
            content = self._path.read_bytes()
            if content != self._seen:
                self._last, self._seen = msgspec.json.decode(content, type=StationStatus), content
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise BadData(str(self._path), f"{error}; start the station again") from error
        except OSError as error:
            raise Unavailable(f"{self._path}: {error.strerror}") from error
        return self._last


class WifiShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The station's access point, as shown to people. ``address`` is the station's own in its network."""

    name: str
    password: str
    address: str = ""


class CardProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A problem with the card file.

    line: its number, from 1, or 0 if unknown.
    problem: a sentence of ``provisioning_faults``, with its fields in braces.
    text: the line, without secrets.
    """

    line: int
    key: str
    problem: str
    text: str = ""
    fields: dict[str, str] = {}


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hall's settings. ``card`` is the problem of a rejected card file, ``version`` the image's."""

    name: str = ""
    language: str = "en"
    wifi: WifiShown | None = None
    copy_every_min: int = 10
    card: CardProblem | None = None
    version: str = ""


def read_hall(folder: Path) -> HallSettings:
    """Read the hall's settings from the system's folder, or the defaults. Raises Unavailable or BadData."""
    path = folder / HALL_FILE
    try:
        with disk_errors_as_unavailable(path):
            content = path.read_bytes()
    except Unavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return HallSettings()
        raise
    try:
        return msgspec.json.decode(content, type=HallSettings)
    except msgspec.DecodeError as error:
        raise BadData(str(path), f"{error}; start the computer again") from error
