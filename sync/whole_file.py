"""Small files that are there whole or not at all, whenever the power goes: keys, provisioning."""

import os
from collections.abc import Iterable
from pathlib import Path

_OWNER_ONLY = 0o600


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that only its owner may read; durable on return, all of it or nothing. Raises OSError."""
    pieces = (content,) if isinstance(content, bytes) else content
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as out:
        out.writelines(pieces)
        out.flush()
        os.fsync(out.fileno())
    fresh.rename(path)
    flush_folder(path.parent)


def flush_folder(path: Path) -> None:
    """Make the names in a folder durable: of files that were made, renamed or removed. Raises OSError."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
