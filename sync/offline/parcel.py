"""Parcels: entries, or a finished record sheet, sealed by a terminal to travel without a connection.

Pure: bytes in, values out. A parcel travels by any means (QR codes, a USB drive), and
its signature proves which terminal sealed it and that it is unaltered. ``parcel_parts.py`` cuts it
into parts for QR codes.
"""

import enum
import zlib
from typing import TYPE_CHECKING

import msgspec

from base.errors import BadData, OurFault
from base.signing import Sign
from sync.protocol.entry import Entry, Epoch, StreamId, TerminalId, chained_hash

if TYPE_CHECKING:
    # Takes 9 MB, so it is only loaded to seal or open a parcel.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAGIC = b"SP\x01"
"""The first bytes of a parcel, the last of which is the format version."""
LONGEST_PARCEL = 4 * 1024 * 1024
"""Size limit of a parcel in bytes."""
LONGEST_CONTENT = 16 * 1024 * 1024
"""Size limit of a parcel's uncompressed content in bytes."""
SIGNED_AS = b"saloon parcel 1\x00"
"""A prefix of the signed bytes, so that no other use of the key can sign a parcel."""

_TERMINAL = 16
_SIGNATURE = 64
_SHORTEST = len(MAGIC) + _TERMINAL + 1 + _SIGNATURE


class Flaw(enum.Enum):
    """A flaw of a parcel or a part, or the reason why some bytes are neither."""

    NO_PARCEL = "this is no parcel of a terminal"
    OTHER_VERSION = "this parcel is of another version of Saloon"
    DAMAGED = "this is damaged: take it in again"
    NOT_SIGNED = "the signature is not the terminal's"
    TOO_LARGE = "this is larger than a parcel may be"


class BadParcel(BadData):
    """An invalid parcel, or part of one. ``flaw`` explains what is wrong."""

    def __init__(self, where: str, flaw: Flaw, detail: str = "") -> None:
        self.flaw = flaw
        super().__init__(where, f"{flaw.value} ({detail})" if detail else flaw.value)


class CarriedSheet(msgspec.Struct, frozen=True, array_like=True, tag="sheet"):
    """A finished result.

    ``epoch``, ``seq`` and ``hash`` are the durable head of the terminal's journal when it was sealed.

    game: its id.
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
    """Unmodified entries of one epoch, in order. ``first`` is the number of the first one.

    ``before`` and ``after`` are the chained hashes before the first and after the last of them.
    """

    epoch: Epoch
    first: int
    before: bytes
    after: bytes
    raws: tuple[bytes, ...]

    @property
    def last(self) -> int:
        """The number of the last entry."""
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
    """A parcel whose signature was verified. ``sealed`` contains the signed bytes."""

    terminal: TerminalId
    content: Content
    sealed: bytes


def seal_parcel(terminal: TerminalId, content: Content, sign: Sign) -> bytes:
    """Return a parcel's bytes. Raises OurFault if the content is too large for a station."""
    plain = _encoder.encode(content)
    body = MAGIC + bytes.fromhex(terminal) + zlib.compress(plain, 9)
    if len(plain) > LONGEST_CONTENT or len(body) + _SIGNATURE > LONGEST_PARCEL:
        raise OurFault(f"a parcel of {len(plain)} bytes; {LONGEST_CONTENT} are allowed")
    return body + sign(SIGNED_AS + body)


def claimed_sender(parcel: bytes, where: str) -> TerminalId:
    """Return the claimed sender of a parcel, without verifying it. Raises BadParcel."""
    if len(parcel) > LONGEST_PARCEL:
        raise BadParcel(where, Flaw.TOO_LARGE)
    if not parcel.startswith(MAGIC[:2]) or len(parcel) < _SHORTEST:
        raise BadParcel(where, Flaw.NO_PARCEL)
    if not parcel.startswith(MAGIC):
        raise BadParcel(where, Flaw.OTHER_VERSION)
    return TerminalId(parcel[len(MAGIC) : len(MAGIC) + _TERMINAL].hex())


def open_parcel(parcel: bytes, certificate: str, where: str) -> Parcel:
    """Verify a parcel by its terminal's certificate (PEM) and unpack it.

    Nothing is unpacked before its signature is verified. Raises BadParcel naming ``where``.
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
        _check_chain(content, where)
    return content


def _check_chain(content: CarriedEntries, where: str) -> None:
    digest = content.before
    for raw in content.raws:
        digest = chained_hash(digest, raw)
    if content.first < 1 or not content.raws or digest != content.after:
        raise BadParcel(where, Flaw.DAMAGED, "the entries do not give the hash after them")
