"""The terminal's durable journal: its entries and the orders it received, in one SQLite file.

It is written by one connection on one thread. Everything stored by ``append`` and ``keep_orders`` survives a
power cut once they return. After any disk error the journal is closed until ``open`` has read and checked
all of it again.
"""

import secrets
import sqlite3
from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Self

import msgspec
import structlog

from base.durable_file import DurableFile, Row
from base.errors import BadData, PeerFault
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId, chained_hash

_log = structlog.get_logger()
_SCHEMA = """
CREATE TABLE IF NOT EXISTS own (seq INTEGER PRIMARY KEY, raw BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS orders (
    epoch TEXT NOT NULL, seq INTEGER NOT NULL, raw BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (epoch, seq)
) STRICT;
CREATE TABLE IF NOT EXISTS disputed (
    epoch TEXT NOT NULL, seq INTEGER NOT NULL, raw BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (epoch, seq, hash)
) STRICT;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""
_DAMAGED = "the journal is damaged here; keep the file, swap the card and call the maintainer"


class OrdersDisagree(PeerFault):
    """The station sent an order that differs from the one stored under its number ``seq``; both are kept."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__(f"the station sent another order {seq} than the one it sent before")


class OtherBoard(BadData):
    """The journal was created on another board, named ``board``: its card was moved or copied."""

    def __init__(self, path: Path, board: str, own: str) -> None:
        self.board = board
        super().__init__(
            str(path), f"made on another board ({board}, this is {own}): a moved card, or the copy of one?"
        )


class Facts(msgspec.Struct, frozen=True):
    """The journal's metadata. ``boot`` counts the starts of its terminal."""

    epoch: Epoch
    board: str
    boot: int


class Journal:
    """A terminal's journal. All methods that access the disk may raise Unavailable (full, worn, gone).

    adopts: accept a journal created on another board, whose card was moved here.
    file: creates the file on the disk.
    new_epoch: returns 16 random hex digits.
    """

    def __init__(
        self,
        path: Path,
        stream: StreamId,
        orders: StreamId,
        board: str,
        *,
        adopts: bool = False,
        file: Callable[[Path, str], DurableFile] = DurableFile,
        new_epoch: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self._path = path
        self._stream = stream
        self._orders = orders
        self._board = board
        self._adopts = adopts
        self._new_epoch = new_epoch
        self._file = file(path, _SCHEMA)
        self._hashes: list[bytes] = [GENESIS]
        self._received_now: int | None = None
        self.facts = Facts(Epoch(""), board, 0)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Open the journal and check its epoch, its hash chains and its board.

        Raises BadData for a damaged journal, OtherBoard for one created on another board.
        """
        try:
            self._file.open()
            self._hashes = check_content(self._path, self._file.rows)
            self._check_board()
        except BaseException:
            self.close()
            raise

    @property
    def is_open(self) -> bool:
        """Return whether the journal can be used; False after a disk error."""
        return self._file.is_open

    def close(self) -> None:
        self._file.close()

    def append(self, raws: tuple[bytes, ...]) -> int:
        """Store entries in one commit, durable on return, and return the last sequence number."""
        hashes = list(self._hashes)
        rows = []
        for raw in raws:
            hashes.append(chained_hash(hashes[-1], raw))
            rows.append((len(hashes) - 1, raw, hashes[-1]))
        with self._file.transaction() as db:
            db.executemany("INSERT INTO own VALUES (?, ?, ?)", rows)
            self._write_received(db)
        self._hashes = hashes
        return len(hashes) - 1

    def keep_orders(
        self, epoch: Epoch, first: int, raws: tuple[bytes, ...], hashes: tuple[bytes, ...]
    ) -> Head:
        """Store one or more orders in one commit and return their durable head; repeated ones are accepted.

        Raises OrdersDisagree if other orders are stored under these numbers. The new ones are then kept
        separately, and nothing may be acknowledged.
        """
        rows = [
            (epoch, first + i, raw, digest) for i, (raw, digest) in enumerate(zip(raws, hashes, strict=True))
        ]
        query = (
            "SELECT epoch, seq, raw, hash FROM orders WHERE epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq"
        )
        with self._file.transaction() as db:
            stored = db.execute(query, (epoch, first, rows[-1][1])).fetchall()
            others = [row for row, there in zip(rows, stored, strict=False) if row != there]
            if others:
                db.executemany("INSERT OR IGNORE INTO disputed VALUES (?, ?, ?, ?)", rows)
            else:
                db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows[len(stored) :])
                db.execute("INSERT OR REPLACE INTO facts VALUES ('orders-epoch', ?)", (epoch,))
        if others:
            raise OrdersDisagree(others[0][1])
        return Head(self._orders, epoch, rows[-1][1], rows[-1][3])

    def own(self) -> tuple[bytes, ...]:
        return tuple(raw for (raw,) in self._file.rows("SELECT raw FROM own ORDER BY seq"))

    def orders(self) -> tuple[bytes, ...]:
        """Return all orders in the order of arrival, from a lost station as well as from its backup."""
        return tuple(raw for (raw,) in self._file.rows("SELECT raw FROM orders ORDER BY rowid"))

    def orders_behind(self, count: int) -> tuple[bytes, ...]:
        query = "SELECT raw FROM orders ORDER BY rowid LIMIT -1 OFFSET ?"
        return tuple(raw for (raw,) in self._file.rows(query, (count,)))

    def orders_head(self) -> Head | None:
        """Return the durable head of the orders, or None if there are none."""
        rows = self._file.rows(
            "SELECT epoch, seq, hash FROM orders WHERE epoch ="
            " (SELECT value FROM facts WHERE name = 'orders-epoch') ORDER BY seq DESC LIMIT 1"
        )
        return Head(self._orders, Epoch(rows[0][0]), rows[0][1], rows[0][2]) if rows else None

    def head(self) -> Head:
        return Head(self._stream, self.facts.epoch, len(self._hashes) - 1, self._hashes[-1])

    def hash_at(self, seq: int) -> bytes | None:
        """Return the chained hash after an entry of this terminal; GENESIS for 0, None if missing."""
        return self._hashes[seq] if 0 <= seq < len(self._hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        query = "SELECT raw FROM own WHERE seq > ? ORDER BY seq LIMIT ?"
        return tuple(raw for (raw,) in self._file.rows(query, (seq, count)))

    def note_route(self, name: str) -> None:
        with self._file.transaction() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES ('way', ?)", (name,))

    def last_route(self) -> str:
        """Return the route by which the station was last reached, or an empty string if it never was."""
        return self._fact("way") or ""

    def note_typed(self, addresses: tuple[str, ...]) -> None:
        with self._file.transaction() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES ('typed', ?)", (" ".join(addresses),))

    def typed_addresses(self) -> tuple[str, ...]:
        return tuple((self._fact("typed") or "").split())

    def note_received(self, seq: int) -> None:
        """Store, in its own commit, the number up to which the station has acknowledged entries."""
        self._received_now = seq
        with self._file.transaction() as db:
            self._write_received(db)

    def note_received_with_next(self, seq: int) -> None:
        """Store, in the next commit, the number up to which the station has acknowledged entries."""
        self._received_now = seq

    def _write_received(self, db: sqlite3.Connection) -> None:
        if self._received_now is not None:
            value = f"{self._received_now} {self._mark(self._received_now)}"
            db.execute("INSERT OR REPLACE INTO facts VALUES ('received', ?)", (value,))

    def last_acknowledged(self) -> int:
        """Return the last acknowledged number, or 0 if its entry has changed, as on a restored card."""
        seq, _, mark = (self._fact("received") or "0").partition(" ")
        number = _number(seq)
        return number if mark == self._mark(number) else 0

    def _mark(self, seq: int) -> str:
        """Return the beginning of an entry's hash, which ties a stored number to that entry."""
        return (self.hash_at(seq) or GENESIS).hex()[:8]

    def _fact(self, name: str) -> str | None:
        rows = self._file.rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def _check_board(self) -> None:
        made_on = self._fact("board")
        if made_on not in {None, self._board}:
            if not self._adopts:
                raise OtherBoard(self._path, str(made_on), self._board)
            _log.warning("took over the journal of another board", board=made_on)
        if self.facts.boot:
            return  # reopened after an error: still the same start, and a full disk couldn't store facts
        boot = _number(self._fact("boot") or "0") + 1
        epoch = self._fact("epoch") or self._new_epoch()
        sealed = ("sealed", _seal(epoch, self._board))
        facts = (("epoch", epoch), ("board", self._board), ("boot", str(boot)), sealed)
        with self._file.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)
        self.facts = Facts(Epoch(epoch), self._board, boot)


def check_content(path: Path, rows: Callable[[str], list[Row]]) -> list[bytes]:
    """Check a journal's seal and hash chains, and return the hashes of its entries.

    ``rows`` runs a query. Raises BadData for a damaged journal.
    """
    facts: dict[str, str] = dict(rows("SELECT name, value FROM facts"))
    if "sealed" in facts and facts["sealed"] != _seal(facts.get("epoch", ""), facts.get("board", "")):
        raise BadData(f"{path}: epoch and board", _DAMAGED)
    for _epoch, orders in groupby(rows("SELECT * FROM orders ORDER BY epoch, seq"), key=itemgetter(0)):
        _check_chain(f"{path}: order", (row[1:] for row in orders))
    return _check_chain(f"{path}: entry", rows("SELECT seq, raw, hash FROM own ORDER BY seq"))


def _check_chain(what: str, rows: Iterable[Row]) -> list[bytes]:
    hashes = [GENESIS]
    for seq, raw, digest in rows:
        expected = chained_hash(hashes[-1], raw)
        if seq != len(hashes) or digest != expected:
            raise BadData(f"{what} {len(hashes)}", _DAMAGED)
        hashes.append(expected)
    return hashes


def _seal(epoch: str, board: str) -> str:
    return chained_hash(GENESIS, f"{epoch} {board}".encode()).hex()[:16]


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
