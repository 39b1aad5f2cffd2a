"""Read and extend streams within one transaction."""

import functools
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select, text

from base.errors import OurFault
from station.store import schema
from station.store.settings import epoch_of
from sync.protocol.entry import GENESIS, Entry, Epoch, Head, Quarantined, StreamId, TerminalId, chained_hash

Key = tuple[StreamId, Epoch]
"""One epoch of one stream."""
Sorted = tuple[list[Entry], list[Quarantined]]
"""New entries, and conflicting ones."""
EntryRow = tuple[int, StreamId, Epoch, int, bytes, bytes, int]
"""An entry as a row of the database: arrival, stream, epoch, seq, raw, hash, received_ms."""
TERMINALS = "table/"
_e = schema.entries.c
_ENDS = text(
    "SELECT found.* FROM unnest(CAST(:streams AS text[]), CAST(:epochs AS text[])) AS asked(stream, epoch)"
    " CROSS JOIN LATERAL (SELECT * FROM entries AS e WHERE e.stream = asked.stream AND e.epoch = asked.epoch"
    " ORDER BY e.seq DESC LIMIT 1) AS found"
)
_INSERT_SQLITE = (
    "INSERT INTO entries (stream, epoch, seq, raw, hash, received_ms) VALUES {} ON CONFLICT DO NOTHING"
)
_ROWS = 128
"""The most rows per statement."""
_INSERT = text(
    "INSERT INTO entries (stream, epoch, seq, raw, hash, received_ms)"
    " SELECT stream, epoch, seq, raw, hash, :now FROM unnest(CAST(:streams AS text[]),"
    " CAST(:epochs AS text[]), CAST(:seqs AS bigint[]), CAST(:raws AS bytea[]), CAST(:hashes AS bytea[]))"
    " WITH ORDINALITY AS given(stream, epoch, seq, raw, hash, place) ORDER BY place ON CONFLICT DO NOTHING"
)
"""Inserts all entries at once, to save round trips to the server."""
OTHER_CONTENT = (
    "a different entry with this number was received earlier: the card was probably cloned or restored"
)
BROKEN_CHAIN = "the entry doesn't match the hash of the previous one"


def terminal_of(stream: StreamId) -> TerminalId:
    """Return the terminal that writes a stream whose name starts with ``TERMINALS``."""
    return TerminalId(stream.removeprefix(TERMINALS))


class StoredEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry as read from the database. ``arrival`` is its number in order of arrival."""

    arrival: int
    stream: StreamId
    epoch: Epoch
    seq: int
    raw: bytes


class StreamCache(msgspec.Struct):
    """A cache of stream heads, of the newest epoch of each stream, and of the station's own epoch."""

    heads: dict[Key, Head] = {}
    newest: dict[StreamId, Epoch] = {}
    own: Epoch | None = None

    def forget(self) -> None:
        """Clear the cache. The transaction that created the station's own epoch may have failed too."""
        self.heads.clear()
        self.newest.clear()
        self.own = None


class StreamTransaction:
    """The streams within one transaction. ``memory`` is a valid cache, which the transaction updates."""

    def __init__(self, connection: Connection, memory: StreamCache) -> None:
        self.connection = connection
        self.memory = memory

    @property
    def driver(self) -> sqlite3.Connection:
        """Return SQLite's connection, which is faster for statements that run often."""
        driver = self.connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def own_epoch(self) -> Epoch:
        """Return the epoch of the station's own streams."""
        if self.memory.own is None:
            self.memory.own = epoch_of(self.connection)
        return self.memory.own

    def epoch(self, stream: StreamId) -> Epoch | None:
        """Return the newest epoch of a stream, or None if it has no entries."""
        if not stream.startswith(TERMINALS):
            return self.own_epoch()
        if stream not in self.memory.newest:
            query = select(_e.epoch).where(_e.stream == stream).order_by(_e.arrival.desc()).limit(1)
            epoch = self.connection.execute(query).scalar_one_or_none()
            if epoch is None:
                return None
            self.memory.newest[stream] = Epoch(epoch)
        return self.memory.newest[stream]

    def look_up(self, keys: Iterable[Key]) -> None:
        """On PostgreSQL, load many heads into the cache with one query."""
        if self.connection.dialect.name != "postgresql":
            return
        missing = sorted({key for key in keys if key not in self.memory.heads})
        if not missing:
            return
        parameters = {"streams": [stream for stream, _ in missing], "epochs": [epoch for _, epoch in missing]}
        self.memory.heads.update({key: Head(*key, 0, GENESIS) for key in missing})
        for row in self.connection.execute(_ENDS, parameters):
            head = _head(entry_of(row))
            self.memory.heads[head.stream, head.epoch] = head

    def head(self, key: Key) -> Head:
        """Return the head of a stream's epoch, with sequence number 0 if it has no entries."""
        if key not in self.memory.heads:
            query = select(schema.entries).where(_e.stream == key[0], _e.epoch == key[1])
            row = self.connection.execute(query.order_by(_e.seq.desc()).limit(1)).one_or_none()
            self.memory.heads[key] = Head(*key, 0, GENESIS) if row is None else _head(entry_of(row))
        return self.memory.heads[key]

    def grow(self, entry: Entry) -> None:
        self.memory.heads[entry.stream, entry.epoch] = _head(entry)
        self.memory.newest[entry.stream] = entry.epoch

    def find(self, key: Key, seq: int) -> Entry | None:
        """Return one entry, or None if it is not stored."""
        query = select(schema.entries).where(_e.stream == key[0], _e.epoch == key[1], _e.seq == seq)
        row = self.connection.execute(query).one_or_none()
        return None if row is None else entry_of(row)

    def rows_after(self, arrival: int, count: int) -> Sequence[EntryRow]:
        """Return at most ``count`` rows of entries that follow an arrival number, in order.

        They are the driver's rows: SQLAlchemy's would take three times as long at a start with years of
        entries.
        """
        query = select(schema.entries).where(_e.arrival > arrival).order_by(_e.arrival).limit(count)
        rows: Sequence[EntryRow] = self.connection.execute(query).cursor.fetchall()
        return rows

    def own_since(self, arrival: int) -> bool:
        """Return whether an entry of the station's own streams has arrived after this number."""
        query = select(_e.arrival).where(_e.arrival > arrival, ~_e.stream.startswith(TERMINALS)).limit(1)
        return self.connection.execute(query).first() is not None

    def next_entries(self, contents: Sequence[tuple[StreamId, bytes]]) -> list[Entry]:
        """Return the station's next entries with these contents, advancing the heads of their streams."""
        epoch = self.own_epoch()
        written: list[Entry] = []
        self.look_up((stream, epoch) for stream, _ in contents)
        for stream, raw in contents:
            if stream.startswith(TERMINALS):
                raise OurFault(f"the station may not write {stream}")
            head = self.head((stream, epoch))
            entry = Entry(stream, epoch, head.seq + 1, raw, chained_hash(head.hash, raw))
            self.grow(entry)
            written.append(entry)
        return written

    def split_received(self, entries: Sequence[Entry]) -> Sorted:
        """Split received entries into new ones, which continue their streams, and conflicting ones."""
        new: list[Entry] = []
        bad: list[Quarantined] = []
        fresh: dict[tuple[Key, int], Entry] = {}
        self.look_up((entry.stream, entry.epoch) for entry in entries)
        for entry in entries:
            key = (entry.stream, entry.epoch)
            head = self.head(key)
            if entry.seq <= head.seq:
                stored = fresh.get((key, entry.seq)) or self.find(key, entry.seq)
                if stored is None or (stored.raw, stored.hash) != (entry.raw, entry.hash):
                    bad.append(Quarantined(entry, OTHER_CONTENT))
            elif entry.seq == head.seq + 1 and entry.hash == chained_hash(head.hash, entry.raw):
                self.grow(entry)
                fresh[key, entry.seq] = entry
                new.append(entry)
            else:
                bad.append(Quarantined(entry, BROKEN_CHAIN))
        return new, bad

    def insert(self, entries: Sequence[Entry], now_ms: int) -> int:
        """Insert entries, skipping those that exist, and return how many were stored."""
        if not entries:
            return 0
        if self.connection.dialect.name == "postgresql":
            parameters = {
                "streams": [entry.stream for entry in entries],
                "epochs": [entry.epoch for entry in entries],
                "seqs": [entry.seq for entry in entries],
                "raws": [entry.raw for entry in entries],
                "hashes": [entry.hash for entry in entries],
                "now": now_ms,
            }
            return self.connection.execute(_INSERT, parameters).rowcount
        # Under load, most of a station's statements run here.
        return _insert_in_sqlite(self.driver, entries, now_ms)

    def quarantine(self, bad: Sequence[Quarantined], now_ms: int) -> None:
        """Store entries in quarantine, unless they are there already."""
        for quarantined in bad:
            entry = msgspec.structs.asdict(quarantined.entry)
            same = select(schema.quarantine.c.number).filter_by(**entry)
            if self.connection.execute(same).first() is None:
                values = {**entry, "problem": quarantined.problem, "noticed_ms": now_ms}
                self.connection.execute(schema.quarantine.insert().values(values))


def _insert_in_sqlite(driver: sqlite3.Connection, entries: Sequence[Entry], now_ms: int) -> int:
    """Insert entries with multi-row statements, and return how many were stored.

    The driver reacquires Python's lock after each statement, so that with single rows it would wait for the
    event loop at each entry. Row counts are powers of two, to keep the number of different statements small.
    """
    stored = begin = 0
    while begin < len(entries):
        count = min(_ROWS, 1 << (len(entries) - begin).bit_length() - 1)
        some = entries[begin : begin + count]
        values = [
            value for one in some for value in (one.stream, one.epoch, one.seq, one.raw, one.hash, now_ms)
        ]
        stored += driver.execute(_sqlite_insert(count), values).rowcount
        begin += count
    return stored


@functools.cache
def _sqlite_insert(rows: int) -> str:
    return _INSERT_SQLITE.format(", ".join(["(?, ?, ?, ?, ?, ?)"] * rows))


def entry_of(row: Row[Any]) -> Entry:
    return Entry(StreamId(row.stream), Epoch(row.epoch), row.seq, bytes(row.raw), bytes(row.hash))


def _head(entry: Entry) -> Head:
    return Head(entry.stream, entry.epoch, entry.seq, entry.hash)
