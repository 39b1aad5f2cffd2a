"""Small private files (mode 0600) that are replaced atomically, even at a power cut."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from base import system
from base.errors import Unavailable

Content = bytes | Iterable[bytes]
"""The content of a file, as a whole or in pieces."""
_OTHERS = 0o077
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20
"""The most bytes to read, in case somebody has replaced a small file by a huge one."""


class Files(Protocol):
    """Basic file operations. Each may raise OSError, and isn't durable before ``flush``."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content, limited to a megabyte, or None if the file doesn't exist."""

    def write(self, path: Path, content: Content) -> None:
        """Write a new private file, replacing any other."""

    def flush(self, path: Path) -> None:
        """Make a file's content durable, or the names in a folder."""

    def rename(self, path: Path, to: Path) -> None:
        """Rename a file, replacing any other."""

    def remove(self, path: Path) -> None:
        """Remove a file if it exists."""


class DiskFiles:
    """The file system of this machine. ``owner`` is the user id for new files, or None for this process's."""

    def __init__(self, owner: int | None = None) -> None:
        self._owner = owner

    def read(self, path: Path) -> bytes | None:
        """Return a file's content, limited to a megabyte, or None if the file doesn't exist."""
        try:
            with path.open("rb") as file:
                return file.read(_LARGEST)
        except FileNotFoundError:
            return None

    def write(self, path: Path, content: Content) -> None:
        """Write a new private file, replacing any other."""
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as out:
            if self._owner is not None:
                system.give_to(descriptor, user=self._owner)
            out.writelines((content,) if isinstance(content, bytes) else content)

    def flush(self, path: Path) -> None:
        system.flush(path)

    def rename(self, path: Path, to: Path) -> None:
        path.replace(to)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)


def write_whole(path: Path, content: Content, files: Files | None = None) -> None:
    """Replace a file's content durably; a power cut leaves the old or the new content. Raises OSError."""
    files = files or DiskFiles()
    fresh = path.with_name(f"{path.name}.new")
    files.write(fresh, content)
    files.flush(fresh)
    files.rename(fresh, path)
    files.flush(path.parent)


def write_in_memory(path: Path, content: bytes, mode: int = 0o644, group: int | None = None) -> None:
    """Replace a file on a memory disk atomically, with these permissions and group. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as out:
        out.write(content)
        if group is not None:
            system.give_to(descriptor, group=group)
    fresh.replace(path)


def keep_private(path: Path) -> None:
    """Create a file that only its owner may read, or restrict an existing one to its owner. Raises OSError.

    The same goes for a database's log and index.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY))
    for end in ("", "-wal", "-shm"):
        file = path.with_name(path.name + end)
        if file.exists() and file.stat().st_mode & _OTHERS:
            file.chmod(_OWNER_ONLY)


def flush_folder(path: Path) -> None:
    """Make the names in a folder durable after creating, renaming or removing files. Raises OSError."""
    system.flush(path)


def replace(files: Files, path: Path, content: bytes) -> None:
    """Replace a file like ``write_whole``. Raises Unavailable."""
    with disk_errors_as_unavailable(path):
        write_whole(path, content, files)


def remove(files: Files, path: Path) -> None:
    """Remove a file, durably. Raises Unavailable."""
    with disk_errors_as_unavailable(path):
        files.remove(path)
        files.flush(path.parent)


@contextlib.contextmanager
def disk_errors_as_unavailable(path: Path) -> Iterator[None]:
    """Translate disk errors into Unavailable, naming the file."""
    try:
        yield
    except Unavailable:
        raise
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror or error}") from error
