"""An empty database of a station, migrated once in a run and copied from then on."""

import contextlib
import functools
import tempfile
from pathlib import Path

from station.store.database import Database, sqlite_url


def put_empty_database(path: Path) -> None:
    """Write an empty database of this version, unless there is one already."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_migrated())


@functools.cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "station.sqlite"
        with contextlib.closing(Database(sqlite_url(path))) as database:
            database.open()
        return path.read_bytes()
