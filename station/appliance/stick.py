"""A copy written to a USB stick that anybody may pull out at any moment.

A new file under another name, flushed, read back from the stick and compared, then renamed: whatever
happens, the copies that were there stay, and a name that looks like a copy holds a whole one.
"""

import contextlib
import datetime as dt
import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from saloon.core.errors import Unavailable
from saloon.station.appliance.stick_copies import Copy, copies_of, next_copy, spare, stale
from saloon.sync.whole_file import DiskFiles, flush_folder, told

FOLDER: Final = "Saloon"
_PIECE: Final = 1024 * 1024
_MARGIN: Final = 4 * _PIECE
"""Room that is left to others on the stick, and to the names of files."""
_NEVER_FEWER: Final = 3
_UNFINISHED: Final = "unfinished.tmp"
_NOT_WRITABLE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class StickFull(Unavailable):
    """A copy does not fit. needed, free: bytes."""

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(f"the stick is full: {needed:,} bytes are needed, {free:,} are free")
        self.needed, self.free = needed, free


class StickPulled(Unavailable):
    """The stick was gone before all was on it."""


class StickReadOnly(Unavailable):
    """Nothing can be written on it: a switch at its side, or a damaged file system."""


def free_room(place: Path) -> int:
    """Bytes that are free where a folder is. Raises OSError."""
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize


class Stick:
    """The place where a stick is mounted; calls block, on a bad stick for minutes.

    is_mounted: whether something is mounted there; an empty folder on the card is no stick. room:
    bytes that are free.
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
        """Whether a stick is there."""
        with contextlib.suppress(OSError):
            return self._is_mounted(self.place)
        return False

    def copies(self) -> tuple[Copy, ...]:
        """The copies on it, of all stations. Raises Unavailable."""
        folder = self.place / FOLDER
        with told(folder):
            return copies_of(os.listdir(folder)) if folder.is_dir() else ()  # noqa: PTH208 (names only)

    def file(self, copy: Copy) -> Path:
        """Where a copy is."""
        return self.place / FOLDER / copy.name

    def write(self, content: bytes, mark: str, time: dt.datetime) -> Copy:
        """Write a copy, compare it with what can be read again, and let old ones go.

        mark: of the station, 8 hexadecimal digits. time: in the hall. Raises StickFull, StickPulled,
        and Unavailable for a stick that cannot be written, or does not give back what was written.
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
            unfinished.rename(self.file(copy))
            self._flush_name(copy)
            self._let_go(stale((*before, copy), mark))
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
        """Make the name of a copy durable. Of FAT, the kernel flushes by a folder only what belongs to it.

        Where a file begins stands beside its name and belongs to the file; the first sector of a new folder
        belongs to the folder around it.
        """
        DiskFiles().flush(self.file(copy))
        flush_folder(self.place / FOLDER)
        flush_folder(self.place)

    def _make_room(self, size: int, copies: tuple[Copy, ...], mark: str) -> None:
        """Let old copies of this station go, as few as needed; the newest three stay."""
        needed = size + _MARGIN
        for copy in spare(copies, mark, _NEVER_FEWER):
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
    """What marks the copies of a station. station: the fingerprint of its certificate, hexadecimal."""
    return station[:8].lower()


def _write_through(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(descriptor)
        # What is read again shall come from the stick, not from memory.
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def _compare(path: Path, content: bytes) -> None:
    with path.open("rb", buffering=0) as file:
        found = hashlib.file_digest(file, "sha256").digest()
    if found != hashlib.sha256(content).digest():
        raise Unavailable(f"{path.parent.parent}: the stick gives back something else than was written")
