"""A bundle: a version of the program for one architecture, signed by the maintainers.

A bundle consists of a head and a payload, which is a squashfs of the whole program tree. The head consists of
a magic number, the manifest's length and bytes, and an Ed25519 signature; the manifest contains the version,
and the payload's size and SHA-256. If there is a key, the signature is checked before the manifest is
decoded.
"""

import enum
import hashlib
import struct
import tomllib
from typing import Annotated, Final

import msgspec

from base.errors import BadData, OurFault
from base.signing import Sign

LARGEST_WORD: Final = 40
_WORD = Annotated[str, msgspec.Meta(max_length=LARGEST_WORD, pattern=r"^[0-9A-Za-z.+~-]*\Z")]
_MOST_MADE = 2**40


class About(msgspec.Struct, frozen=True, array_like=True):
    """A version of Saloon, and its platform.

    build: the commit, short.
    made: time of that commit, seconds since 1970, which decides which of two builds of a version is newer.
    architecture: Debian's name (arm64, amd64).
    base: the base image, which only a new card changes, or empty if the program is not updated.
    """

    version: _WORD
    build: _WORD = ""
    made: Annotated[int, msgspec.Meta(ge=0, le=_MOST_MADE)] = 0
    architecture: _WORD = ""
    base: _WORD = ""

    @property
    def name(self) -> str:
        """The version and build, for display."""
        return f"{self.version}-{self.build}" if self.build else self.version


def is_newer(one: About, other: About) -> bool:
    """Return whether one version is newer than another, by its numbers and then by its build time."""
    return (_numbers_of(one.version), one.made) > (_numbers_of(other.version), other.made)


def _numbers_of(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if digits:
            numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)


def about_of(data: bytes, where: str) -> tuple[About, str]:
    """Parse the ``release`` file of a program tree into its version and its kind of machine.

    Unknown keys are ignored. Raises BadData naming ``where``.
    """
    try:
        release = msgspec.convert(tomllib.loads(data.decode()), _Release)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, f"this does not say which program it is: {error}") from error
    return About(release.version, release.commit, release.made, release.architecture), release.kind


class _Release(msgspec.Struct, frozen=True):
    version: _WORD
    commit: _WORD = ""
    made: Annotated[int, msgspec.Meta(ge=0, le=_MOST_MADE)] = 0
    architecture: _WORD = ""
    kind: str = ""


class BundleFault(enum.Enum):
    """A reason to refuse an uploaded file, with instructions for the user."""

    NO_BUNDLE = "this isn't a Saloon bundle"
    OTHER_FORMAT = "this bundle is in a different format; use a newer tool"
    NOT_SIGNED = "this isn't signed with a key this computer knows"
    UNREADABLE = "damaged: its contents can't be read; copy it again"
    DAMAGED = "damaged: it doesn't match its signature; copy it again"
    CUT_SHORT = "incomplete: bytes are missing at the end; copy it again"


MAGIC: Final = b"SU\x01"
"""The first bytes of a bundle; the last one is the format version."""
LONGEST_MANIFEST: Final = 2048
LARGEST_PAYLOAD: Final = 256 * 1024 * 1024
"""The most bytes of a payload; a card has room for two of them beside its journal."""
SIGNED_AS: Final = b"saloon update 1\x00"
"""A prefix of the signed bytes, so that no other use of the key can sign a bundle."""
DIGEST: Final = 32
_LENGTH: Final = struct.Struct(">H")
_SIGNATURE: Final = 64
_BEFORE: Final = len(MAGIC) + _LENGTH.size
LONGEST_HEAD: Final = _BEFORE + LONGEST_MANIFEST + _SIGNATURE

Digest = Annotated[bytes, msgspec.Meta(min_length=DIGEST, max_length=DIGEST)]


class Manifest(msgspec.Struct, frozen=True):
    """The description of a bundle's payload, whose size is in bytes."""

    about: About
    digest: Digest
    payload: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PAYLOAD)]

    @property
    def name(self) -> str:
        """The name of its files on a card: the payload's digest in hexadecimal."""
        return self.digest.hex()


class BundleHead(msgspec.Struct, frozen=True):
    """A bundle's head. ``data`` contains the original bytes, which each further receiver can verify."""

    manifest: Manifest
    data: bytes


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Manifest)


def head_of(manifest: Manifest, sign: Sign) -> BundleHead:
    """Build and sign the head of a bundle. Raises OurFault if the manifest is too long."""
    body = _encoder.encode(manifest)
    if len(body) > LONGEST_MANIFEST:
        raise OurFault(f"a manifest of {len(body)} bytes; {LONGEST_MANIFEST} are allowed")
    data = MAGIC + _LENGTH.pack(len(body)) + body
    return read_head(data + sign(SIGNED_AS + data), None, "bundle")


def head_length(beginning: bytes, where: str) -> int:
    """Return the length of a head from its first 5 or more bytes. Raises BadData."""
    if len(beginning) < _BEFORE or not beginning.startswith(MAGIC[:2]):
        raise BadData(where, BundleFault.NO_BUNDLE.value)
    if not beginning.startswith(MAGIC):
        raise BadData(where, BundleFault.OTHER_FORMAT.value)
    (length,) = _LENGTH.unpack_from(beginning, len(MAGIC))
    if not 0 < length <= LONGEST_MANIFEST:
        raise BadData(where, BundleFault.UNREADABLE.value)
    return _BEFORE + int(length) + _SIGNATURE


def read_head(data: bytes, key: bytes | None, where: str) -> BundleHead:
    """Parse a complete head. ``key`` is the maintainers' public key (32 bytes), or None to skip the check.

    Raises BadData naming ``where``.
    """
    length = head_length(data[:_BEFORE], where)
    if len(data) != length:
        raise BadData(where, BundleFault.UNREADABLE.value)
    if key is not None and not _is_signed(data, key):
        raise BadData(where, BundleFault.NOT_SIGNED.value)
    try:
        return BundleHead(_decoder.decode(data[_BEFORE:-_SIGNATURE]), data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, BundleFault.UNREADABLE.value) from error


def _is_signed(data: bytes, key: bytes) -> bool:
    # Takes 9 MB, so it is only loaded when a version is offered.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        signed = SIGNED_AS + data[:-_SIGNATURE]
        Ed25519PublicKey.from_public_bytes(key).verify(data[-_SIGNATURE:], signed)
    except (InvalidSignature, ValueError):
        return False
    return True


class PayloadCheck:
    """An incremental check of a payload's size and digest."""

    def __init__(self, manifest: Manifest, where: str) -> None:
        self._manifest = manifest
        self._where = where
        self._hash = hashlib.sha256()
        self.seen = 0

    def add(self, piece: bytes) -> None:
        """Add the next bytes. Raises BadData if there are too many."""
        self.seen += len(piece)
        if self.seen > self._manifest.payload:
            raise BadData(self._where, BundleFault.DAMAGED.value)
        self._hash.update(piece)

    def end(self) -> None:
        """Check the complete payload. Raises BadData if its size or digest is wrong."""
        if self.seen != self._manifest.payload:
            raise BadData(self._where, BundleFault.CUT_SHORT.value)
        if self._hash.digest() != self._manifest.digest:
            raise BadData(self._where, BundleFault.DAMAGED.value)
