"""The letters that our fonts have, and what is shown of names with other ones."""

import struct
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

from base.fonts import FOLDER, HAN, LAST_LATIN, SCRIPTS

_COLLECTION: Final = b"ttcf"
_SEGMENTS, _GROUPS = 4, 12
"""The two ``cmap`` formats in use today."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zs"})
"""Categories of invisible characters."""
_VARIANTS: Final = "\ufe0e\ufe0f"
"""Invisible marks after symbols, for their look as text or as emoji."""
_NOT_AT_ENDS: Final = f" \u200c\u200d{_VARIANTS}"


@cache
def letters_of_terminals() -> frozenset[int]:
    """Return the code points that terminals can show in names. Blocks; the first call reads all fonts."""
    files = [*FOLDER.glob("Barlow*-Bold.ttf"), *SCRIPTS.glob("*-Bold.ttf"), HAN]
    return frozenset().union(*(letters_of(file, 0) for file in files))


def missing_letters(text: str, known: frozenset[int]) -> str:
    """Return the distinct visible letters of a text that aren't among the known code points."""
    if max(text, default="") <= LAST_LATIN:
        return ""
    letters = dict.fromkeys(letter for letter in text if ord(letter) not in known and letter not in _VARIANTS)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in _UNSEEN)


def shortened(name: str, missing: str) -> str:
    """Return a name without its missing letters, which may be empty."""
    return "".join(letter for letter in name if letter not in missing).strip(_NOT_AT_ENDS)


def readable(name: str, missing: str, otherwise: str) -> str:
    """Return a name without its missing letters, if there are any followed by another name."""
    kept = shortened(name, missing)
    if not missing or not kept:
        return otherwise if missing else name
    return f"{kept} ({otherwise})"


def shortened_names(names: Iterable[str], known: frozenset[int]) -> tuple[tuple[str, str], ...]:
    """Return the names with missing letters, each with the part that can be shown."""
    missing = ((name, missing_letters(name, known)) for name in names)
    return tuple((name, shortened(name, letters)) for name, letters in missing if letters)


@cache
def letters_of(font: Path, index: int) -> frozenset[int]:
    """Return the code points for which a font has glyphs; none for an unreadable file.

    index: the font's position in a collection.
    """
    try:
        with font.open("rb") as file:
            return frozenset(_mapped(_character_map(file, index)))
    except (OSError, struct.error, StopIteration):
        return frozenset()


def first_of_collection(font: Path) -> bytes:
    """Return the first font of a collection as a file for browsers, which read no collections. Blocks.

    Raises OSError or struct.error.
    """
    head, body = b"", b""
    with font.open("rb") as file:
        tables = list(_tables(file, 0))
        for tag, checksum, offset, length in tables:
            head += struct.pack(">4sIII", tag, checksum, 12 + 16 * len(tables) + len(body), length)
            file.seek(offset)
            body += file.read(length) + bytes(-length % 4)
    return struct.pack(">IH6x", 0x10000, len(tables)) + head + body


def _tables(file: BinaryIO, index: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Return tag, checksum, offset and length of each table of a font (OpenType 1.9.1)."""
    start = 0
    if file.read(4) == _COLLECTION:
        file.seek(12 + 4 * index)
        (start,) = struct.unpack(">I", file.read(4))
    file.seek(start + 4)
    (count,) = struct.unpack(">H6x", file.read(8))
    return struct.iter_unpack(">4sIII", file.read(16 * count))


def _character_map(file: BinaryIO, index: int) -> bytes:
    offset, length = next(
        (offset, length) for tag, _, offset, length in _tables(file, index) if tag == b"cmap"
    )
    file.seek(offset)
    return file.read(length)


def _mapped(cmap: bytes) -> Iterator[int]:
    (count,) = struct.unpack_from(">2xH", cmap)
    for number in range(count):
        (offset,) = struct.unpack_from(">4xI", cmap, 4 + 8 * number)
        (kind,) = struct.unpack_from(">H", cmap, offset)
        if kind == _GROUPS:
            (groups,) = struct.unpack_from(">12xI", cmap, offset)
            for group in range(groups):
                first, last = struct.unpack_from(">II", cmap, offset + 16 + 12 * group)
                yield from range(first, last + 1)
        elif kind == _SEGMENTS:
            yield from _of_segments(cmap, offset)


def _of_segments(cmap: bytes, at: int) -> Iterator[int]:
    (double,) = struct.unpack_from(">6xH", cmap, at)
    columns = at + 14, at + 16 + double, at + 16 + 2 * double, at + 16 + 3 * double
    for place in range(0, double, 2):
        last, first, delta, shift = (struct.unpack_from(">H", cmap, begin + place)[0] for begin in columns)
        range_at = columns[3] + place
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if shift:
                (glyph,) = struct.unpack_from(">H", cmap, range_at + shift + 2 * (code - first))
            if glyph and (glyph + delta) & 0xFFFF:
                yield code
