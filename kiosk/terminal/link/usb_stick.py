"""Files on a USB drive, written completely or not at all."""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path

import structlog

from kiosk.view.transfer_view import UsbStickState

USUAL_STICK = Path("/media/saloon")
"""The mount point of USB drives in a terminal's image."""

_log = structlog.get_logger()
_NOT_WRITABLE = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GONE = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ESTALE, errno.ENOTDIR})


class UsbStick:
    """A USB drive that the system mounts at a folder, or at a subfolder of it. Calls block.

    ``is_mounted`` is True if something is mounted there, as opposed to an empty folder on the card.
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
    unfinished = place / f"{name}.new"
    try:
        with unfinished.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(place / name)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    folder = os.open(place, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    if (place / name).read_bytes() != data:
        raise OSError(errno.EIO, "the USB drive contains other data than was written", name)


def _state_of(error: OSError) -> UsbStickState:
    if error.errno in _FULL:
        return UsbStickState.FULL
    if error.errno in _NOT_WRITABLE:
        return UsbStickState.READ_ONLY
    return UsbStickState.PULLED if error.errno in _GONE else UsbStickState.FAILED
