"""The image of a terminal's card, with the provisioning file of one table put into it on the way.

The image itself stays as it is, and what is secret is written nowhere but where it is wanted.
"""

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from saloon.core.errors import BadData, Unavailable
from saloon.station.fat32 import SECTOR, Patch, Read, label_of, with_file

LABEL: Final = "SALOON"
FILE: Final = "saloon.toml"
PIECE: Final = 1 << 20
"""How much is copied at a time, in bytes."""
_TABLE: Final = 446
_ENTRY: Final = 16
_FAT_TYPES: Final = (0x0B, 0x0C, 0xEF)
_LINUX: Final = 0x83


class CardImage(msgspec.Struct, frozen=True):
    """An image that is known to be one of ours. boot: where its FAT partition begins, in bytes."""

    path: Path
    size: int
    boot: int


def card_image(path: Path) -> CardImage:
    """The image in a file. Raises BadData for what is none of Saloon, Unavailable where it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            return CardImage(path, size, _boot_of(reader(file), size, str(path)))
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{path}: {error.strerror}") from error


def reader(file: BinaryIO) -> Read:
    """Bytes of a file by their position."""

    def read(start: int, size: int) -> bytes:
        file.seek(start)
        return file.read(size)

    return read


def with_provisioning(image: CardImage, toml: str, when: dt.datetime) -> tuple[Patch, ...]:
    """What of the image is other on the card of one table. Raises BadData, Unavailable."""
    try:
        with image.path.open("rb") as file:
            return with_file(reader(file), image.boot, FILE, toml.encode(), when)
    except OSError as error:
        raise Unavailable(f"{image.path}: {error.strerror}") from error


def pieces(image: CardImage, patches: Sequence[Patch]) -> Iterator[bytes]:
    """The card's bytes, in order. patches: in order. Raises OSError."""
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
    """Where the boot partition begins. Raises BadData."""
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
