"""Bundles and signing keys as files. The maintainer has the private key, images the public one."""

import hashlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from base.errors import BadData, Unavailable
from base.signing import Sign, signer
from base.whole_file import disk_errors_as_unavailable, write_whole
from sync.update.bundle import (
    LARGEST_PAYLOAD,
    About,
    BundleHead,
    Manifest,
    PayloadCheck,
    head_length,
    head_of,
    read_head,
)

PIECE: Final = 256 * 1024


class BundleFile(msgspec.Struct, frozen=True):
    """A bundle on a disk."""

    path: Path
    head: BundleHead

    def piece(self, offset: int, length: int) -> bytes:
        """Return bytes of the payload, fewer at its end. Raises Unavailable."""
        with disk_errors_as_unavailable(self.path), self.path.open("rb") as file:
            file.seek(len(self.head.data) + offset)
            return file.read(min(length, max(0, self.head.manifest.payload - offset)))


def _beginning_of(file: BinaryIO, key: bytes | None, where: str) -> BundleHead:
    """Read the head of a bundle, leaving the file position at its payload. Raises BadData."""
    start = file.read(5)
    length = head_length(start, where)
    return read_head(start + file.read(length - len(start)), key, where)


def open_bundle(path: Path, key: bytes | None) -> BundleFile:
    """Open a bundle and check all of its bytes. Raises BadData if it is invalid, or Unavailable."""
    with disk_errors_as_unavailable(path), path.open("rb") as file:
        head = _beginning_of(file, key, str(path))
        _ = sum(1 for _ in read_payload(file, head.manifest, str(path)))
    return BundleFile(path, head)


def open_checked_bundle(path: Path, key: bytes | None) -> BundleFile:
    """Open a bundle that was checked when it was stored, reading only its head.

    Raises BadData or Unavailable.
    """
    with disk_errors_as_unavailable(path), path.open("rb") as file:
        head = _beginning_of(file, key, str(path))
        length = os.fstat(file.fileno()).st_size
    if length != len(head.data) + head.manifest.payload:
        raise BadData(str(path), "cut short; upload it again")
    return BundleFile(path, head)


def read_payload(file: BinaryIO, manifest: Manifest, where: str) -> Iterator[bytes]:
    """Yield the payload piece by piece. Raises BadData at the end if its size or digest is wrong."""
    check = PayloadCheck(manifest, where)
    while piece := file.read(PIECE):
        check.add(piece)
        yield piece
    check.end()


def make_bundle(payload: Path, about: About, sign: Sign, out: Path) -> BundleHead:
    """Write a bundle of this payload, for the version and base in ``about``.

    Raises BadData or Unavailable.
    """
    digest, size = hashlib.sha256(), 0
    with disk_errors_as_unavailable(payload), payload.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    if not 0 < size <= LARGEST_PAYLOAD:
        raise BadData(str(payload), f"{size} bytes; a payload has 1 to {LARGEST_PAYLOAD}")
    head = head_of(Manifest(about, digest.digest(), size), sign)
    with disk_errors_as_unavailable(out), payload.open("rb") as file:
        write_whole(out, itertools.chain((head.data,), read_payload(file, head.manifest, str(payload))))
    return head


_FIRST_LINE: Final = "# Saloon: the public key of those who may make new versions."
DEVELOPMENT: Final = "development"
"""A mark in the first line of a trial key, whose private half belongs to the builder of the image."""


def public_key_of(text: str, where: str) -> bytes:
    """Parse the text of a ``release.pub``: a comment, and 64 hexadecimal digits. Raises BadData."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        key = bytes.fromhex(lines[0]) if len(lines) == 1 else b""
    except ValueError:
        key = b""
    if len(key) != 32:  # noqa: PLR2004 (bytes of an Ed25519 key)
        raise BadData(where, "this is no release key: one line of 64 hexadecimal digits is expected")
    return key


def public_key_in(file: Path) -> bytes | None:
    """Read the key in a file, or return None if there is no file. Raises BadData or Unavailable."""
    try:
        return public_key_of(file.read_text(encoding="ascii", errors="replace"), str(file))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(f"{file}: {error.strerror or error}") from error


def public_text(key: bytes, *, is_for_trials: bool) -> str:
    """Return the content of a ``release.pub``."""
    mark = f" ({DEVELOPMENT}: for trials only)" if is_for_trials else ""
    return f"{_FIRST_LINE}{mark}\n{key.hex()}\n"


def generate_key() -> tuple[bytes, bytes]:
    """Generate a private key (PEM) and its public half (32 bytes)."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, key.public_key().public_bytes_raw()


def signing(file: Path) -> tuple[Sign, bytes]:
    """Return the signing function of a private key file, and the public key.

    Raises BadData or Unavailable.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        pem = file.read_bytes()
    except OSError as error:
        raise Unavailable(f"{file}: {error.strerror or error}") from error
    sign = signer(pem, str(file))
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, Ed25519PrivateKey)  # the signer has checked it
    return sign, key.public_key().public_bytes_raw()
