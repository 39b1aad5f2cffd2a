"""Bundles as files: read piece by piece, and written atomically."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from base.errors import BadData
from base.signing import Sign
from base.whole_file import disk_errors_as_unavailable, write_whole
from sync.update.bundle import (
    LARGEST_PAYLOAD,
    BundleHead,
    Manifest,
    PayloadCheck,
    head_length,
    head_of,
    read_head,
)
from sync.update.version import About

PIECE: Final = 256 * 1024


class BundleFile(msgspec.Struct, frozen=True):
    """A bundle on a disk."""

    path: Path
    head: BundleHead

    def piece(self, offset: int, length: int) -> bytes:
        """Return bytes of the payload; fewer at its end. Raises Unavailable."""
        with disk_errors_as_unavailable(self.path), self.path.open("rb") as file:
            file.seek(len(self.head.data) + offset)
            return file.read(min(length, max(0, self.head.manifest.payload - offset)))


def beginning_of(file: BinaryIO, key: bytes | None, where: str) -> BundleHead:
    """Read the head of a bundle, leaving the file position at its payload. Raises BadData."""
    start = file.read(5)
    length = head_length(start, where)
    return read_head(start + file.read(length - len(start)), key, where)


def open_bundle(path: Path, key: bytes | None) -> BundleFile:
    """Open a bundle and check all of its bytes. Raises BadData for an invalid one, Unavailable."""
    with disk_errors_as_unavailable(path), path.open("rb") as file:
        head = beginning_of(file, key, str(path))
        _ = sum(1 for _ in read_payload(file, head.manifest, str(path)))
    return BundleFile(path, head)


def open_checked_bundle(path: Path, key: bytes | None) -> BundleFile:
    """Open a bundle that was checked when stored, reading only its head. Raises BadData or Unavailable."""
    with disk_errors_as_unavailable(path), path.open("rb") as file:
        head = beginning_of(file, key, str(path))
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
    """Write a bundle of this payload. ``about`` includes the base that it needs.

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
        write_whole(out, _with(head.data, read_payload(file, head.manifest, str(payload))))
    return head


def _with(head: bytes, payload: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from payload
