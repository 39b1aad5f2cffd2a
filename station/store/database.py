"""Open the station's database, check its settings, and map its errors to Saloon's.

All calls block and are thread-safe. SQLite has one connection, used by one thread at a time. On PostgreSQL,
each transaction has its own.
"""

import contextlib
import selectors
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, exc
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import StaticPool

from base.durable_file import write_again
from base.errors import BadData, OurFault, SaloonError, Unavailable
from base.whole_file import flush_folder, keep_private
from station.migrations import upgrade

if TYPE_CHECKING:
    import psycopg
import enum

_SALOON = 0x5A10
"""The first half of each lock's key, which distinguishes Saloon's locks from those of other programs."""


class AdvisoryLock(enum.Enum):
    """An operation that one station at a time may do, unless stated otherwise."""

    ARRIVAL = 0
    """Store entries, one writer at a time, so that arrival numbers become visible in order."""
    TABLES = 1
    """Migrate the tables to this program's version."""
    RUNNING = 2
    """Run a station. Every station shares the lock; restoring a backup needs it exclusively."""


def acquire_lock(connection: Connection, turn: AdvisoryLock) -> None:
    """Wait for a lock and hold it until the transaction ends. Does nothing on SQLite. Raises Unavailable."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock_key_sql(turn)})")


def lock_key_sql(turn: AdvisoryLock) -> str:
    """Return a lock's key as SQL. It includes the schema, as each schema has its own stations."""
    return f"{_SALOON + turn.value}, hashtext(current_schema())"


_SYNCHRONOUS_FULL = 2
_CONNECTIONS = 8
_CORRUPTED = {None, "XX001", "XX002"}
"""PostgreSQL's error codes for damaged data."""
_SILENCE_S = 5
_TRY_AGAIN_S = 2
_SHARED = {
    "application_name": "saloon-station",
    "connect_timeout": _SILENCE_S,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Connection parameters that detect a lost server within seconds."""
_MANNERS = (
    # A station that stalls within a transaction would block all others.
    "SET idle_in_transaction_session_timeout = '5s'",
    "SET lock_timeout = '15s'",
    "SET statement_timeout = '60s'",
)
_BUSY_MS = 5_000


class DatabaseDamaged(BadData):
    """Raised for a database that is damaged or not Saloon's. Its text is for the log, not for pages."""


def sqlite_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


class Database:
    """An open database, migrated to this program's version.

    ``url`` is SQLite's (one file) or PostgreSQL's. Every method may raise Unavailable (disk full, server
    down) and BadData (damaged, or written by a newer Saloon). After Unavailable the connection is closed, and
    the next call opens and checks it again.
    """

    def __init__(self, url: URL | str) -> None:
        self._url = make_url(url)
        self._where = self._url.render_as_string(hide_password=True)
        self._engine: Engine | None = None
        self._lock = threading.RLock()
        self._silence_lock = threading.Lock()
        self._silent_until = 0.0
        if not self.is_sqlite:
            self._url = self._url.set(drivername="postgresql+psycopg")
            self._where = f"PostgreSQL {self._url.database} at {self._url.host or 'this computer'}"

    @property
    def is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @property
    def index_file(self) -> Path | None:
        """Return the file of the game index, or None if the database is not a SQLite file."""
        has_file = self.is_sqlite and self._url.database
        return Path(f"{self._url.database}.games") if has_file else None

    def open(self) -> None:
        """Connect, check and migrate. Does nothing if the database is open."""
        with self._lock, database_errors_as_ours(self._where):
            if self._engine is not None:
                return
            if self.is_sqlite and self._url.database:
                keep_private(Path(self._url.database))
                write_again(Path(self._url.database))
            engine = _engine(self._url, self._where)
            try:
                with engine.begin() as connection:
                    acquire_lock(connection, AdvisoryLock.TABLES)
                    upgrade(connection, self._where)
            except BaseException:
                engine.dispose()
                raise
            if self.is_sqlite and self._url.database:
                flush_folder(Path(self._url.database).parent)
            self._engine = engine

    def write_ahead_log_bytes(self) -> int:
        """Return the size of SQLite's write-ahead log, or 0 if there is none."""
        log = Path(f"{self._url.database}-wal")
        return log.stat().st_size if self.is_sqlite and log.exists() else 0

    def checkpoint(self) -> None:
        """Move SQLite's write-ahead log into the database and empty it, unless it is being read."""
        with self.reading() as connection:
            driver = connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)  # only SQLite has one
            # Another program, such as a backup, may read for long: commits must not wait for it.
            for command in ("busy_timeout=0", "wal_checkpoint(TRUNCATE)", f"busy_timeout={_BUSY_MS}"):
                driver.execute(f"PRAGMA {command}").fetchall()

    def close(self) -> None:
        """Close the connection. Does nothing if it is closed."""
        with self._lock, database_errors_as_ours(self._where):
            engine, self._engine = self._engine, None
            if engine is not None:
                engine.dispose()

    @contextlib.contextmanager
    def transaction(self, *, alone_with: Table | None = None) -> Iterator[Connection]:
        """Run a transaction that is durable at the end of the block, or rolled back after an exception.

        ``alone_with`` is a table to lock against other writers, for a check that precedes a write. SQLite
        runs one transaction at a time anyway.
        """
        with self._lock_if_sqlite():
            try:
                with database_errors_as_ours(self._where), contextlib.ExitStack() as stack:
                    connection = self._connected(stack, Engine.begin)
                    if alone_with is not None and not self.is_sqlite:
                        connection.exec_driver_sql(f"LOCK TABLE {alone_with.name} IN EXCLUSIVE MODE")
                    yield connection
            except Unavailable:
                # After a failed fsync, the next one may wrongly succeed: this connection cannot be trusted.
                if self.is_sqlite:
                    with contextlib.suppress(SaloonError):
                        self.close()
                raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a read-only connection outside any transaction."""
        with self._lock_if_sqlite(), database_errors_as_ours(self._where), contextlib.ExitStack() as stack:
            yield self._connected(stack, Engine.connect)

    def connect_arguments(self) -> dict[str, Any]:
        """Return the arguments for a separate connection by ``psycopg``. PostgreSQL only."""
        _, arguments = make_url(self._url).get_dialect()().create_connect_args(self._url)
        return {**_SHARED, **arguments}

    def _connected(
        self,
        stack: contextlib.ExitStack,
        connect: Callable[[Engine], contextlib.AbstractContextManager[Connection]],
    ) -> Connection:
        with self._unless_silent(), database_errors_as_ours(self._where):
            return stack.enter_context(connect(self._require_engine()))

    @contextlib.contextmanager
    def _unless_silent(self) -> Iterator[None]:
        """Fail at once while PostgreSQL is known to be frozen, trying it again every few seconds."""
        begun = time.monotonic()
        with self._silence_lock:
            if begun < self._silent_until:
                raise Unavailable(f"{self._where}: the server is silent")
            if self._silent_until:
                self._silent_until = begun + 3 * _SILENCE_S
        try:
            yield
        except Unavailable:
            ended = time.monotonic()
            if not self.is_sqlite and (self._silent_until or ended - begun >= _SILENCE_S):
                self._silent_until = ended + _TRY_AGAIN_S
            raise
        except BaseException:
            self._silent_until = 0.0
            raise
        self._silent_until = 0.0

    def _lock_if_sqlite(self) -> contextlib.AbstractContextManager[object]:
        return self._lock if self.is_sqlite else contextlib.nullcontext()

    def _require_engine(self) -> Engine:
        with self._lock:
            self.open()
            assert self._engine is not None
            return self._engine


@contextlib.contextmanager
def database_errors_as_ours(where: str) -> Iterator[None]:
    """Re-raise errors of the database and its disk as Saloon's, which name ``where``."""
    try:
        yield
    except SaloonError:
        raise
    except (exc.SQLAlchemyError, sqlite3.Error, OSError, OverflowError, UnicodeDecodeError) as error:
        raise _ours(error, where) from error


def _ours(error: Exception, where: str) -> SaloonError:
    original = error.orig if isinstance(error, exc.DBAPIError) else error
    match error:
        case (
            exc.OperationalError() | exc.InterfaceError() | exc.TimeoutError() | OSError()
            | sqlite3.OperationalError() | sqlite3.InterfaceError()
        ):  # fmt: skip
            return Unavailable(f"{where}: {original}")
        case exc.InternalError() if getattr(original, "sqlstate", None) not in _CORRUPTED:
            # PostgreSQL has closed this connection, or has become a standby.
            return Unavailable(f"{where}: {original}")
        case exc.ProgrammingError() if getattr(original, "sqlstate", "") in {None, "42501"}:
            # An option that PostgreSQL's driver does not know, or a missing privilege.
            return Unavailable(f"{where}: {original}")
        case exc.IntegrityError() | exc.ProgrammingError():
            return OurFault(f"{where}: {original}")
        case sqlite3.IntegrityError() | sqlite3.ProgrammingError():
            return OurFault(f"{where}: {original}")
        case exc.DatabaseError() | sqlite3.DatabaseError() | UnicodeDecodeError():
            return DatabaseDamaged(where, f"no database of Saloon, or damaged ({original}); restore a backup")
        case _:
            return OurFault(f"{where}: {original}")


def _engine(url: URL, where: str) -> Engine:
    if url.get_backend_name() == "sqlite":
        # Errors are logged, and their parameters are entries with roles and money.
        engine = create_engine(
            url, poolclass=StaticPool, connect_args={"check_same_thread": False}, hide_parameters=True
        )
        event.listen(engine, "connect", lambda connection, _: _prepare_sqlite(connection, where))
        event.listen(engine, "begin", _begin_at_once)
        return engine
    engine = create_engine(
        url,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        # Heads are read after acquiring a lock, and must not come from an older snapshot.
        isolation_level="READ COMMITTED",
        connect_args=_SHARED,
        hide_parameters=True,
    )
    event.listen(engine, "connect", lambda connection, _: _prepare_postgresql(connection, where))
    event.listen(engine, "checkout", lambda connection, *_: _check_alive(connection))
    return engine


def _check_alive(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Check that the server responds, as a frozen one keeps its connections but is silent.

    Raises InvalidatePoolError, after which SQLAlchemy reconnects.
    """
    from psycopg import OperationalError

    server = connection.pgconn
    try:
        server.send_query(b"")
        server.flush()
        with selectors.DefaultSelector() as answer:
            answer.register(server.socket, selectors.EVENT_READ)
            while server.is_busy():
                if not answer.select(_SILENCE_S):
                    raise exc.InvalidatePoolError("the server is silent")
                server.consume_input()
        while server.get_result() is not None:
            pass
    except OperationalError as error:
        raise exc.InvalidatePoolError(str(error)) from error


def _prepare_postgresql(connection: "psycopg.Connection[tuple[object, ...]]", where: str) -> None:
    """Set up a connection, and check that commits are durable, as the server may have been reconfigured."""
    for command in _MANNERS:
        connection.execute(command)
    for name in ("synchronous_commit", "fsync"):
        row = connection.execute(f"SHOW {name}".encode()).fetchone()
        if row is None or row[0] == "off":
            raise Unavailable(f"{where}: {name} is off; a power cut would lose what was received")
    connection.commit()


def _prepare_sqlite(connection: sqlite3.Connection, where: str) -> None:
    # The driver would begin transactions only at the first write; see _begin_at_once.
    connection.isolation_level = None
    for pragma in (
        "mmap_size=0", "journal_mode=WAL", "synchronous=FULL", "fullfsync=ON", f"busy_timeout={_BUSY_MS}",
        # The journal of multi-row statements stays in memory.
        "temp_store=MEMORY",
        # A checkpoint flushes twice while commits wait. Under steady load it runs every 256 MB, as mostly the
        # same pages are written again; in quiet moments much earlier (Store.checkpoint).
        "wal_autocheckpoint=64000", "journal_size_limit=67108864",
    ):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}").fetchall()
    _check_sqlite(connection, where)


def _begin_at_once(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _check_sqlite(connection: sqlite3.Connection, where: str) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        raise Unavailable(f"{where}: this disk allows no write-ahead log; put the data on a local disk")
    if connection.execute("PRAGMA synchronous").fetchone() != (_SYNCHRONOUS_FULL,):
        raise Unavailable(f"{where}: synchronous writing could not be switched on")
    # A page that has lost half of its rows still looks valid; only this check notices it.
    (problem,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if problem != "ok":
        raise DatabaseDamaged(where, f"damaged: {problem}; restore a backup")
