"""Small files of mode 0600 that are replaced atomically, even at a power cut."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from base import system
from base.errors import Unavailable

Content = bytes | Iterable[bytes]
"""The content to write, at once or in pieces."""
_OTHERS = 0o077
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20
"""The most bytes to read, in case a huge file has been put in place of a small one."""


class Files(Protocol):
    """Basic file operations, one step at a time. Each may raise OSError."""

    def read(self, path: Path) -> bytes | None:
        """Return a small file's content, or a larger one's first megabyte, or None if it doesn't exist."""

    def write(self, path: Path, content: Content) -> None:
        """Write a new file of mode 0600, replacing any other; durable only after ``flush``."""

    def flush(self, path: Path) -> None:
        """Make a file's content durable, or a folder's names."""

    def rename(self, path: Path, to: Path) -> None:
        """Rename a file, replacing any other; durable only after ``flush`` of the folder."""

    def remove(self, path: Path) -> None:
        """Remove a file; durable only after ``flush`` of the folder."""


class DiskFiles:
    """The file system of this machine. ``owner`` is the user id for new files, or None for this process's."""

    def __init__(self, owner: int | None = None) -> None:
        self._owner = owner

    def read(self, path: Path) -> bytes | None:
        """Implement ``Files.read``."""
        try:
            with path.open("rb") as file:
                return file.read(_LARGEST)
        except FileNotFoundError:
            return None

    def write(self, path: Path, content: Content) -> None:
        """Implement ``Files.write``."""
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
    """Replace the content of a file in memory atomically, without making it durable.

    mode: the file's permissions, as far as the umask allows.
    group: its group id.
    Raises OSError.
    """
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

    For a database this includes the log and index, which SQLite creates with the file's mode.
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
