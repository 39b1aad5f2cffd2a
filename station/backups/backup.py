"""Back up the station's running database, verify backups and restore them.

All backups are SQLite files, even those of a shared PostgreSQL database, so a tournament can move from one
station to several, or back. A copy from a stick is restored when the station starts again, before its
database is opened.
"""

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection, Table, func, select, text

from base.errors import BadData, Unavailable
from base.whole_file import DiskFiles, disk_errors_as_unavailable, flush_folder, remove
from station.store import schema
from station.store.changed_entries import ChainCheck
from station.store.data_folder import DataFolder, write_secret_file
from station.store.database import AdvisoryLock, Database, database_errors_as_ours, lock_key_sql, sqlite_url
from station.store.settings import begin_epoch
from station.store.store import Store
from sync.protocol.entry import Entry, Quarantined

_log = structlog.get_logger()
_MAGIC: Final = b"SQLite format 3\x00"
_CHUNK: Final = 2_000
_ASKED: Final = "restore-at-start.sqlite"
_OF_THE_MOMENT: Final = {schema.stations, schema.lines, schema.sessions, schema.invitations}
"""Tables that are not copied, as they are only valid at the moment."""


OnChecked = Callable[[int, int], None]
"""Is called with the number of checked entries of a copy, and of all of them."""


def backup(database: Database, on_checked: OnChecked | None = None) -> bytes:
    """Return a consistent and verified copy of the running database as a SQLite file.

    It contains the station's key and the judges' password hashes: keep it as safe as the station. Raises
    Unavailable if there is not enough space.
    """
    with database_errors_as_ours("backup"), tempfile.TemporaryDirectory(prefix="saloon-backup-") as folder:
        copy = Path(folder) / "station.sqlite"
        if database.is_sqlite:
            with database.reading() as connection:
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)
                _copy_into(source, copy)
        else:
            _copy_shared(database, copy)
        check(copy, on_checked)
        return copy.read_bytes()


def backup_of_file(source: Path) -> bytes:
    """Back up a database file from outside the station's process. Raises as ``backup`` does."""
    if not source.exists():
        raise BadData(str(source), "there is no database of a station here; say --data DIR")
    with database_errors_as_ours(str(source)), tempfile.TemporaryDirectory(prefix="saloon-backup-") as folder:
        copy = Path(folder) / "station.sqlite"
        # Read-only, as the station has the only connection that writes.
        reading = f"{source.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(reading, uri=True)) as database:
            _copy_into(database, copy)
        check(copy)
        return copy.read_bytes()


def check(path: Path, on_checked: OnChecked | None = None) -> tuple[Entry, ...]:
    """Check that a file is an undamaged station database. Raises BadData naming the problem.

    Return the first altered entry of each damaged terminal stream; a restore asks the terminals for them
    again.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise BadData(str(path), "this is no backup of a station (not a SQLite database)")
    with database_errors_as_ours(str(path)), contextlib.closing(sqlite3.connect(path)) as copy:
        problems = [str(row[0]) for row in copy.execute("PRAGMA integrity_check(3)")]
        tables = {str(row[0]) for row in copy.execute("SELECT name FROM sqlite_master")}
        if problems != ["ok"]:
            raise BadData(str(path), f"the database is damaged: {'; '.join(problems)}")
        if not {"entries", "settings", "alembic_version"} <= tables:
            raise BadData(str(path), "this is a database, but not of a station")
        rows = copy.execute(
            "SELECT arrival, stream, epoch, seq, raw, hash, received_ms FROM entries ORDER BY arrival"
        )
        (total,) = copy.execute("SELECT count(*) FROM entries").fetchone()
        chains, done = ChainCheck(), 0
        try:
            while chunk := rows.fetchmany(_CHUNK):
                chains.unchanged(chunk)
                done += len(chunk)
                if on_checked is not None:
                    on_checked(done, total)
        except BadData as error:
            raise BadData(f"{path}: {error.where}", error.problem) from error
        return chains.changed


class Restored(msgspec.Struct, frozen=True):
    """A restored backup, the replaced database if any, and altered entries of terminals."""

    aside: Path | None
    quarantined: tuple[Quarantined, ...]


def restore(source: Path, target: Path, *, force: bool) -> Restored:
    """Restore a backup over a station's database.

    The station must not be running (the caller holds its lock). With ``force``, an existing database is
    replaced. The restored station starts a new epoch of its own streams, so that its entries cannot be
    mistaken for those that the lost one wrote after the backup (decision 0011). Raises BadData for a file
    that is not a backup, or an existing database without ``force``.
    """
    with database_errors_as_ours(str(source)):
        check(source)
        if target.exists() and not force:
            raise BadData(
                str(target), "there is a database already; --force puts it aside and restores over it"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.restoring")
        for leftover in _files(fresh):
            leftover.unlink(missing_ok=True)
        write_secret_file(fresh, source.read_bytes())
    with contextlib.closing(Database(sqlite_url(fresh))) as database:
        with database.transaction() as connection:
            _begin_anew(connection)
        quarantined = _quarantine(database)
    with database_errors_as_ours(str(target)):
        # After a power cut, the WAL of a database that was moved aside may remain: keep it away from this
        # one.
        aside = _put_aside(target) if any(file.exists() for file in _files(target)) else None
        fresh.replace(target)
        flush_folder(target.parent)
    return Restored(aside, quarantined)


def _begin_anew(connection: Connection) -> None:
    """Begin a new epoch, and delete the sessions, tokens and invitations in the backup."""
    begin_epoch(connection)
    for table in (schema.sessions, schema.api_tokens, schema.invitations):
        connection.execute(table.delete())


def _quarantine(database: Database) -> tuple[Quarantined, ...]:
    return Store(database, lambda: time.time_ns() // 1_000_000).verify()


def _put_aside(target: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    aside = target.with_name(f"{target.name}.before-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = target.with_name(f"{target.name}.before-{stamp}-{number}")
    for file, kept in zip(_files(target), _files(aside), strict=True):
        if file.exists():
            file.replace(kept)
    return aside


def _files(database: Path) -> tuple[Path, ...]:
    return tuple(database.with_name(f"{database.name}{end}") for end in ("", "-wal", "-shm", ".games"))


def _copy_into(source: sqlite3.Connection, copy: Path) -> None:
    with contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _copy_shared(source: Database, target: Path) -> None:
    with contextlib.closing(Database(sqlite_url(target))) as copy, source.transaction() as reading:
        reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with copy.transaction() as writing:
            _copy(reading, writing)


def restore_shared(source: Path, target: Database, *, force: bool) -> tuple[Quarantined, ...]:
    """Restore a checked backup into an empty shared database, and return the quarantined entries.

    No station may be running there. The restored stations begin a new epoch of their own streams (decision
    0011). A database that contains entries is not overwritten, even with ``force``. Raises BadData or
    Unavailable.
    """
    with tempfile.TemporaryDirectory(prefix="saloon-restore-") as folder:
        # A copy, as opening a backup of an older Saloon migrates it.
        path = Path(folder) / "station.sqlite"
        write_secret_file(path, source.read_bytes())
        with contextlib.closing(Database(sqlite_url(path))) as copy, target.transaction() as writing:
            _check_is_free(writing, force=force)
            with copy.transaction() as reading:
                _copy(reading, writing)
            for table in _lasting_tables():
                _count_on(writing, table)
            _begin_anew(writing)
    return _quarantine(target)


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


def ask_restore(folder: DataFolder, source: Path) -> None:
    """Request to restore a copy at the next start. Raises BadData for an invalid copy, Unavailable."""
    unchecked = folder.path / f"{_ASKED}.unchecked"
    with disk_errors_as_unavailable(source):
        content = source.read_bytes()
    write_secret_file(unchecked, content)
    try:
        check(unchecked)
    except BadData:
        remove(DiskFiles(), unchecked)
        raise
    with disk_errors_as_unavailable(folder.path):
        unchecked.replace(folder.path / _ASKED)
        flush_folder(folder.path)


def restore_if_asked(folder: DataFolder) -> bool:
    """Restore the requested copy, if any, and return whether there was one. The old database is kept.

    Safe to interrupt: it is repeated at the next start. Raises Unavailable.
    """
    copy = folder.path / _ASKED
    if not copy.exists():
        return False
    try:
        with folder.exclusive_lock():
            restored = restore(copy, folder.database, force=True)
    except BadData as error:
        _log.error("the copy was not restored", problem=str(error))
    else:
        aside = "" if restored.aside is None else restored.aside.name
        _log.warning("a copy was restored", database_before=aside, quarantined=len(restored.quarantined))
    remove(DiskFiles(), copy)
    return True
