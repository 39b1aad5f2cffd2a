"""Write copies to a USB stick that may be unplugged at any moment.

A new file is written under a temporary name, flushed, read back from the stick, compared and renamed. So
existing copies are never damaged, and a file named like a copy is complete.
"""

import contextlib
import datetime as dt
import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from base import system
from base.errors import Unavailable
from base.whole_file import DiskFiles, disk_errors_as_unavailable, flush_folder
from station.appliance.stick_copies import Copy, copies_of, deletable_copies, next_copy, stale_copies

FOLDER: Final = "Saloon"
_PIECE: Final = 1024 * 1024
_MARGIN: Final = 4 * _PIECE
"""The space in bytes to leave free on the stick for other files and folder entries."""
_NEVER_FEWER: Final = 3
_UNFINISHED: Final = "unfinished.tmp"
_NOT_WRITABLE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class StickFull(Unavailable):
    """Raised when a copy does not fit. ``needed`` and ``free`` are in bytes."""

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(f"the stick is full: {needed:,} bytes are needed, {free:,} are free")
        self.needed, self.free = needed, free


class StickPulled(Unavailable):
    """Raised when the stick was unplugged before the copy was complete."""


class StickReadOnly(Unavailable):
    """Raised for a read-only stick: its write-protect switch is on, or its file system is damaged."""


def free_room(place: Path) -> int:
    """Return the free bytes of a folder's file system. Raises OSError."""
    return shutil.disk_usage(place).free


class Stick:
    """A stick, by its mount point. Calls block, on a faulty stick for minutes.

    is_mounted: returns whether something is mounted there, rather than an empty folder on the card.
    room: returns the free bytes.
    """

    def __init__(
        self,
        place: Path,
        is_mounted: Callable[[Path], bool] = os.path.ismount,
        room: Callable[[Path], int] = free_room,
    ) -> None:
        self.place = place
        self._is_mounted = is_mounted
        self._room = room

    def is_in(self) -> bool:
        """Return whether a stick is inserted."""
        with contextlib.suppress(OSError):
            return self._is_mounted(self.place)
        return False

    def copies(self) -> tuple[Copy, ...]:
        """Return the copies on the stick, of all stations. Raises Unavailable."""
        folder = self.place / FOLDER
        with disk_errors_as_unavailable(folder):
            return copies_of(os.listdir(folder)) if folder.is_dir() else ()  # noqa: PTH208 (names only)

    def file(self, copy: Copy) -> Path:
        return self.place / FOLDER / copy.name

    def write(self, content: bytes, mark: str, time: dt.datetime) -> Copy:
        """Write a copy, verify it by reading it back, and delete old ones.

        mark: the station's mark, 8 hexadecimal digits.
        time: the time in the hall.
        Raises StickFull, StickPulled, StickReadOnly, or Unavailable if the stick fails or reads back
        different bytes.
        """
        if not self.is_in():
            raise StickPulled(f"{self.place}: there is no stick")
        folder = self.place / FOLDER
        try:
            self._make_folder(folder)
            unfinished = folder / _UNFINISHED
            unfinished.unlink(missing_ok=True)
            before = self.copies()
            self._make_room(len(content), before, mark)
            copy = next_copy(before, mark, time)
            _write_through(unfinished, content)
            _compare(unfinished, content)
            unfinished.replace(self.file(copy))
            self._flush_name(copy)
            self._let_go(stale_copies((*before, copy), mark))
        except Unavailable:
            raise
        except OSError as error:
            if not self.is_in():
                raise StickPulled(f"{self.place}: the stick was pulled out") from error
            if error.errno in _NOT_WRITABLE:
                raise StickReadOnly(f"{self.place}: the stick cannot be written") from error
            if error.errno in _FULL:
                raise StickFull(len(content), 0) from error
            raise Unavailable(f"{self.place}: {error.strerror or error}") from error
        return copy

    def _make_folder(self, folder: Path) -> None:
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
            flush_folder(self.place)

    def _flush_name(self, copy: Copy) -> None:
        """Make a copy's file name durable. On FAT, flushing a folder flushes only its own blocks.

        A file's first cluster is stored in its folder entry, which is flushed with the file; the first sector
        of a new folder is flushed with its parent.
        """
        DiskFiles().flush(self.file(copy))
        flush_folder(self.place / FOLDER)
        flush_folder(self.place)

    def _make_room(self, size: int, copies: tuple[Copy, ...], mark: str) -> None:
        """Delete as few old copies of this station as needed; the newest three stay."""
        needed = size + _MARGIN
        for copy in deletable_copies(copies, mark, _NEVER_FEWER):
            if self._room(self.place) >= needed:
                return
            self._let_go((copy,))
        if (free := self._room(self.place)) < needed:
            raise StickFull(needed, free)

    def _let_go(self, copies: tuple[Copy, ...]) -> None:
        for copy in copies:
            self.file(copy).unlink(missing_ok=True)
        if copies:
            flush_folder(self.place / FOLDER)


def mark_of(station: str) -> str:
    """Return the mark for a station's copies.

    ``station`` is the hexadecimal fingerprint of its certificate.
    """
    return station[:8].lower()


def _write_through(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(content)
        out.flush()
        system.flush_descriptor(descriptor)
        # Read back from the stick, not from the page cache.
        system.drop_from_cache(descriptor)


def _compare(path: Path, content: bytes) -> None:
    with path.open("rb", buffering=0) as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    if digest != hashlib.sha256(content).digest():
        raise Unavailable(f"{path.parent.parent}: the stick gives back something else than was written")
