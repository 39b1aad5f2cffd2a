"""The terminal's durable journal: its own entries and the orders it received, in one SQLite file.

Written by one connection of one thread. What ``append`` and ``keep_orders`` have returned from
survives a power cut (write-ahead log, synchronous FULL; both are read back).
"""

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from saloon.core.errors import BadData, Unavailable
from saloon.sync.entry import GENESIS, Epoch, Head, StreamId, chained_hash

_Row = tuple[Any, ...]  # what a column holds is known to the query that names it
_SCHEMA = """
CREATE TABLE IF NOT EXISTS own (seq INTEGER PRIMARY KEY, raw BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS orders (
    epoch TEXT NOT NULL, seq INTEGER NOT NULL, raw BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (epoch, seq)
) STRICT;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


class Facts(msgspec.Struct, frozen=True):
    """What a journal says of itself. boot: how often it was opened."""

    epoch: Epoch
    board: str
    boot: int


class Journal:
    """An open journal. Everything that touches the disk may raise Unavailable (full, worn, gone)."""

    def __init__(self, path: Path, stream: StreamId, orders: StreamId, board: str) -> None:
        self._path = path
        self._stream = stream
        self._orders = orders
        self._board = board
        self._db: sqlite3.Connection | None = None
        self._hashes: list[bytes] = [GENESIS]
        self.facts = Facts(Epoch(""), board, 0)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Open and check: settings read back, chain of hashes whole, board the same.

        Raises BadData for a damaged journal or one that was made on another board.
        """
        with _mapped(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            self._db = db
            db.execute("PRAGMA mmap_size=0")
            if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise Unavailable(f"{self._path}: the disk allows no write-ahead log")
            db.execute("PRAGMA synchronous=FULL")
            if db.execute("PRAGMA synchronous").fetchone()[0] != 2:  # noqa: PLR2004 (2 is FULL)
                raise Unavailable(f"{self._path}: synchronous could not be set to FULL")
            db.executescript(_SCHEMA)
        self._check_chain()
        self._greet_board()

    def close(self) -> None:
        """Close the file; harmless when it is not open."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def append(self, raws: tuple[bytes, ...]) -> int:
        """Store entries in one commit; the sequence number of the last. They are durable on return."""
        hashes = list(self._hashes)
        rows = []
        for raw in raws:
            hashes.append(chained_hash(hashes[-1], raw))
            rows.append((len(hashes) - 1, raw, hashes[-1]))
        with self._transaction() as db:
            db.executemany("INSERT INTO own VALUES (?, ?, ?)", rows)
        self._hashes = hashes
        return len(hashes) - 1

    def keep_orders(
        self, epoch: Epoch, first: int, raws: tuple[bytes, ...], hashes: tuple[bytes, ...]
    ) -> Head:
        """Store orders in one commit; their durable head. The same orders again are a success."""
        rows = [
            (epoch, first + i, raw, digest) for i, (raw, digest) in enumerate(zip(raws, hashes, strict=True))
        ]
        with self._transaction() as db:
            db.executemany("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?)", rows)
            db.execute("INSERT OR REPLACE INTO facts VALUES ('orders-epoch', ?)", (epoch,))
        held = self.orders_head()
        assert held is not None
        return held

    def own(self) -> tuple[bytes, ...]:
        """All own entries, oldest first."""
        return tuple(raw for (raw,) in self._rows("SELECT raw FROM own ORDER BY seq"))

    def orders(self) -> tuple[bytes, ...]:
        """All orders in the order of their arrival; those of a lost station and of its restored backup."""
        return tuple(raw for (raw,) in self._rows("SELECT raw FROM orders ORDER BY rowid"))

    def orders_known(self) -> int:
        """How many orders have arrived, of all epochs."""
        return int(self._rows("SELECT count(*) FROM orders")[0][0])

    def orders_head(self) -> Head | None:
        """The durable end of the orders; None for none."""
        rows = self._rows(
            "SELECT epoch, seq, hash FROM orders WHERE epoch ="
            " (SELECT value FROM facts WHERE name = 'orders-epoch') ORDER BY seq DESC LIMIT 1"
        )
        return Head(self._orders, Epoch(rows[0][0]), rows[0][1], rows[0][2]) if rows else None

    def head(self) -> Head:
        """The durable end of the own stream."""
        return Head(self._stream, self.facts.epoch, len(self._hashes) - 1, self._hashes[-1])

    def hash_at(self, seq: int) -> bytes | None:
        """The chained hash after an own entry; None for one that is not there."""
        return self._hashes[seq] if 0 <= seq < len(self._hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        """At most so many own entries behind a sequence number."""
        query = "SELECT raw FROM own WHERE seq > ? ORDER BY seq LIMIT ?"
        return tuple(raw for (raw,) in self._rows(query, (seq, count)))

    def note_received(self, seq: int) -> None:
        """Remember how far the station has acknowledged."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES ('received', ?)", (str(seq),))

    def received(self) -> int:
        """How far the station was known to have acknowledged."""
        return int(self._fact("received") or 0)

    def _fact(self, name: str) -> str | None:
        rows = self._rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[_Row]:
        with _mapped(self._path):
            return self._open_db().execute(query, values).fetchall()

    def _open_db(self) -> sqlite3.Connection:
        if self._db is None:
            raise Unavailable(f"{self._path}: the journal is not open")
        return self._db

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _mapped(self._path):
            db = self._open_db()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                raise

    def _check_chain(self) -> None:
        self._hashes = self._checked("entry", "SELECT seq, raw, hash FROM own ORDER BY seq")
        for (epoch,) in self._rows("SELECT DISTINCT epoch FROM orders"):
            query = "SELECT seq, raw, hash FROM orders WHERE epoch = ? ORDER BY seq"
            self._checked("order", query, (epoch,))

    def _checked(self, what: str, query: str, values: tuple[object, ...] = ()) -> list[bytes]:
        hashes = [GENESIS]
        for seq, raw, digest in self._rows(query, values):
            expected = chained_hash(hashes[-1], raw)
            if seq != len(hashes) or digest != expected:
                raise BadData(
                    f"{self._path}: {what} {len(hashes)}",
                    "the journal is damaged here; keep the file, swap the card and call the maintainer",
                )
            hashes.append(expected)
        return hashes

    def _greet_board(self) -> None:
        epoch, board = self._fact("epoch"), self._fact("board")
        if board is not None and board != self._board:
            raise BadData(
                str(self._path),
                f"made on another board ({board}, this is {self._board}): a cloned card? "
                "Start with an empty data directory",
            )
        boot = int(self._fact("boot") or 0) + 1
        epoch = epoch or secrets.token_hex(8)
        facts = (("epoch", epoch), ("board", self._board), ("boot", str(boot)))
        with self._transaction() as db:
            db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)
        self.facts = Facts(Epoch(epoch), self._board, boot)


@contextlib.contextmanager
def _mapped(path: Path) -> Iterator[None]:
    """Foreign errors of a journal's disk, as ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise Unavailable(f"{path}: {error}") from error
        raise BadData(str(path), f"not a journal, or damaged: {error}") from error
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{path}: {error}") from error
