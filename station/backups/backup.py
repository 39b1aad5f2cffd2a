"""Back up the station's running database, verify backups and restore them."""

import contextlib
import sqlite3
import tempfile
import time
from pathlib import Path

import msgspec
from sqlalchemy import Connection

from base.errors import BadData
from base.whole_file import flush_folder
from station.accounts.api_tokens import end_all_api_tokens
from station.accounts.invitations import end_all_invitations
from station.accounts.sessions import end_all_sessions
from station.backups.shared_copy import copy_shared
from station.store.changed_entries import ChainCheck
from station.store.data_folder import write_secret_file
from station.store.database import Database, database_errors_as_ours, sqlite_url
from station.store.settings import begin_epoch
from station.store.store import Store
from sync.protocol.entry import Entry, Quarantined

_MAGIC = b"SQLite format 3\x00"
_CHUNK = 2_000


def backup(database: Database) -> bytes:
    """Return a consistent and verified copy of the running database as a SQLite file.

    It contains the station's key and the judges' password hashes: keep it as safe as the station. Raises
    Unavailable if there is not enough space.
    """
    with database_errors_as_ours("backup"), tempfile.TemporaryDirectory(prefix="saloon-backup-") as folder:
        copy = Path(folder) / "station.sqlite"
        if database.is_sqlite:
            with database.reading() as connection:
                _copy_into(connection, copy)
        else:
            copy_shared(database, copy)
        check(copy)
        return copy.read_bytes()


def backup_of_file(source: Path) -> bytes:
    """Back up a database file from outside the station's process. Raises as ``backup`` does."""
    if not source.exists():
        raise BadData(str(source), "there is no database of a station here; say --data DIR")
    with database_errors_as_ours(str(source)), tempfile.TemporaryDirectory(prefix="saloon-backup-") as folder:
        copy = Path(folder) / "station.sqlite"
        # Read-only, as the station has the only connection that writes.
        reading = f"{source.resolve().as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(reading, uri=True)) as database,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            database.backup(target)
        check(copy)
        return copy.read_bytes()


def check(path: Path) -> tuple[Entry, ...]:
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
        chains = ChainCheck()
        try:
            while chunk := rows.fetchmany(_CHUNK):
                chains.unchanged(chunk)
        except BadData as error:
            raise BadData(f"{path}: {error.where}", error.problem) from error
        return chains.changed


class Restored(msgspec.Struct, frozen=True):
    """A restored backup.

    aside: the replaced database, if any.
    quarantined: altered entries of terminals.
    """

    aside: Path | None
    quarantined: tuple[Quarantined, ...]


def restore(source: Path, target: Path, *, force: bool) -> Restored:
    """Restore a backup over a station's database.

    The station must not be running (the caller holds its lock). With ``force``, an existing database is
    replaced. The restored station starts a new epoch of its own streams, so that its entries cannot be
    mistaken for those that the lost one wrote after the backup (decision 0011).
    Raises BadData for a file that is not a backup, or an existing database without ``force``.
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
    quarantined = _begin_anew(fresh)
    with database_errors_as_ours(str(target)):
        # After a power cut, the WAL of a database that was moved aside may remain: keep it away from this
        # one.
        aside = _put_aside(target) if any(file.exists() for file in _files(target)) else None
        fresh.replace(target)
        flush_folder(target.parent)
    return Restored(aside, quarantined)


def _begin_anew(path: Path) -> tuple[Quarantined, ...]:
    database = Database(sqlite_url(path))
    try:
        with database.transaction() as connection:
            begin_epoch(connection)
            end_all_sessions(connection)
            end_all_api_tokens(connection)
            end_all_invitations(connection)
        return Store(database, lambda: time.time_ns() // 1_000_000).verify()
    finally:
        database.close()


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


def _copy_into(connection: Connection, copy: Path) -> None:
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    with contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)
