"""Insert a table's provisioning file into a terminal's card image while copying it.

The image file is not changed, and secrets are written only to the destination.
"""

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from base.errors import BadData, Unavailable
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
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            return CardImage(path, size, _boot_of(reader(file), size, str(path)))
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{path}: {error.strerror}") from error


def reader(file: BinaryIO) -> Read:
    """Return a function that reads bytes of a file at a position."""

    def read(start: int, size: int) -> bytes:
        file.seek(start)
        return file.read(size)

    return read


def provisioning_patches(image: CardImage, toml: str, when: dt.datetime) -> tuple[Patch, ...]:
    """Return the patches that add a provisioning file to the image. Raises BadData or Unavailable."""
    try:
        with image.path.open("rb") as file:
            return patches_for_file(reader(file), image.boot, FILE, toml.encode(), when)
    except OSError as error:
        raise Unavailable(f"{image.path}: {error.strerror}") from error


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
