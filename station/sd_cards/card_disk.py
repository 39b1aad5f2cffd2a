"""Write an image to a card in a reader, or to a file instead, and verify the written bytes."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from base.system import device_number, drop_from_cache, flush_descriptor
from station.sd_cards.card_image import PIECE, CardImage, pieces
from station.sd_cards.fat32 import Patch

OnProgress = Callable[[int], None]
"""A callback for the number of bytes just processed; each byte counts twice, written and compared."""
_GB: Final = 10**9


class Disk(msgspec.Struct, frozen=True):
    """The disk or file to overwrite.

    size: in bytes, or 0 for a file.
    model: the manufacturer's name for it.
    """

    path: Path
    size: int
    model: str

    def __str__(self) -> str:
        """Describe the disk for people who confirm it."""
        name = self.model or "a disk without a name"
        return f"{name}, {self.size / _GB:.1f} GB ({self.path})" if self.size else str(self.path)


def disk_at(path: Path, image: CardImage, system: Path = Path("/")) -> Disk:
    """Return the disk or file at a path, if it may be overwritten.

    ``system`` is the parent of /sys and /proc.

    Raises BadData for a disk that is in use, too small or a partition; Unavailable if there is none.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if path.parent.is_dir() and system / "dev" not in path.parents:
            return Disk(path, 0, "")
        raise Unavailable(f"{path}: there is no such disk; is the card in its reader?") from None
    if stat.S_ISREG(status.st_mode):
        return Disk(path, 0, "")
    if not (system / "proc/self/mountinfo").exists():
        raise Unavailable(f"{path}: only Linux writes disks; choose a file, and write it with Imager")
    if not stat.S_ISBLK(status.st_mode):
        raise BadData(str(path), "this is no disk and no file")
    size = _size(path)
    if size < image.size:
        raise BadData(str(path), f"{size / _GB:.1f} GB are too few: the image has {image.size / _GB:.1f} GB")
    return Disk(path, size, unused_model(path, device_number(status), system))


def unused_model(path: Path, number: str, system: Path) -> str:
    """Return the model name of an unused block device. ``number`` is its major and minor number.

    Raises BadData for a device that is in use, and for a partition.
    """
    device = system / "sys/dev/block" / number
    if (device / "partition").exists():
        raise BadData(str(path), "this is a part of a disk; name the whole disk, such as /dev/sdb")
    parts = [device, *(entry.parent for entry in device.glob("*/partition"))]
    numbers = {number, *((part / "dev").read_text(encoding="ascii").strip() for part in parts[1:])}
    mounts = (system / "proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    for line in mounts.splitlines():
        fields = line.split()
        if fields[2] in numbers:
            raise BadData(str(path), f"it is in use at {fields[4]}: unmount it, or take another disk")
    if any(any((part / "holders").glob("*")) for part in parts) or _is_swap(system, numbers):
        raise BadData(str(path), "this computer uses it; take another disk")
    try:
        return " ".join((device / "device/model").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return ""


def write_card(image: CardImage, patches: Sequence[Patch], disk: Disk, on_progress: OnProgress) -> None:
    """Write the image with its patches to disk, flush it, read it back and compare.

    Raises Unavailable if the disk fails or reads back different bytes.
    """
    try:
        # The kernel refuses O_EXCL for a disk that has been mounted meanwhile.
        only = os.O_EXCL if disk.size else os.O_CREAT
        descriptor = os.open(disk.path, os.O_RDWR | only, 0o600)
        with os.fdopen(descriptor, "r+b") as out:
            for piece in pieces(image, patches):
                _write_all(out.fileno(), piece)
                on_progress(len(piece))
            if not disk.size:
                out.truncate(image.size)
            flush_descriptor(out.fileno())
            # Read back from the card, not from the page cache.
            drop_from_cache(out.fileno())
            out.seek(0)
            for start, piece in _place_blocks(pieces(image, patches)):
                if out.read(len(piece)) != piece:
                    raise Unavailable(f"{disk.path}: wrong bytes from {start} on; take another card")
                on_progress(len(piece))
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{disk.path}: {error.strerror}") from error


def copy_image(image: CardImage, patches: Sequence[Patch], path: Path, on_progress: OnProgress) -> None:
    """Copy the image with its patches to a sparse file. Raises Unavailable."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            for start, piece in _place_blocks(pieces(image, patches)):
                if piece.count(0) != len(piece):
                    out.seek(start)
                    out.write(piece)
                on_progress(len(piece))
            out.truncate(image.size)
            out.flush()
            flush_descriptor(out.fileno())
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from error


def _place_blocks(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    for number, piece in enumerate(blocks):
        yield number * PIECE, piece


def _write_all(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _size(path: Path) -> int:
    try:
        with path.open("rb") as device:
            return device.seek(0, os.SEEK_END)
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from error


def _is_swap(system: Path, numbers: set[str]) -> bool:
    try:
        lines = (system / "proc/swaps").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    except OSError:
        return False
    for line in lines:
        try:
            device = Path(line.split()[0]).stat()
        except OSError:
            continue
        if device_number(device) in numbers:
            return True
    return False
