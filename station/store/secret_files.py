"""Write files that only their owner may read: keys, backups and provisioning files."""

from collections.abc import Iterable
from pathlib import Path

from base.whole_file import write_whole
from station.store.database import database_errors_as_ours


def write_secret_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file with mode 0600, atomically and durably. Raises Unavailable naming it."""
    with database_errors_as_ours(str(path)):
        write_whole(path, content)
