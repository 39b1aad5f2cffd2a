"""A SQLite file whose commits survive a power cut.

After any error the file closes itself. As a failed flush may report success the next time, the owner must
open it again and check its content.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from base import system
from base.errors import BadData, Unavailable
from base.whole_file import flush_folder, keep_private

Row = tuple[Any, ...]  # column types depend on the query
_FULL = 2
_PIECE = 1024 * 1024
_LOG_PAGES = 64
"""Pages after which the write-ahead log is copied into the database and restarted.

A commit needs two flushes while the log grows, as its size is stored separately, and then only one.
"""
_SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510
"""The bytes that SQLite locks while a database is open (its os.h: SHARED_FIRST, SHARED_SIZE)."""
_TRIES = 20
_TRY_EVERY_S = 0.1


class DurableFile:
    """A SQLite file for use by one thread.

    Every method may raise Unavailable (the disk is full, worn out or gone) or BadData (the file is damaged).
    """

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._schema = schema
        self._db: sqlite3.Connection | None = None

    @property
    def is_open(self) -> bool:
        return self._db is not None

    def open(self) -> None:
        """Open the file, or create it, and check that its content is intact and commits will be durable."""
        with self._translate_errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            keep_private(self.path)
            write_again(self.path)
            db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            self._db = db
            db.execute("PRAGMA mmap_size=0")
            if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise Unavailable(f"{self.path}: the disk does not support a write-ahead log")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA fullfsync=ON")  # only on macOS
            if db.execute("PRAGMA synchronous").fetchone()[0] != _FULL:
                raise Unavailable(f"{self.path}: synchronous could not be set to FULL")
            db.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
            # Pages that lost rows are still valid pages; only this check counts the rows.
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise BadData(
                    str(self.path), f"damaged: {verdict}; keep the file, swap the card, call the maintainer"
                )
            db.executescript(self._schema)
            # SQLite ignores errors here, but a file whose name isn't durable is lost after a power cut.
            flush_folder(self.path.parent)

    def close(self) -> None:
        """Close the file if it is open."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[Row]:
        with self._translate_errors():
            return self._connection().execute(query, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as a transaction: durable at its end, or rolled back."""
        with self._translate_errors():
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                raise

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise Unavailable(f"{self.path}: the journal is not open")
        return self._db

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            self.close()
            raise Unavailable(f"{self.path}: {error}") from error
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # The driver can't even decode names or statements damaged on the disk.
            self.close()
            raise BadData(str(self.path), f"not a journal, or damaged: {error}") from error
        except (BadData, Unavailable):
            self.close()
            raise
        except OSError as error:
            self.close()
            raise Unavailable(f"{self.path}: {error}") from error


def write_again(path: Path) -> None:
    """Rewrite a database that was not closed cleanly, byte for byte, and flush it. It must not be open.

    After a failed flush, the system returns written bytes from its cache, but never writes them to the disk,
    so that a power cut loses them. Raises OSError, and Unavailable if another program has the database open.
    """
    log = path.with_name(f"{path.name}-wal")
    files = [file for file in (path, log, path.with_name(f"{path.name}-journal")) if file.exists()]
    if path not in files or files == [path]:  # a cleanly closed database has no log
        return
    with path.open("r+b") as database:
        _lock(database, path)
        for file in files:
            with contextlib.nullcontext(database) if file == path else file.open("r+b") as opened:
                _copy_onto_itself(opened)
    flush_folder(path.parent)


def _copy_onto_itself(file: BinaryIO) -> None:
    while piece := file.read(_PIECE):
        file.seek(-len(piece), os.SEEK_CUR)
        file.write(piece)
    file.flush()
    system.flush_descriptor(file.fileno())


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock out other users of a database, waiting briefly for them to finish."""
    for _ in range(_TRIES):
        try:
            system.lock_bytes(file, _SHARED_FIRST, _SHARED_SIZE)
        except OSError:
            time.sleep(_TRY_EVERY_S)
        else:
            return
    raise Unavailable(f"{path}: another program has it open")
