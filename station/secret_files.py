"""Files that only their owner may read: keys, backups, provisioning files."""

import os
from collections.abc import Iterable
from pathlib import Path

from saloon.station.database import mapped


def write_secret_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file of mode 0600, durable on return, all of it or nothing. Raises Unavailable naming it."""
    pieces = (content,) if isinstance(content, bytes) else content
    fresh = path.with_name(f"{path.name}.new")
    with mapped(str(path)):
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.writelines(pieces)
            out.flush()
            os.fsync(out.fileno())
        fresh.rename(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
