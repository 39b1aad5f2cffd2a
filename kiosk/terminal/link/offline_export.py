"""Offline export of a terminal's entries: codes on the screen, and a file on a USB drive.

The journal's thread seals parcels; another thread draws codes and writes to the drive, so that neither the
screen nor the journal has to wait.
"""

import contextlib
import errno
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar, assert_never

import msgspec
import structlog

from base.errors import Refused
from base.whole_file import write_whole
from core.game.events import GameStep
from core.game.result import finished_match, result_bytes
from core.game.setup import TableSeated
from core.game.state.game import GameState, Phase
from core.terms import GameId
from kiosk.terminal.link.qr_codes import code_of
from kiosk.view.intents import CarryIntent, CloseExport, PlayParts, ShowCodes, StepParcelPart, WriteStick
from kiosk.view.table_view import OfflineExportView, ParcelCode, ParcelContents, ShownParcel, UsbStickState
from sync.protocol.parcel import fits_codes, parcel_id, parts_of
from sync.terminal.agent_contract import Packed, PackEntries, Packing, PackSheet

USUAL_STICK = Path("/media/saloon")
"""The mount point of USB drives in a terminal's image."""

_log = structlog.get_logger()
_NOT_WRITABLE = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GONE = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ESTALE, errno.ENOTDIR})


class UsbStick:
    """A USB drive that the system mounts at a folder, or at a subfolder of it. Calls block.

    ``is_mounted`` distinguishes a mounted drive from an empty folder on the card.
    """

    def __init__(self, folder: Path, is_mounted: Callable[[Path], bool] = os.path.ismount) -> None:
        self._folder = folder
        self._is_mounted = is_mounted

    def write(self, name: str, data: bytes) -> UsbStickState:
        """Write a file completely and flush it, replacing an older one. Never raises."""
        try:
            place = self._place()
            if place is None:
                return UsbStickState.NO_STICK
            _write_durably(place, name, data)
        except OSError as error:
            _log.warning("cannot write to the USB drive", problem=str(error))
            return _state_of(error)
        return UsbStickState.WRITTEN

    def _place(self) -> Path | None:
        if self._is_mounted(self._folder):
            return self._folder
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return next((path for path in sorted(self._folder.iterdir()) if self._is_mounted(path)), None)
        return None


def _write_durably(place: Path, name: str, data: bytes) -> None:
    try:
        write_whole(place / name, data)
    except OSError:
        with contextlib.suppress(OSError):
            (place / f"{name}.new").unlink(missing_ok=True)
        raise
    if (place / name).read_bytes() != data:
        raise OSError(errno.EIO, "the USB drive contains other data than was written", name)


def _state_of(error: OSError) -> UsbStickState:
    if error.errno in _FULL:
        return UsbStickState.FULL
    if error.errno in _NOT_WRITABLE:
        return UsbStickState.READ_ONLY
    return UsbStickState.PULLED if error.errno in _GONE else UsbStickState.FAILED


_Made = TypeVar("_Made")
_OVER = frozenset({Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED})
_steps = msgspec.msgpack.Decoder(GameStep)


class JournalSnapshot(msgspec.Struct, frozen=True):
    """The entries that a terminal can export. ``saved`` and ``received`` are numbers of entries."""

    game: GameState | None
    saved: int
    received: int


class OfflineExport:
    """The handler of export requests. ``wake`` wakes the loop, and is called on any thread."""

    def __init__(
        self,
        pack: Callable[[Packing], None],
        stick: UsbStick,
        wake: Callable[[], None],
    ) -> None:
        self._pack = pack
        self._stick = stick
        self._wake = wake
        self._pool = ThreadPoolExecutor(1, "parcels")
        self._game: GameId | None = None
        self._seated_at = 1
        self._parcel: ShownParcel | None = None
        self._codes: tuple[Future[ParcelCode], ...] = ()
        self._turned_ms: int | None = None
        self._request: Packing | None = None
        self._for_stick: Packing | None = None
        self._writing: Future[UsbStickState] | None = None
        self._file = ""
        self._table = 0
        self._looked_at: tuple[GameState | None, bool] = (None, False)

    def on_resumed(self, own: tuple[bytes, ...], game: GameState | None) -> None:
        """Find the first entry of the current game. ``own`` are the journal's entries, oldest first."""
        self._game = None if game is None else game.game
        self._seated_at = _seating_number(own)

    def on_entered(self, seq: int, game: GameState | None) -> None:
        """Note a new entry; the first one of another game ends the old game's export."""
        current = None if game is None else game.game
        if current != self._game:
            self._game, self._seated_at = current, seq
            self._put_away()

    def carry_out(self, intent: CarryIntent, held: JournalSnapshot, now_ms: int) -> None:
        """Carry out a request. A running game may be exported only by a judge."""
        match intent:
            case ShowCodes() if _may_leave(held.game, in_play=intent.by_judge):
                self._show(intent.load, held)
            case WriteStick() if _may_leave(held.game, in_play=intent.by_judge):
                self._write(held)
            case StepParcelPart() if self._parcel is not None and self._parcel.count:
                number = (self._parcel.number - 1 + intent.by) % self._parcel.count + 1
                self._parcel = msgspec.structs.replace(self._parcel, number=number, is_playing=False)
            case PlayParts() if self._parcel is not None:
                self._turned_ms = now_ms
                self._parcel = msgspec.structs.replace(
                    self._parcel, is_playing=intent.is_playing, every_ms=intent.every_ms
                )
            case CloseExport():
                self._put_away()
            case _:
                pass

    def on_packed(self, packed: Packed) -> None:
        """Show or write a sealed parcel, or report that it couldn't be sealed."""
        if packed.problem:
            _log.warning("cannot create a parcel", problem=packed.problem)
        if packed.wanted == self._for_stick:
            self._for_stick = None
            # The name suits any file system of a drive and depends on the content.
            self._file = f"saloon-table-{self._table}-{parcel_id(packed.parcel)}.parcel"
            self._writing = self._in_background(partial(self._write_parcel, packed))
        if packed.wanted == self._request and self._parcel is not None:
            self._request = None
            self._draw(packed)

    def advance(self, now_ms: int) -> None:
        """Show the next part when it is due."""
        if self._turned_ms is None:
            self._turned_ms = now_ms
        parcel, due = self._parcel, self.next_deadline_ms()
        if parcel is None or due is None or now_ms < due:
            return
        self._turned_ms = now_ms
        self._parcel = msgspec.structs.replace(parcel, number=parcel.number % parcel.count + 1)

    def view(self, held: JournalSnapshot) -> OfflineExportView:
        """Return everything that the screen shows of exports."""
        parcel = self._parcel
        if parcel is not None and 0 < parcel.number <= len(self._codes):
            drawn = self._codes[parcel.number - 1]
            parcel = msgspec.structs.replace(parcel, code=drawn.result() if drawn.done() else None)
        return OfflineExportView(
            parcel=parcel,
            stick=self._stick_state(),
            file=self._file,
            has_sheet=self._has_sheet(held.game),
            owed=max(0, held.saved - held.received),
            of_game=max(0, held.saved - self._seated_at + 1) if held.game is not None else 0,
        )

    def next_deadline_ms(self) -> int | None:
        """Return the time at which the next part is due, or None if the parts don't advance automatically."""
        parcel = self._parcel
        if parcel is None or parcel.count < 2 or not parcel.is_playing:  # noqa: PLR2004 (one part stays)
            return None
        return None if self._turned_ms is None else self._turned_ms + parcel.every_ms

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _show(self, load: ParcelContents, held: JournalSnapshot) -> None:
        request = self._packing(load, held)
        self._codes, self._request = (), request
        self._parcel = ShownParcel(load, has_failed=request is None)
        if request is not None:
            self._pack(request)

    def _packing(self, load: ParcelContents, held: JournalSnapshot) -> Packing | None:
        match load:
            case ParcelContents.SHEET:
                return _sheet(held.game)
            case ParcelContents.OWED:
                return PackEntries(held.received + 1) if held.saved > held.received else None
            case ParcelContents.GAME:
                return PackEntries(self._seated_at)
            case _:
                assert_never(load)

    def _draw(self, packed: Packed) -> None:
        assert self._parcel is not None  # the caller checks this
        self._turned_ms = None
        if packed.problem or not fits_codes(packed.parcel):
            self._parcel = msgspec.structs.replace(
                self._parcel, has_failed=bool(packed.problem), is_too_large=not packed.problem
            )
            return
        parts = parts_of(packed.parcel)
        self._parcel = msgspec.structs.replace(
            self._parcel, number=1, count=len(parts), first=packed.first, last=packed.last
        )
        self._codes = tuple(self._in_background(partial(code_of, text)) for text in parts)

    def _write(self, held: JournalSnapshot) -> None:
        """Write all entries that the station may lack, and the whole game: a drive has enough room."""
        self._table = 0 if held.game is None else held.game.table
        self._writing = None
        self._for_stick = PackEntries(min(held.received + 1, self._seated_at))
        self._pack(self._for_stick)

    def _has_sheet(self, game: GameState | None) -> bool:
        if game is not self._looked_at[0]:
            self._looked_at = game, _result(game) is not None
        return self._looked_at[1]

    def _write_parcel(self, packed: Packed) -> UsbStickState:
        if packed.problem:
            return UsbStickState.FAILED
        return self._stick.write(self._file, packed.parcel)

    def _stick_state(self) -> UsbStickState | None:
        if self._for_stick is not None:
            return UsbStickState.WRITING
        if self._writing is None:
            return None
        return self._writing.result() if self._writing.done() else UsbStickState.WRITING

    def _put_away(self) -> None:
        for drawing in self._codes:
            drawing.cancel()
        self._codes, self._parcel, self._request = (), None, None
        if self._writing is not None and self._writing.done():
            self._writing = None

    def _in_background(self, work: Callable[[], _Made]) -> Future[_Made]:
        begun = self._pool.submit(work)
        begun.add_done_callback(lambda _: self._wake())
        return begun


def _may_leave(game: GameState | None, *, in_play: bool) -> bool:
    """Return whether a game may be exported: a running one only by a judge, as parts of it are secret."""
    return in_play or game is None or game.phase in _OVER


def _result(game: GameState | None) -> bytes | None:
    if game is None:
        return None
    try:
        return result_bytes(finished_match(game))
    except Refused:
        return None


def _sheet(game: GameState | None) -> PackSheet | None:
    result = _result(game)
    if game is None or result is None:
        return None
    return PackSheet(game.game, "" if game.confirmed is None else game.confirmed.value, result)


def _seating_number(own: tuple[bytes, ...]) -> int:
    """Return the number of the entry that seated the last game, or 1 if none did."""
    for number in range(len(own), 0, -1):
        try:
            step = _steps.decode(own[number - 1])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if step.events and isinstance(step.events[0], TableSeated):
            return number
    return 1
