"""What the station tells its own screen: a small file that is written anew whenever something changed.

The screen opens no connection and logs in nowhere: it reads this file. That the file was touched not
long ago means that the station lives.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from saloon.core.errors import BadData, Unavailable
from saloon.station.appliance.stick_look import StickLook
from saloon.sync.whole_file import told, write_in_memory

STATUS_FILE: Final = "status.json"
TOUCHED_EVERY_S: Final = 2.0
SILENT_AFTER_S: Final = 15.0
"""A file that was not touched for so long is that of a station that hangs, or is not there."""


class RoundLook(msgspec.Struct, frozen=True):
    """The round that runs. number: 0 before the first. tables: of it. done: with a confirmed sheet.

    ends_ms: wall clock when the time of the hall is over; None while it stands, or without a limit.
    left_s: what is left then, None without a limit. calls: tables that wait for a judge.
    """

    tournament: str
    number: int = 0
    tables: int = 0
    done: int = 0
    calls: int = 0
    ends_ms: int | None = None
    left_s: int | None = None


class Status(msgspec.Struct, frozen=True):
    """All that the own screen shows of the station.

    pages: addresses of the pages, the best first. local: the name in the hall's network, empty where none
    could be had. fingerprint: of the pages' certificate, empty without one. first_code: opens the first
    account, empty when there is one. here, away: terminals. alarms: of terminals' journals and cables that no
    judge has seen. room: free bytes on the own disk, of room_of. is_clock_sure: the time may be believed.
    has_radio: the computer can be an access point.
    """

    pages: tuple[str, ...] = ()
    local: str = ""
    fingerprint: str = ""
    first_code: str = ""
    here: int = 0
    away: int = 0
    alarms: int = 0
    round: RoundLook | None = None
    stick: StickLook = StickLook()
    room: int = 0
    room_of: int = 0
    is_clock_sure: bool = True
    has_radio: bool = False
    is_away: bool = False
    is_ending: bool = False
    version: str = ""


class StatusWriter:
    """Keeps the file. Calls block for a moment; the folder is in memory."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / STATUS_FILE
        self._last: Status | None = None

    def write(self, status: Status) -> bool:
        """Tell what has changed, or only that the station lives; whether anything had. Raises Unavailable."""
        with told(self._path):
            if status == self._last and self._path.exists():
                os.utime(self._path)
                return False
            # It may hold the code of the first account.
            write_in_memory(self._path, msgspec.json.encode(status), 0o640)
        self._last = status
        return True


class StatusReader:
    """Reads the file where it has changed. now_s: the wall clock, as the file's times have it."""

    def __init__(self, folder: Path, now_s: Callable[[], float]) -> None:
        self._path = folder / STATUS_FILE
        self._now_s = now_s
        self._seen = b""
        self._last: Status | None = None

    def read(self) -> Status | None:
        """What the station last said; None where it is silent. Raises BadData."""
        try:
            found = self._path.stat()
            if abs(self._now_s() - found.st_mtime) > SILENT_AFTER_S:
                return None
            content = self._path.read_bytes()
            if content != self._seen:
                self._last, self._seen = msgspec.json.decode(content, type=Status), content
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise BadData(str(self._path), f"{error}; start the station again") from error
        except OSError as error:
            raise Unavailable(f"{self._path}: {error.strerror}") from error
        return self._last
