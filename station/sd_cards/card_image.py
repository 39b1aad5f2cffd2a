"""Insert a table's provisioning file into a terminal's card image while copying it.

The copy goes to a card in a reader, or to a file. The image itself is not changed, so the secrets are only on
the copy. The bytes on a card are verified.
"""

import contextlib
import datetime as dt
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from base.errors import BadData, Unavailable
from base.system import device_number, drop_from_cache, flush_descriptor
from base.whole_file import disk_errors_as_unavailable
from station.sd_cards.fat32 import SECTOR, Patch, Read, label_of, patches_for_file

LABEL: Final = "SALOON"
FILE: Final = "saloon.toml"
PIECE: Final = 1 << 20
"""The size of one copied piece, in bytes."""
_TABLE: Final = 446
_ENTRY: Final = 16
_FAT_TYPES: Final = (0x0B, 0x0C, 0xEF)
_LINUX: Final = 0x83


class CardImage(msgspec.Struct, frozen=True):
    """A verified image of Saloon. ``boot`` is the offset of its FAT partition, in bytes."""

    path: Path
    size: int
    boot: int


def card_image(path: Path) -> CardImage:
    """Open and verify an image. Raises BadData if it is not Saloon's, Unavailable if it can't be read."""
    with disk_errors_as_unavailable(path), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        return CardImage(path, size, _boot_of(reader(file), size, str(path)))


def reader(file: BinaryIO) -> Read:
    """Return a function that reads bytes of a file at a position."""

    def read(start: int, size: int) -> bytes:
        file.seek(start)
        return file.read(size)

    return read


def provisioning_patches(image: CardImage, toml: str, when: dt.datetime) -> tuple[Patch, ...]:
    """Return the patches that add a provisioning file to the image. Raises BadData or Unavailable."""
    with disk_errors_as_unavailable(image.path), image.path.open("rb") as file:
        return patches_for_file(reader(file), image.boot, FILE, toml.encode(), when)


def pieces(image: CardImage, patches: Sequence[Patch]) -> Iterator[bytes]:
    """Yield the patched image in pieces. ``patches`` are sorted by position. Raises OSError."""
    waiting = list(reversed(patches))
    with image.path.open("rb") as file:
        for start in range(0, image.size, PIECE):
            piece = file.read(min(PIECE, image.size - start))
            if waiting and waiting[-1].start < start + len(piece):
                changed = bytearray(piece)
                while waiting and waiting[-1].start < start + len(piece):
                    patch = waiting.pop()
                    changed[patch.start - start : patch.start - start + len(patch.content)] = patch.content
                piece = bytes(changed)
            yield piece


def _boot_of(read: Read, size: int, where: str) -> int:
    """Return the offset of the boot partition, in bytes. Raises BadData."""
    table = read(0, SECTOR)
    if len(table) != SECTOR or table[510:] != b"\x55\xaa":
        raise BadData(where, "this is no image of a disk; make one with make image, or download it")
    entries = [table[_TABLE + n * _ENTRY :][:_ENTRY] for n in range(4)]
    kinds = [entry[4] for entry in entries]
    places = [int.from_bytes(entry[8:12], "little") * SECTOR for entry in entries]
    ends = [
        place + int.from_bytes(entry[12:16], "little") * SECTOR
        for place, entry in zip(places, entries, strict=True)
    ]
    is_laid_out = kinds[0] in _FAT_TYPES and kinds[1:] == [_LINUX, _LINUX, 0]
    if not is_laid_out or places[:3] != sorted(places[:3]) or not places[0] > 0 or max(ends) > size:
        raise BadData(where, "this is no image of Saloon: it has other partitions")
    try:
        label = label_of(read, places[0])
    except BadData as error:
        raise BadData(where, f"this is no image of Saloon: {error.problem}") from error
    if label != LABEL:
        raise BadData(where, f"this is no image of Saloon: its boot partition is called {label!r}")
    return places[0]


OnProgress = Callable[[int], None]
"""A callback for the number of bytes just processed; each byte counts twice, written and compared."""
_GB: Final = 10**9


class Disk(msgspec.Struct, frozen=True):
    """A disk to overwrite, or a file of size 0. ``model`` is the manufacturer's name for it."""

    path: Path
    size: int
    model: str

    def __str__(self) -> str:
        name = self.model or "a disk without a name"
        return f"{name}, {self.size / _GB:.1f} GB ({self.path})" if self.size else str(self.path)


def disk_at(path: Path, image: CardImage, system: Path = Path("/")) -> Disk:
    """Return the disk or file at a path, if it may be overwritten.

    ``system`` is the parent of /sys and /proc. Raises BadData for a disk that is in use, too small or a
    partition; Unavailable if there is none.
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
    """Return the model of a disk, by its device number. Raises BadData if it is in use, or a partition."""
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
    """Write the patched image to disk, flush it, read it back and compare. Raises Unavailable."""
    # The kernel refuses O_EXCL for a disk that has been mounted meanwhile.
    flags = os.O_RDWR | (os.O_EXCL if disk.size else os.O_CREAT)
    with (
        disk_errors_as_unavailable(disk.path),
        os.fdopen(os.open(disk.path, flags, 0o600), "r+b") as out,
    ):
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


def copy_image(image: CardImage, patches: Sequence[Patch], path: Path, on_progress: OnProgress) -> None:
    """Copy the image with its patches to a sparse file. Raises Unavailable."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with disk_errors_as_unavailable(path), os.fdopen(os.open(path, flags, 0o600), "wb") as out:
        for start, piece in _place_blocks(pieces(image, patches)):
            if piece.count(0) != len(piece):
                out.seek(start)
                out.write(piece)
            on_progress(len(piece))
        out.truncate(image.size)
        out.flush()
        flush_descriptor(out.fileno())


def _place_blocks(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    for number, piece in enumerate(blocks):
        yield number * PIECE, piece


def _write_all(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _size(path: Path) -> int:
    with disk_errors_as_unavailable(path), path.open("rb") as device:
        return device.seek(0, os.SEEK_END)


def _is_swap(system: Path, numbers: set[str]) -> bool:
    lines: list[str] = []
    with contextlib.suppress(OSError):
        lines = (system / "proc/swaps").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    for line in lines:
        with contextlib.suppress(OSError):
            if device_number(Path(line.split()[0]).stat()) in numbers:
                return True
    return False
