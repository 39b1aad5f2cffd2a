"""Write copies to a USB stick that may be unplugged at any moment.

A copy is written when a stick is inserted, then at regular intervals, and once more when the station ends. A
new file is written under a temporary name, flushed, read back from the stick, compared and renamed. So
existing copies are never damaged, and a file named like a copy is complete. Copies are identified and ordered
by a number, as the clock of a small computer may be wrong; the time in a name is only for people.
"""

import asyncio
import contextlib
import datetime as dt
import errno
import hashlib
import os
import re
import shutil
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base import system
from base.clock import Clock
from base.errors import SaloonError, Unavailable
from base.whole_file import DiskFiles, disk_errors_as_unavailable, flush_folder
from station.appliance.status import StickState, StickStatus

_log = structlog.get_logger()
FOLDER: Final = "Saloon"
_LOOKS_EVERY_S: Final = 2.0
_AGAIN_MS: Final = 30_000
"""The delay before retrying a failed copy."""
_MARGIN: Final = 4 * 1024 * 1024
"""The space in bytes to leave free on the stick for other files and folder entries."""
_NEVER_FEWER: Final = 3
_UNFINISHED: Final = "unfinished.tmp"
_NOT_WRITABLE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NAME: Final = re.compile(r"saloon-([0-9a-f]{8})-([0-9]{6})-([0-9]{8}-[0-9]{6})\.backup")
_TIME: Final = "%Y%m%d-%H%M%S"
_LAST: Final = 999_999
_ALL_OF: Final = 12
"""The number of newest copies that are all kept: two hours, at one every ten minutes."""
_SOME_OF: Final = 144
_MANY_OF: Final = 48 * 30
_SOME: Final = 6
_FEW: Final = 48


class Copy(msgspec.Struct, frozen=True):
    """A copy on a stick. ``mark`` is the station's, 8 hexadecimal digits; ``time`` is local."""

    mark: str
    number: int
    time: dt.datetime

    @property
    def name(self) -> str:
        return f"saloon-{self.mark}-{self.number:06}-{self.time.strftime(_TIME)}.backup"


def copies_of(names: Iterable[str]) -> tuple[Copy, ...]:
    """Return the copies among these file names, sorted by station, each one's newest first."""
    copies = [copy for copy in map(_copy_of, names) if copy is not None]
    return tuple(sorted(copies, key=lambda copy: (copy.mark, -copy.number)))


def next_copy(copies: Sequence[Copy], mark: str, time: dt.datetime) -> Copy:
    numbers = [copy.number for copy in copies if copy.mark == mark]
    return Copy(mark, min(_LAST, max(numbers, default=0) + 1), time)


def stale_copies(copies: Sequence[Copy], mark: str) -> tuple[Copy, ...]:
    """Return the copies of one station that can be deleted, oldest first.

    Kept are the newest 12, every 6th of the newest 144 and every 48th of the newest 1,400 or so. This covers
    two hours completely, a day hourly and ten days with three a day.
    """
    own = sorted((copy for copy in copies if copy.mark == mark), key=lambda copy: copy.number)
    newest = own[-1].number if own else 0
    return tuple(copy for copy in own if not _stays(copy.number, newest))


def deletable_copies(copies: Sequence[Copy], mark: str, kept: int) -> tuple[Copy, ...]:
    """Return the copies of one station to delete for space, oldest first, sparing the newest ``kept``."""
    own = sorted((copy for copy in copies if copy.mark == mark), key=lambda copy: copy.number)
    return tuple(own[: max(0, len(own) - kept)])


def _stays(number: int, newest: int) -> bool:
    age = newest - number
    if age < _ALL_OF:
        return True
    return number % _SOME == 0 if age < _SOME_OF else number % _FEW == 0 and age < _MANY_OF


def _copy_of(name: str) -> Copy | None:
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    try:
        time = dt.datetime.strptime(match[3], _TIME)  # noqa: DTZ007 (the hall's time, for people)
    except ValueError:
        return None
    return Copy(match[1], int(match[2]), time)


class StickFailure(Unavailable):
    """Raised when a copy cannot be written, as the stick was unplugged, is full or is read-only."""

    def __init__(self, state: StickState, problem: str) -> None:
        super().__init__(problem)
        self.state = state


def free_room(place: Path) -> int:
    return shutil.disk_usage(place).free


class Stick:
    """A stick, by its mount point. Calls block, on a faulty stick for minutes.

    is_mounted: returns whether something is mounted there, rather than an empty folder on the card.
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
        """Write a copy, read it back to verify it, and delete old ones. Raises Unavailable."""
        if not self.is_in():
            raise StickFailure(StickState.NONE, f"{self.place}: there is no stick")
        folder = self.place / FOLDER
        try:
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                flush_folder(self.place)
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
                raise StickFailure(StickState.NONE, f"{self.place}: the stick was pulled out") from error
            if error.errno in _NOT_WRITABLE:
                raise StickFailure(
                    StickState.READ_ONLY, f"{self.place}: the stick cannot be written"
                ) from error
            if error.errno in _FULL:
                raise _is_full(len(content), 0) from error
            raise Unavailable(f"{self.place}: {error.strerror or error}") from error
        return copy

    def _flush_name(self, copy: Copy) -> None:
        """Make a copy's file name durable. On FAT, flushing a folder flushes only its own blocks.

        A file's first cluster is stored in its folder entry, which is flushed with the file; the first sector
        of a new folder is flushed with its parent.
        """
        DiskFiles().flush(self.file(copy))
        flush_folder(self.place / FOLDER)
        flush_folder(self.place)

    def _make_room(self, size: int, copies: tuple[Copy, ...], mark: str) -> None:
        needed = size + _MARGIN
        for copy in deletable_copies(copies, mark, _NEVER_FEWER):
            if self._room(self.place) >= needed:
                return
            self._let_go((copy,))
        if (free := self._room(self.place)) < needed:
            raise _is_full(needed, free)

    def _let_go(self, copies: tuple[Copy, ...]) -> None:
        for copy in copies:
            self.file(copy).unlink(missing_ok=True)
        if copies:
            flush_folder(self.place / FOLDER)


def _is_full(needed: int, free: int) -> StickFailure:
    problem = f"the stick is full: {needed:,} bytes are needed, {free:,} are free"
    return StickFailure(StickState.FULL, problem)


def mark_of(station: str) -> str:
    """Return the mark for a station's copies, by the hexadecimal fingerprint of its certificate."""
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


class StickBackups:
    """A task that writes copies to the station's stick. Used on one event loop."""

    def __init__(
        self,
        stick: Stick,
        copy: Callable[[], Awaitable[bytes]],
        mark: str,
        clock: Clock,
        *,
        every_ms: int,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.stick = stick
        self._copy = copy
        self._mark = mark
        self._clock = clock
        self._every_ms = every_ms
        self._on_change = on_change
        self._lock = asyncio.Lock()
        self._due_ms: int | None = None
        self._digest = b""
        self.status = StickStatus()

    async def run(self) -> None:
        """Write copies until cancelled."""
        while True:
            await self.turn()
            await asyncio.sleep(_LOOKS_EVERY_S)

    async def turn(self) -> None:
        """Check for a stick and write a copy if one is due."""
        if not await asyncio.to_thread(self.stick.is_in):
            self._due_ms, self._digest = None, b""
            self._set_status(StickState.NONE)
        elif self.status.state is not StickState.LET_GO and self._is_due():
            await self.write()

    async def write(self) -> StickStatus:
        """Write a copy now, unless nothing has changed, and return the state of the stick. Never raises."""
        async with self._lock:
            self._due_ms = self._clock.monotonic_ms() + _AGAIN_MS
            self._set_status(StickState.WRITING)
            try:
                await self._write_copy()
            except SaloonError as error:
                state = error.state if isinstance(error, StickFailure) else StickState.FAILED
                if state is not StickState.NONE:
                    soon = isinstance(error, Unavailable)
                    _log.warning("no copy on the stick", problem=str(error), is_soon_again=soon)
                self._set_status(state)
            else:
                self._due_ms = self._clock.monotonic_ms() + self._every_ms
        return self.status

    async def eject(self) -> StickStatus:
        """Write a last copy, then stop using the stick so that it can be unplugged."""
        status = await self.write()
        if status.state is StickState.GOOD:
            self._set_status(StickState.LET_GO)
        return self.status

    async def end(self) -> None:
        """Write the last copy before the station ends, if a stick is inserted."""
        if self.status.state is not StickState.LET_GO and await asyncio.to_thread(self.stick.is_in):
            await self.write()

    async def _write_copy(self) -> None:
        content = await self._copy()
        digest = hashlib.sha256(content).digest()
        now_ms = self._clock.wall_ms()
        if digest == self._digest and await asyncio.to_thread(self.stick.is_in):
            self._set_status(StickState.GOOD, now_ms)
            return
        time = dt.datetime.fromtimestamp(now_ms / 1000).astimezone().replace(tzinfo=None)
        writing = asyncio.ensure_future(asyncio.to_thread(self.stick.write, content, self._mark, time))
        try:
            await asyncio.shield(writing)
        finally:
            # Also after cancellation, as a copy in progress must not overlap the next one.
            await asyncio.wait((writing,))
            if writing.exception() is None:
                self._digest = digest
                self._set_status(StickState.GOOD, now_ms, writing.result().name)
                _log.info("copied to the stick", file=writing.result().name, bytes=len(content))

    def _is_due(self) -> bool:
        return self._due_ms is None or self._clock.monotonic_ms() >= self._due_ms

    def _set_status(self, state: StickState, good_ms: int | None = None, file: str = "") -> None:
        status = StickStatus(state, good_ms or self.status.good_ms, file or self.status.file)
        if status != self.status:
            self.status = status
            self._on_change()
