"""Parcels: entries, or a finished record sheet, sealed by a terminal to travel without a connection.

A parcel travels by any means, such as QR codes or a USB drive, and its signature proves which terminal sealed
it and that it is unaltered. For QR codes it is cut into parts. Each part is a line of text in characters that
QR codes encode efficiently: capital letters, digits and ``$*+-.``, but no spaces, which a web form would
strip. Parts are accepted in any order, repeatedly, and from several parcels at a time.
"""

import enum
import hashlib
import struct
import zlib
from functools import reduce
from typing import TYPE_CHECKING

import msgspec

from base.errors import BadData, OurFault
from base.signing import Sign
from sync.protocol.entry import Entry, Epoch, StreamId, TerminalId, chained_hash

if TYPE_CHECKING:
    # Takes 9 MB, so it is only loaded to seal or open a parcel.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


MAGIC = b"SP\x01"
"""The first bytes of a parcel; the last one is the format version."""
LONGEST_PARCEL = 4 * 1024 * 1024
LONGEST_CONTENT = 16 * 1024 * 1024
"""The most bytes of a parcel's uncompressed content."""
SIGNED_AS = b"saloon parcel 1\x00"
"""A prefix of the signed bytes, so that no other use of the key can sign a parcel."""

_TERMINAL = 16
_SIGNATURE = 64
_SHORTEST = len(MAGIC) + _TERMINAL + 1 + _SIGNATURE


class Flaw(enum.Enum):
    """A reason to reject a parcel or a part."""

    NO_PARCEL = "this is no parcel of a terminal"
    OTHER_VERSION = "this parcel is of another version of Saloon"
    DAMAGED = "this is damaged: take it in again"
    NOT_SIGNED = "the signature is not the terminal's"
    TOO_LARGE = "this is larger than a parcel may be"


class BadParcel(BadData):
    """An invalid parcel or part. ``flaw`` is the reason."""

    def __init__(self, where: str, flaw: Flaw, detail: str = "") -> None:
        self.flaw = flaw
        super().__init__(where, f"{flaw.value} ({detail})" if detail else flaw.value)


class CarriedSheet(msgspec.Struct, frozen=True, array_like=True, tag="sheet"):
    """A finished result.

    epoch, seq, hash: durable head of the terminal's journal when the parcel was sealed.
    confirmed: how a judge confirmed it at the table, empty if not confirmed.
    result: MessagePack, for code that knows the game.
    """

    epoch: Epoch
    seq: int
    hash: bytes
    game: str
    confirmed: str
    result: bytes


class CarriedEntries(msgspec.Struct, frozen=True, array_like=True, tag="entries"):
    """Unmodified entries of one epoch, in order, from sequence number ``first`` on.

    ``before`` and ``after`` are the chained hashes before the first and after the last of them.
    """

    epoch: Epoch
    first: int
    before: bytes
    after: bytes
    raws: tuple[bytes, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.raws) - 1

    def entries(self, stream: StreamId) -> tuple[Entry, ...]:
        """Return the entries in the store's form, each with its chained hash."""
        made: list[Entry] = []
        digest = self.before
        for seq, raw in enumerate(self.raws, self.first):
            digest = chained_hash(digest, raw)
            made.append(Entry(stream, self.epoch, seq, raw, digest))
        return tuple(made)


Content = CarriedSheet | CarriedEntries

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Content] = msgspec.msgpack.Decoder(Content)


class Parcel(msgspec.Struct, frozen=True):
    """A parcel whose signature was verified. ``sealed`` contains the original bytes."""

    terminal: TerminalId
    content: Content
    sealed: bytes


def seal_parcel(terminal: TerminalId, content: Content, sign: Sign) -> bytes:
    """Compress and sign content. Raises OurFault if it is too large for a station."""
    plain = _encoder.encode(content)
    body = MAGIC + bytes.fromhex(terminal) + zlib.compress(plain, 9)
    if len(plain) > LONGEST_CONTENT or len(body) + _SIGNATURE > LONGEST_PARCEL:
        raise OurFault(f"a parcel of {len(plain)} bytes; {LONGEST_CONTENT} are allowed")
    return body + sign(SIGNED_AS + body)


def claimed_sender(parcel: bytes, where: str) -> TerminalId:
    """Return the terminal that claims to have sealed a parcel, unverified. Raises BadParcel."""
    if len(parcel) > LONGEST_PARCEL:
        raise BadParcel(where, Flaw.TOO_LARGE)
    if not parcel.startswith(MAGIC[:2]) or len(parcel) < _SHORTEST:
        raise BadParcel(where, Flaw.NO_PARCEL)
    if not parcel.startswith(MAGIC):
        raise BadParcel(where, Flaw.OTHER_VERSION)
    return TerminalId(parcel[len(MAGIC) : len(MAGIC) + _TERMINAL].hex())


def open_parcel(parcel: bytes, certificate: str, where: str) -> Parcel:
    """Verify a parcel by its terminal's certificate (PEM), and only then unpack it.

    Raises BadParcel naming ``where``.
    """
    terminal = claimed_sender(parcel, where)
    body = parcel[:-_SIGNATURE]
    from cryptography.exceptions import InvalidSignature

    try:
        _public_key(certificate, where).verify(parcel[-_SIGNATURE:], SIGNED_AS + body)
    except InvalidSignature as error:
        raise BadParcel(where, Flaw.NOT_SIGNED) from error
    return Parcel(terminal, _content(body[len(MAGIC) + _TERMINAL :], where), parcel)


def _public_key(certificate: str, where: str) -> "Ed25519PublicKey":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = x509.load_pem_x509_certificate(certificate.encode()).public_key()
    except ValueError as error:
        raise BadParcel(where, Flaw.NOT_SIGNED, "no certificate") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadParcel(where, Flaw.NOT_SIGNED, "another kind of key")
    return key


def _content(packed: bytes, where: str) -> Content:
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, LONGEST_CONTENT + 1)
    except zlib.error as error:
        raise BadParcel(where, Flaw.DAMAGED, str(error)) from error
    if len(plain) > LONGEST_CONTENT:
        raise BadParcel(where, Flaw.TOO_LARGE)
    if not unpacking.eof or unpacking.unused_data:
        raise BadParcel(where, Flaw.DAMAGED, "the compressed data does not end with the parcel")
    try:
        content = _decoder.decode(plain)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadParcel(where, Flaw.DAMAGED, str(error)) from error
    if isinstance(content, CarriedEntries):
        digest = reduce(chained_hash, content.raws, content.before)
        if content.first < 1 or not content.raws or digest != content.after:
            raise BadParcel(where, Flaw.DAMAGED, "the entries do not give the hash after them")
    return content


PREFIX = "SALOON1:"
ROOM = 970
"""The most characters of a part, which fit into a QR code of version 20 at error correction M."""
MOST_PARTS = 400
"""The most parts of one parcel; a larger one needs a USB drive."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-."
_BASE = len(_ALPHABET)
_DIGIT = {character: value for value, character in enumerate(_ALPHABET)}
_HEAD = struct.Struct("!8sHH")
_CRC = struct.Struct("!I")
_LARGEST = (ROOM - len(PREFIX)) // 3 * 2 - _HEAD.size - _CRC.size
_MOST_PARCELS = 16
"""The most incomplete parcels kept; the least recently used one is dropped first."""


class ParcelPart(msgspec.Struct, frozen=True):
    """A part, numbered from 1. ``parcel`` is the parcel's id."""

    parcel: str
    number: int
    count: int
    data: bytes


class ParcelProgress(msgspec.Struct, frozen=True):
    """The progress of assembling a parcel. ``has`` lists the numbers of the parts received."""

    parcel: str
    count: int
    has: tuple[int, ...]


def parcel_id(parcel: bytes) -> str:
    """Return the id that a parcel's parts share: the first 8 bytes of its SHA-256, in hex."""
    return hashlib.sha256(parcel).digest()[:8].hex()


def parts_of(parcel: bytes) -> tuple[str, ...]:
    """Cut a parcel into texts of similar length. Raises OurFault for more than MOST_PARTS."""
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
    return len(parcel) <= _LARGEST * MOST_PARTS


def part_of(text: str, where: str) -> ParcelPart:
    """Parse the text of a part. Raises BadParcel if it is invalid or damaged."""
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
        """Add a part, and return the complete parcel if no part is missing any more, else None.

        Raises BadParcel if the assembled parcel is wrong. All of its parts must then be scanned again.
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
        """Return the progress of incomplete parcels, the most recently used last."""
        return tuple(
            ParcelProgress(name, next(iter(parts.values())).count, tuple(sorted(parts)))
            for name, parts in self._parts.items()
        )

    def pending_parts(self) -> tuple[ParcelPart, ...]:
        return tuple(part for parts in self._parts.values() for _, part in sorted(parts.items()))


def text_of(part: ParcelPart) -> str:
    return _text(_HEAD.pack(bytes.fromhex(part.parcel), part.number, part.count) + part.data)


def _text(body: bytes) -> str:
    return PREFIX + _to_base41(body + _CRC.pack(zlib.crc32(body)))


def _to_base41(data: bytes) -> str:
    """Encode every two bytes as three characters, least significant first, and a single last byte as two."""
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
