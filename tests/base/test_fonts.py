"""Fonts as browsers take them."""

import struct
from pathlib import Path

from base.fonts import FOLDER
from base.fonts.coverage import first_of_collection, letters_of

BARLOW = FOLDER / "BarlowCondensed-Bold.ttf"


def test_browsers_get_the_first_font_of_a_collection(tmp_path: Path) -> None:
    single, before = BARLOW.read_bytes(), 16
    (count,) = struct.unpack_from(">4xH", single)
    moved = bytearray(single)
    for at in range(12, 12 + 16 * count, 16):
        (offset,) = struct.unpack_from(">8xI", single, at)
        struct.pack_into(">I", moved, at + 8, offset + before)
    collection, font = tmp_path / "han.ttc", tmp_path / "han.ttf"
    collection.write_bytes(struct.pack(">4sIII", b"ttcf", 0x10000, 1, before) + moved)
    font.write_bytes(first_of_collection(collection))
    assert letters_of(font, 0) == letters_of(BARLOW, 0) == letters_of(collection, 0) != frozenset()
