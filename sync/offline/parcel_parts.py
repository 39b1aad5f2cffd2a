"""Cutting a parcel into parts for QR codes, and putting it together again.

A part is a line of text in characters that QR codes encode efficiently (capital letters, digits and
``$*+-.``, but no spaces, which a form would strip). Parts are accepted in any order, repeated, and from
several parcels at a time.
"""

import hashlib
import struct
import zlib

import msgspec

from base.errors import OurFault
from sync.offline.parcel import BadParcel, Flaw

PREFIX = "SALOON1:"
"""The prefix of every part."""
ROOM = 970
"""The most characters of a part: the capacity of a QR code of version 20 at error correction M."""
MOST_PARTS = 400
"""The most parts of one parcel; a larger one needs a USB drive."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-."
_BASE = len(_ALPHABET)
_DIGIT = {character: value for value, character in enumerate(_ALPHABET)}
_HEAD = struct.Struct("!8sHH")
_CRC = struct.Struct("!I")
_LARGEST = (ROOM - len(PREFIX)) // 3 * 2 - _HEAD.size - _CRC.size
"""The most payload bytes of a single part."""
_MOST_PARCELS = 16
"""The number of incomplete parcels kept; the least recently used one is dropped first."""


class ParcelPart(msgspec.Struct, frozen=True):
    """A part.

    parcel: the first 8 bytes of the whole parcel's SHA-256, in hex.
    number: from 1.
    """

    parcel: str
    number: int
    count: int
    data: bytes


class ParcelProgress(msgspec.Struct, frozen=True):
    """The progress of assembling a parcel. ``has`` lists the numbers of the parts received, in order."""

    parcel: str
    count: int
    has: tuple[int, ...]


def parcel_id(parcel: bytes) -> str:
    """Return a parcel's id for its parts: the first 8 bytes of its SHA-256, in hex."""
    return hashlib.sha256(parcel).digest()[:8].hex()


def parts_of(parcel: bytes) -> tuple[str, ...]:
    """Return the parts of a parcel as texts of similar length. Raises OurFault for more than MOST_PARTS."""
    count = max(1, -(-len(parcel) // _LARGEST))
    if count > MOST_PARTS:
        raise OurFault(f"a parcel of {count} parts; {MOST_PARTS} are allowed")
    size = -(-len(parcel) // count)
    name = bytes.fromhex(parcel_id(parcel))
    return tuple(
        _text(_HEAD.pack(name, number + 1, count) + parcel[number * size : (number + 1) * size])
        for number in range(count)
    )


def fits_codes(parcel: bytes) -> bool:
    """Return whether a parcel is small enough for QR codes."""
    return len(parcel) <= _LARGEST * MOST_PARTS


def part_of(text: str, where: str) -> ParcelPart:
    """Parse the text of a part. Raises BadParcel for one that is invalid or damaged."""
    text = text.strip()
    if not text.startswith(PREFIX):
        other = text.startswith(PREFIX[:6])
        raise BadParcel(where, Flaw.OTHER_VERSION if other else Flaw.NO_PARCEL)
    if len(text) > ROOM:
        raise BadParcel(where, Flaw.TOO_LARGE)
    framed = _from_base41(text[len(PREFIX) :], where)
    if len(framed) < _HEAD.size + _CRC.size:
        raise BadParcel(where, Flaw.DAMAGED, "too short")
    body, (crc,) = framed[: -_CRC.size], _CRC.unpack(framed[-_CRC.size :])
    if zlib.crc32(body) != crc:
        raise BadParcel(where, Flaw.DAMAGED, "its check is wrong")
    name, number, count = _HEAD.unpack_from(body)
    if not 1 <= number <= count <= MOST_PARTS:
        raise BadParcel(where, Flaw.DAMAGED, f"part {number} of {count}")
    return ParcelPart(name.hex(), number, count, body[_HEAD.size :])


class ParcelAssembler:
    """An assembler of parcels from parts in any order, with bounded memory."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[int, ParcelPart]] = {}

    def add(self, part: ParcelPart) -> bytes | None:
        """Add a part, and return the parcel's bytes if it was the last missing one, else None.

        Raises BadParcel if the parts don't match their parcel id: all of them are dropped and must
        be scanned again.
        """
        there = self._parts.pop(part.parcel, {})
        if any(other.count != part.count for other in there.values()):
            raise BadParcel(part.parcel, Flaw.DAMAGED, "its parts do not belong together")
        there[part.number] = part
        if len(there) == part.count:
            whole = b"".join(there[number].data for number in range(1, part.count + 1))
            if parcel_id(whole) != part.parcel:
                raise BadParcel(part.parcel, Flaw.DAMAGED, "its parts do not belong together")
            return whole
        self._parts[part.parcel] = there
        while len(self._parts) > _MOST_PARCELS:
            del self._parts[next(iter(self._parts))]
        return None

    def progress(self) -> tuple[ParcelProgress, ...]:
        """Return the progress of incomplete parcels, the most recently used one last."""
        return tuple(
            ParcelProgress(name, next(iter(parts.values())).count, tuple(sorted(parts)))
            for name, parts in self._parts.items()
        )

    def pending_parts(self) -> tuple[ParcelPart, ...]:
        """Return the parts of incomplete parcels."""
        return tuple(part for parts in self._parts.values() for _, part in sorted(parts.items()))


def text_of(part: ParcelPart) -> str:
    return _text(_HEAD.pack(bytes.fromhex(part.parcel), part.number, part.count) + part.data)


def _text(body: bytes) -> str:
    return PREFIX + _to_base41(body + _CRC.pack(zlib.crc32(body)))


def _to_base41(data: bytes) -> str:
    """Encode every two bytes as three characters, least significant first; a single last byte as two."""
    characters: list[str] = []
    for at in range(0, len(data) - 1, 2):
        high, low = divmod(data[at] * 256 + data[at + 1], _BASE)
        characters += (_ALPHABET[low], _ALPHABET[high % _BASE], _ALPHABET[high // _BASE])
    if len(data) % 2:
        characters += (_ALPHABET[data[-1] % _BASE], _ALPHABET[data[-1] // _BASE])
    return "".join(characters)


def _from_base41(text: str, where: str) -> bytes:
    try:
        digits = [_DIGIT[character] for character in text]
    except KeyError as error:
        raise BadParcel(where, Flaw.DAMAGED, "a character that no part has") from error
    data = bytearray()
    for at in range(0, len(digits), 3):
        group = digits[at : at + 3]
        value = sum(digit * _BASE**place for place, digit in enumerate(group))
        size = len(group) - 1
        if size < 1 or value >= 256**size:
            raise BadParcel(where, Flaw.DAMAGED, "characters that no part has")
        data += value.to_bytes(size)
    return bytes(data)
