"""All entries of all streams, durable and in order of arrival: ``sync.store.EntryStore`` on SQL.

Calls block and may come from any thread; one at a time holds the database.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects import postgresql, sqlite

from saloon.core.errors import BadData, OurFault
from saloon.station import schema
from saloon.station.database import Database
from saloon.station.settings import epoch_of
from saloon.sync.entry import GENESIS, Entry, Epoch, Head, StreamId, chained_hash
from saloon.sync.store import Quarantined

_Key = tuple[StreamId, Epoch]
_e = schema.entries.c
_q = schema.quarantine.c
_CHUNK = 2_000
_TERMINALS = "table/"
OTHER_CONTENT = "another entry was received under this number before: a cloned or restored card"
BROKEN_CHAIN = "the entry does not continue the chain of hashes"
FLIPPED = "the stored bytes have changed: a failing disk"


class Arrived(msgspec.Struct, frozen=True):
    """An entry with its place among all that the station has. received_ms: wall clock since 1970."""

    entry: Entry
    arrival: int
    received_ms: int


class Store:
    """The streams in a database. now_ms: the wall clock, written beside each entry for people.

    Every method may raise Unavailable; then nothing of the call is stored, and what is in memory
    is read anew before anything else is believed.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self._heads: dict[_Key, Head] = {}
        self._newest: dict[StreamId, Epoch] = {}
        self._epoch: Epoch | None = None
        self._lock = threading.RLock()
        self.failures = 0
        """How often a transaction failed: what it stored is then only known by reading."""

    def own_epoch(self) -> Epoch:
        """The epoch of the station's own streams."""
        if self._epoch is not None:
            return self._epoch
        with self._transaction() as connection:
            return self._own_epoch_in(connection)

    def head(self, stream: StreamId) -> Head | None:
        """The end of a stream's newest epoch; None for no entry in it."""
        with self._transaction() as connection:
            epoch = self._epoch_in(connection, stream)
            if epoch is None:
                return None
            head = self._head_in(connection, (stream, epoch))
        return head if head.seq else None

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """The chained hash after an entry of the newest epoch; GENESIS for 0; None for a missing one."""
        if seq == 0:
            return GENESIS
        with self._transaction() as connection:
            epoch = self._epoch_in(connection, stream)
            query = select(_e.hash).where(_e.stream == stream, _e.epoch == epoch, _e.seq == seq)
            stored = connection.execute(query).scalar_one_or_none()
        return None if stored is None else bytes(stored)

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """At most so many entries of a stream's newest epoch behind a sequence number, in order."""
        with self._transaction() as connection:
            epoch = self._epoch_in(connection, stream)
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq > after)
            rows = connection.execute(query.order_by(_e.seq).limit(count)).all()
        return tuple(_entry(row) for row in rows)

    def entries_of(self, stream: StreamId, epoch: Epoch, last: int) -> Iterator[Entry]:
        """The entries of one epoch of a stream up to a sequence number, in order, some at a time."""
        after = 0
        while after < last:
            with self._transaction() as connection:
                query = select(schema.entries).where(
                    _e.stream == stream, _e.epoch == epoch, _e.seq > after, _e.seq <= last
                )
                rows = connection.execute(query.order_by(_e.seq).limit(_CHUNK)).all()
            if not rows:
                return
            yield from (_entry(row) for row in rows)
            after = rows[-1].seq

    def arrived(self, after: int = 0) -> Iterator[Arrived]:
        """All entries that arrived after this one, in order of arrival."""
        while True:
            with self._transaction() as connection:
                query = select(schema.entries).where(_e.arrival > after).order_by(_e.arrival).limit(_CHUNK)
                rows = connection.execute(query).all()
            for row in rows:
                yield Arrived(_entry(row), row.arrival, row.received_ms)
            if len(rows) < _CHUNK:
                return
            after = rows[-1].arrival

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Give the next sequence numbers to entries of an own stream, in one commit."""
        return self.append_all([(stream, raw) for raw in raws])

    def append_all(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[Entry, ...]:
        """The same for entries of several own streams, all or none of them."""
        written: list[Entry] = []
        with self._transaction() as connection:
            epoch = self._own_epoch_in(connection)
            for stream, raw in contents:
                if stream.startswith(_TERMINALS):
                    raise OurFault(f"the station may not write {stream}")
                head = self._head_in(connection, (stream, epoch))
                entry = Entry(stream, epoch, head.seq + 1, raw, chained_hash(head.hash, raw))
                self._heads[stream, epoch] = _head(entry)
                written.append(entry)
            if self._insert(connection, written) != len(written):
                raise OurFault("another program writes this station's streams")
        return tuple(written)

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries in one commit: those that are new, and those that disagree.

        Repeated ones are a success and neither. What disagrees is kept in quarantine.
        """
        with self._transaction() as connection:
            new, bad = self._sorted(connection, entries)
            attempt = connection.begin_nested()
            if self._insert(connection, new) == len(new):
                attempt.commit()
            else:
                # Somebody else stored some of them since we last looked: look anew and compare those.
                attempt.rollback()
                self._forget()
                new, bad = self._sorted(connection, entries)
                if self._insert(connection, new) != len(new):
                    raise OurFault("entries change while they are compared")
            self._keep(connection, bad)
        return tuple(new), tuple(bad)

    def quarantined(self) -> tuple[Quarantined, ...]:
        """All that is in quarantine, oldest first."""
        with self._transaction() as connection:
            rows = connection.execute(select(schema.quarantine).order_by(_q.number)).all()
        return tuple(Quarantined(_entry(row), row.problem) for row in rows)

    def verify(self) -> tuple[Quarantined, ...]:
        """Compare every stored entry with its chain of hashes; what had changed, now in quarantine.

        A terminal's entries from the changed one on leave the stream: the terminal still has them
        and sends them again. Raises BadData for a changed entry of the station's own: nobody has
        another copy but a backup.
        """
        ends: dict[_Key, Head] = {}
        broken: dict[_Key, Entry] = {}
        for found in self.arrived():
            entry = found.entry
            key = (entry.stream, entry.epoch)
            end = ends.get(key, Head(*key, 0, GENESIS))
            if key in broken:
                continue
            if entry.seq != end.seq + 1 or entry.hash != chained_hash(end.hash, entry.raw):
                broken[key] = entry
            ends[key] = _head(entry)
        return tuple(bad for entry in broken.values() for bad in self._withdraw(entry))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A transaction after whose failure nothing in memory is believed."""
        with self._lock:
            try:
                with self._database.transaction() as connection:
                    yield connection
            except BaseException:
                self.failures += 1
                self._forget()
                raise

    def _withdraw(self, first: Entry) -> tuple[Quarantined, ...]:
        if not first.stream.startswith(_TERMINALS):
            raise BadData(
                f"{first.stream}, entry {first.seq}",
                "the stored bytes have changed, as on a failing disk; restore the last backup",
            )
        behind = (_e.stream == first.stream, _e.epoch == first.epoch, _e.seq >= first.seq)
        with self._transaction() as connection:
            rows = connection.execute(select(schema.entries).where(*behind).order_by(_e.seq)).all()
            bad = tuple(Quarantined(_entry(row), FLIPPED) for row in rows)
            self._keep(connection, bad)
            connection.execute(schema.entries.delete().where(*behind))
        self._forget()
        return bad

    def _sorted(
        self, connection: Connection, entries: Sequence[Entry]
    ) -> tuple[list[Entry], list[Quarantined]]:
        new: list[Entry] = []
        bad: list[Quarantined] = []
        fresh: dict[tuple[_Key, int], Entry] = {}
        for entry in entries:
            key = (entry.stream, entry.epoch)
            head = self._head_in(connection, key)
            if entry.seq <= head.seq:
                stored = fresh.get((key, entry.seq)) or _stored(connection, entry)
                if stored is None or (stored.raw, stored.hash) != (entry.raw, entry.hash):
                    bad.append(Quarantined(entry, OTHER_CONTENT))
            elif entry.seq == head.seq + 1 and entry.hash == chained_hash(head.hash, entry.raw):
                self._heads[key] = _head(entry)
                self._newest[entry.stream] = entry.epoch
                fresh[key, entry.seq] = entry
                new.append(entry)
            else:
                bad.append(Quarantined(entry, BROKEN_CHAIN))
        return new, bad

    def _insert(self, connection: Connection, entries: Sequence[Entry]) -> int:
        """How many of these were stored; the unique key leaves out those that are there already."""
        if not entries:
            return 0
        now = self._now_ms()
        rows = [
            {
                "stream": entry.stream,
                "epoch": entry.epoch,
                "seq": entry.seq,
                "raw": entry.raw,
                "hash": entry.hash,
                "received_ms": now,
            }
            for entry in entries
        ]
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        statement = insert(schema.entries).on_conflict_do_nothing()
        counted = {"preserve_rowcount": True}
        return connection.execute(statement, rows, execution_options=counted).rowcount

    def _keep(self, connection: Connection, bad: Sequence[Quarantined]) -> None:
        for quarantined in bad:
            entry = quarantined.entry
            same = (
                _q.stream == entry.stream,
                _q.epoch == entry.epoch,
                _q.seq == entry.seq,
                _q.hash == entry.hash,
                _q.raw == entry.raw,
            )
            if connection.execute(select(_q.number).where(*same)).first() is None:
                connection.execute(
                    schema.quarantine.insert().values(
                        stream=entry.stream,
                        epoch=entry.epoch,
                        seq=entry.seq,
                        raw=entry.raw,
                        hash=entry.hash,
                        problem=quarantined.problem,
                        noticed_ms=self._now_ms(),
                    )
                )

    def _epoch_in(self, connection: Connection, stream: StreamId) -> Epoch | None:
        if not stream.startswith(_TERMINALS):
            return self._own_epoch_in(connection)
        if stream not in self._newest:
            query = select(_e.epoch).where(_e.stream == stream).order_by(_e.arrival.desc()).limit(1)
            epoch = connection.execute(query).scalar_one_or_none()
            if epoch is None:
                return None
            self._newest[stream] = Epoch(epoch)
        return self._newest[stream]

    def _own_epoch_in(self, connection: Connection) -> Epoch:
        if self._epoch is None:
            self._epoch = epoch_of(connection)
        return self._epoch

    def _head_in(self, connection: Connection, key: _Key) -> Head:
        if key not in self._heads:
            query = select(schema.entries).where(_e.stream == key[0], _e.epoch == key[1])
            row = connection.execute(query.order_by(_e.seq.desc()).limit(1)).one_or_none()
            self._heads[key] = Head(*key, 0, GENESIS) if row is None else _head(_entry(row))
        return self._heads[key]

    def _forget(self) -> None:
        self._heads.clear()
        self._newest.clear()


def _stored(connection: Connection, entry: Entry) -> Entry | None:
    query = select(schema.entries).where(
        _e.stream == entry.stream, _e.epoch == entry.epoch, _e.seq == entry.seq
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _entry(row)


def _head(entry: Entry) -> Head:
    return Head(entry.stream, entry.epoch, entry.seq, entry.hash)


def _entry(row: Row[Any]) -> Entry:
    return Entry(StreamId(row.stream), Epoch(row.epoch), row.seq, bytes(row.raw), bytes(row.hash))
