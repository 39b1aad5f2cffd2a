"""A payload being fetched: a file that grows in order, survives a power cut, and is verified step by step.

It is not flushed: a power cut may lose its end, or leave garbage there. Only the digest of the whole is
trusted. It is computed as bytes arrive; what an earlier start left is read again in small steps,
because the same thread saves entries.
"""

import contextlib
import hashlib
from pathlib import Path
from typing import BinaryIO, Final

from base.errors import Unavailable
from base.whole_file import disk_errors_as_unavailable, keep_private, write_whole
from sync.update.bundle import Manifest

_STEP: Final = 512 * 1024
PART, HEAD = ".part", ".head"


class PartFile:
    """The payload of a manifest, in a folder. Everything may raise Unavailable."""

    def __init__(self, folder: Path, manifest: Manifest, head: bytes) -> None:
        self.path = folder / (manifest.name + PART)
        self._manifest = manifest
        self._hash = hashlib.sha256()
        self._looked = 0
        with disk_errors_as_unavailable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            forget_others(folder, manifest.name)
            write_whole(folder / (manifest.name + HEAD), head)
            keep_private(self.path)
            self._file: BinaryIO = self.path.open("a+b")
            self.have = self._file.seek(0, 2)
            if self.have > manifest.payload:
                self.begin_anew()

    @property
    def is_looked_at(self) -> bool:
        """Return whether the whole file is included in the digest."""
        return self._looked == self.have

    @property
    def is_right(self) -> bool:
        """Return whether this is the signed payload."""
        is_whole = self.have == self._manifest.payload and self.is_looked_at
        return is_whole and self._hash.digest() == self._manifest.digest

    def look(self) -> None:
        """Add a step of the bytes left by an earlier start to the digest."""
        with disk_errors_as_unavailable(self.path):
            self._file.seek(self._looked)
            piece = self._file.read(min(_STEP, self.have - self._looked))
        if not piece:
            raise Unavailable(f"{self.path}: the file became shorter")
        self._hash.update(piece)
        self._looked += len(piece)

    def add(self, data: bytes) -> None:
        """Append the next bytes; only after ``is_looked_at``."""
        with disk_errors_as_unavailable(self.path):
            self._file.write(data)
            self._file.flush()
        self._hash.update(data)
        self.have += len(data)
        self._looked += len(data)

    def begin_anew(self) -> None:
        """Discard the file's content."""
        with disk_errors_as_unavailable(self.path):
            self._file.truncate(0)
        self.have = self._looked = 0
        self._hash = hashlib.sha256()

    def close(self) -> None:
        """Close the file and keep it."""
        with contextlib.suppress(OSError):
            self._file.close()

    def remove(self) -> None:
        """Close and delete the file."""
        self.close()
        with disk_errors_as_unavailable(self.path):
            self.path.unlink(missing_ok=True)
            self.path.with_suffix(HEAD).unlink(missing_ok=True)


def forget_all(folder: Path) -> None:
    """Remove all fetched files. Raises Unavailable."""
    with disk_errors_as_unavailable(folder):
        if folder.is_dir():
            forget_others(folder, "")


def forget_others(folder: Path, name: str) -> None:
    """Remove the fetched files of other payloads, as a card has room for only one. Raises OSError."""
    for file in folder.iterdir():
        if file.suffix in {PART, HEAD} and file.stem != name:
            file.unlink(missing_ok=True)
