"""Copy a shared PostgreSQL database to a SQLite file, and restore such a file to PostgreSQL.

Therefore there is only one backup format, and a tournament can move from one station to several, or back.
"""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Table, func, select, text

from base.errors import BadData, Unavailable
from station.accounts.api_tokens import end_all_api_tokens
from station.accounts.invitations import end_all_invitations
from station.accounts.sessions import end_all_sessions
from station.store import schema
from station.store.data_folder import write_secret_file
from station.store.database import AdvisoryLock, Database, lock_key_sql, sqlite_url
from station.store.settings import begin_epoch
from station.store.store import Store
from sync.protocol.entry import Quarantined

_CHUNK = 2_000
_OF_THE_MOMENT = {schema.stations, schema.lines, schema.sessions, schema.invitations}
"""Tables that are not copied, as they are only valid at the moment."""


def copy_shared(source: Database, target: Path) -> None:
    """Write a consistent snapshot of a shared database to a new file. Raises Unavailable."""
    with _file(target) as copy, source.transaction() as reading:
        reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with copy.transaction() as writing:
            _copy(reading, writing)


def restore_shared(source: Path, target: Database, *, force: bool) -> tuple[Quarantined, ...]:
    """Restore a checked backup into an empty shared database, and return the quarantined entries.

    No station may be running there. The restored stations begin a new epoch of their own streams (decision
    0011). A database that contains entries is not overwritten, even with force. Raises BadData or
    Unavailable.
    """
    with tempfile.TemporaryDirectory(prefix="saloon-restore-") as folder:
        # A copy, as opening a backup of an older Saloon migrates it.
        path = Path(folder) / "station.sqlite"
        write_secret_file(path, source.read_bytes())
        with _file(path) as copy, target.transaction() as writing:
            _check_is_free(writing, force=force)
            with copy.transaction() as reading:
                _copy(reading, writing)
            for table in _lasting_tables():
                _count_on(writing, table)
            begin_epoch(writing)
            end_all_sessions(writing)
            end_all_api_tokens(writing)
            end_all_invitations(writing)
    return Store(target, lambda: time.time_ns() // 1_000_000).verify()


@contextlib.contextmanager
def _file(path: Path) -> Iterator[Database]:
    with contextlib.closing(Database(sqlite_url(path))) as database:
        yield database


def _check_is_free(connection: Connection, *, force: bool) -> None:
    query = f"SELECT pg_try_advisory_xact_lock({lock_key_sql(AdvisoryLock.RUNNING)})"
    if not connection.exec_driver_sql(query).scalar_one():
        raise Unavailable("a station runs on this database; stop all of them first")
    if connection.execute(select(schema.entries.c.arrival).limit(1)).first() is not None:
        advice = "make a new one (createdb) and restore there"
        raise BadData(
            "--database",
            f"it holds a tournament already; {advice}" + ("; --force is for files" if force else ""),
        )
    for table in _lasting_tables():
        connection.execute(table.delete())


def _copy(reading: Connection, writing: Connection) -> None:
    for table in _lasting_tables():
        rows = reading.execution_options(stream_results=True).execute(select(table))
        for some in rows.mappings().partitions(_CHUNK):
            writing.execute(table.insert(), [dict(row) for row in some])


def _count_on(connection: Connection, table: Table) -> None:
    """Set the table's automatic numbering, if it has one, to continue after the last row."""
    number = table.autoincrement_column
    last = None if number is None else connection.execute(select(func.max(number))).scalar_one()
    if number is not None and last is not None:
        query = text("SELECT setval(pg_get_serial_sequence(:table, :number), :last)")
        connection.execute(query, {"table": table.name, "number": number.name, "last": last})


def _lasting_tables() -> Iterator[Table]:
    return (table for table in schema.metadata.sorted_tables if table not in _OF_THE_MOMENT)
