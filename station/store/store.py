"""Store all entries of all streams in order of arrival: ``EntryStore`` on SQL.

Calls block and may come from any thread; one at a time uses the database.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from saloon.base.errors import BadData, OurFault, Unavailable
from saloon.station.cluster.locks import AdvisoryLock, acquire_lock
from saloon.station.store import schema
from saloon.station.store.database import Database
from saloon.station.store.streams import (
    TERMINALS,
    EntryRow,
    Key,
    Sorted,
    StreamCache,
    StreamTransaction,
    entry_of,
)
from saloon.sync.protocol.entry import GENESIS, Entry, Epoch, Head, StreamId, chained_hash
from saloon.sync.protocol.store import Quarantined

_e = schema.entries.c
_CHUNK = 2_000
_LOOKS = 5
_WORTH_MOVING = 4 << 20
"""Bytes of a write-ahead log."""
_LOOK_S = 1.0
_NEVER_CONTINUED = (-1, b"")
"""The end of a chain whose next entry would have the sequence number 0."""
_INDEXED = """
    SELECT stream, epoch, count(*) AS found FROM entries INDEXED BY sqlite_autoindex_entries_1
    GROUP BY stream, epoch
"""
_MOVED = """
    SELECT arrival, stream, epoch, seq FROM entries AS stored NOT INDEXED
    WHERE NOT EXISTS (
        SELECT 1 FROM entries AS known INDEXED BY sqlite_autoindex_entries_1
        WHERE known.stream = stored.stream AND known.epoch = stored.epoch AND known.seq = stored.seq
            AND known.arrival = stored.arrival
    )
"""
"""Entries that SQLite's index has at another place than the table."""
_PLACES = "SELECT arrival, stream FROM entries INDEXED BY sqlite_autoindex_entries_1"
_OWN_CHANGED = "the stored bytes have changed, as on a failing disk; restore the last backup"
_TWO_AT_ONE_PLACE = (
    "two have one place: stored bytes have changed, as on a failing disk; restore the last backup"
)
FLIPPED = "the stored bytes have changed: a failing disk"


class ConcurrentWrite(Unavailable):
    """Another station has written in the meantime: read its entries, and decide again."""


class ArrivedEntry(msgspec.Struct, frozen=True):
    """An entry with its position in the order of arrival. received_ms: wall clock since 1970."""

    entry: Entry
    arrival: int
    received_ms: int


class ChainCheck:
    """A check of stored entries, in order of arrival, against the chains of their hashes."""

    def __init__(self) -> None:
        self._ends: dict[Key, tuple[int, bytes]] = {}
        self._changed: dict[Key, Entry] = {}
        self._whole_to: dict[Key, int] = {}

    @property
    def changed(self) -> tuple[Entry, ...]:
        """The first entry of each terminal's epoch that breaks its chain."""
        return tuple(self._changed.values())

    @property
    def counts(self) -> Mapping[Key, int]:
        """The number of entries by epoch, where no chain is broken."""
        return {key: seq for key, (seq, _) in self._ends.items()}

    @property
    def whole_to(self) -> Mapping[Key, int]:
        """The last sequence number before the break, by each broken epoch of a terminal."""
        return self._whole_to

    def continues(self, entry: Entry) -> bool:
        """Return whether the next entry, and all of its stream's epoch before it, is unchanged.

        Raises BadData for an entry of the station itself: only a backup has another copy.
        """
        key = (entry.stream, entry.epoch)
        seq, end = self._ends.get(key, (0, GENESIS))
        if entry.seq == seq + 1 and entry.hash == chained_hash(end, entry.raw):
            self._ends[key] = (entry.seq, entry.hash)
            return True
        if not entry.stream.startswith(TERMINALS):
            raise BadData(f"{entry.stream}, entry {entry.seq}", _OWN_CHANGED)
        self._changed.setdefault(key, entry)
        self._whole_to.setdefault(key, seq)
        self._ends[key] = _NEVER_CONTINUED
        return False


class Store:
    """The streams in a database. now_ms: the wall clock, stored with each entry for people.

    Every method may raise Unavailable; then nothing of the call is stored, and the cache is read again
    before it is used. If other stations write to the database too, nothing is cached: every call that
    stores entries acquires the lock first, and reads under it.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self._memory = StreamCache()
        self._own: Epoch | None = None  # only once it is committed: the cache may hold one that fails
        self._lock = threading.RLock()
        self.is_shared = not database.is_sqlite
        """True if other stations write to the same database."""
        self.failures = 0
        """The number of failed transactions; only reading shows what each of them stored."""

    def own_epoch(self) -> Epoch:
        """Return the epoch of the station's own streams."""
        own = self._own
        if own is None:
            with self._transaction() as streams:
                own = streams.own_epoch()
            self._own = own
        return own

    def head(self, stream: StreamId) -> Head | None:
        """Return the head of a stream's newest epoch; None if it has no entries."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            if epoch is None:
                return None
            head = streams.head((stream, epoch))
        return head if head.seq else None

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """Return the chained hash after an entry of the newest epoch; GENESIS for 0; None if missing."""
        if seq == 0:
            return GENESIS
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            query = select(_e.hash).where(_e.stream == stream, _e.epoch == epoch, _e.seq == seq)
            stored = streams.connection.execute(query).scalar_one_or_none()
        return None if stored is None else bytes(stored)

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """Return at most ``count`` entries of a stream's newest epoch after a sequence number, in order."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq > after)
            rows = streams.connection.execute(query.order_by(_e.seq).limit(count)).all()
        return tuple(entry_of(row) for row in rows)

    def last_of(self, stream: StreamId, epoch: Epoch) -> int:
        """Return the last sequence number of one epoch of a stream in the database; 0 for none."""
        with self._transaction() as streams:
            query = select(func.max(_e.seq)).where(_e.stream == stream, _e.epoch == epoch)
            return int(streams.connection.execute(query).scalar_one_or_none() or 0)

    def entry_at(self, stream: StreamId, epoch: Epoch, seq: int) -> Entry | None:
        """Return one entry; None if it is not stored."""
        with self._transaction() as streams:
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq == seq)
            row = streams.connection.execute(query).one_or_none()
        return None if row is None else entry_of(row)

    def entries_of(self, stream: StreamId, epoch: Epoch, last: int) -> Iterator[Entry]:
        """Yield the entries of one epoch of a stream up to a sequence number, in order, read in chunks."""
        after = 0
        while after < last:
            with self._transaction() as streams:
                query = select(schema.entries).where(
                    _e.stream == stream, _e.epoch == epoch, _e.seq > after, _e.seq <= last
                )
                rows = streams.connection.execute(query.order_by(_e.seq).limit(_CHUNK)).all()
            if not rows:
                return
            yield from (entry_of(row) for row in rows)
            after = rows[-1].seq

    def entries_after(self, after: int = 0) -> Iterator[ArrivedEntry]:
        """Yield all entries after an arrival number, in order of arrival.

        A reader that has read up to a number has missed no earlier entry, even if several stations write.
        """
        for rows in self._rows_after(after):
            for arrival, stream, epoch, seq, raw, hashed, received_ms in rows:
                yield ArrivedEntry(Entry(stream, epoch, seq, raw, hashed), arrival, received_ms)

    def chunks(self, check: ChainCheck | None) -> Iterator[tuple[int, list[Entry]]]:
        """Yield all entries in order of arrival, in chunks, each with its last arrival number.

        check: sees all entries; changed ones are left out. Raises BadData for a
        changed entry of the station itself.
        """
        for rows in self._rows_after(0):
            entries = [Entry(*row[1:6]) for row in rows]
            yield rows[-1][0], entries if check is None else list(filter(check.continues, entries))

    def _rows_after(self, after: int) -> Iterator[Sequence[EntryRow]]:
        while True:
            with self._transaction() as streams:
                rows = streams.rows_after(after, _CHUNK)
            if rows:
                yield rows
            if len(rows) < _CHUNK:
                return
            after = rows[-1][0]

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Append entries to one of the station's own streams, in one commit."""
        return self.append_all([(stream, raw) for raw in raws])

    def append_all(
        self, contents: Sequence[tuple[StreamId, bytes]], *, decided_on: int | None = None
    ) -> tuple[Entry, ...]:
        """Append entries to several of the station's own streams, all or none of them.

        decided_on: the last arrival number known when the entries were decided. Raises ConcurrentWrite if
        another station has written to one of them since.
        """
        written: list[Entry] = []
        try:
            with self._transaction() as streams:
                acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
                if self.is_shared and decided_on is not None:
                    _check_nobody_decided_since(streams, decided_on)
                written += streams.next_entries(contents)
                if streams.insert(written, self._now_ms()) != len(written):
                    raise OurFault("another program writes this station's streams")
        except ConcurrentWrite:
            raise
        except Unavailable:
            if not (self.is_shared and written and self._are_stored(written)):
                raise
        return tuple(written)

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries in one commit; return the new ones and the conflicting ones.

        Repeated entries succeed and are in neither. Conflicting ones are stored in quarantine.
        """
        with self._transaction() as streams:
            acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
            new, bad = streams.split_received(entries)
            if bad:
                # Do not report a conflict from cached heads alone: check again without them.
                streams.memory.forget()
                new, bad = streams.split_received(entries)
            if self.is_shared:
                # Under the lock nobody else can have stored them since.
                self._insert_all(streams, new)
            else:
                new, bad = self._insert_or_look_anew(streams, entries, (new, bad))
            streams.quarantine(bad, self._now_ms())
        return tuple(new), tuple(bad)

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database, if it has grown; for moments at which nobody waits."""
        if not self.is_shared and self._database.write_ahead_log_bytes() >= _WORTH_MOVING:
            with self._lock:
                self._database.checkpoint()

    def quarantined_entries(self) -> tuple[Quarantined, ...]:
        """Return all entries in quarantine, the oldest first."""
        query = select(schema.quarantine).order_by(schema.quarantine.c.number)
        with self._transaction() as streams:
            rows = streams.connection.execute(query).all()
        return tuple(Quarantined(entry_of(row), row.problem) for row in rows)

    def verify(self) -> tuple[Quarantined, ...]:
        """Check every stored entry against its hash chain; quarantine and return the changed ones.

        A terminal's entries from the changed one on are removed from the stream: the terminal still has
        them and sends them again. Raises BadData for a changed entry of the station itself: only a
        backup has another copy.
        """
        check = ChainCheck()
        for _ in self.chunks(check):
            pass
        return self.withdraw(check)

    def withdraw(self, check: ChainCheck) -> tuple[Quarantined, ...]:
        """Quarantine the entries that a check of all found changed, and those behind them; return them.

        SQLite's index knows all places, too: an entry that has moved to a stream of its own is found by it.
        Raises BadData if a changed entry is the station's, or has the place of another one.
        """
        broken = dict(check.whole_to)
        if not self.is_shared and (broken or self._indexed() != check.counts):
            for key, seq in self._index_anew():
                broken[key] = min(seq, broken.get(key, seq))
        return tuple(bad for key, seq in broken.items() for bad in self._withdraw(key, seq))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[StreamTransaction]:
        """Run a transaction; clear the cache if it fails."""
        memory = StreamCache(own=self._own) if self.is_shared else self._memory
        with contextlib.nullcontext() if self.is_shared else self._lock:
            try:
                with self._database.transaction() as connection:
                    yield StreamTransaction(connection, memory)
            except BaseException:
                self.failures += 1
                self._own = None
                self._memory.forget()
                raise

    def _insert_all(self, streams: StreamTransaction, entries: Sequence[Entry]) -> None:
        if streams.insert(entries, self._now_ms()) != len(entries):
            raise OurFault("entries change while they are compared")

    def _insert_or_look_anew(
        self, streams: StreamTransaction, entries: Sequence[Entry], found: Sorted
    ) -> Sorted:
        """Insert entries that are new by the cache; compare again if some were stored by another writer."""
        new, _ = found
        attempt = streams.connection.begin_nested()
        if streams.insert(new, self._now_ms()) == len(new):
            attempt.commit()
            return found
        attempt.rollback()
        streams.memory.forget()
        new, bad = streams.split_received(entries)
        self._insert_all(streams, new)
        return new, bad

    def _are_stored(self, written: Sequence[Entry]) -> bool:
        """Return whether a commit whose answer was lost has succeeded.

        This waits for the lock that the commit held, so it has ended one way or the other. Raises
        Unavailable if the database stays unreachable.
        """
        for look in range(_LOOKS):
            try:
                with self._transaction() as streams:
                    acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
                    return streams.find(written[0]) == written[0]
            except Unavailable:
                if look == _LOOKS - 1:
                    raise
                time.sleep(_LOOK_S)
        return False

    def _indexed(self) -> Mapping[Key, int]:
        """Return the number of entries by epoch as SQLite's index has them."""
        with self._transaction() as streams:
            rows = streams.connection.exec_driver_sql(_INDEXED).all()
        return {(StreamId(row.stream), Epoch(row.epoch)): row.found for row in rows}

    def _index_anew(self) -> tuple[tuple[Key, int], ...]:
        """Index SQLite's table again, as the index has changed entries at their old places.

        Return the epochs of entries that were at another place, each with the sequence number before it.
        """
        with self._transaction() as streams:
            moved = {row.arrival: row for row in streams.connection.exec_driver_sql(_MOVED)}
            places = {arrival: [row.stream] for arrival, row in moved.items()}
            for arrival, stream in streams.connection.exec_driver_sql(_PLACES):
                if arrival in places:
                    places[arrival].append(stream)
            if not all(any(stream.startswith(TERMINALS) for stream in both) for both in places.values()):
                raise BadData("the station's own entries", _OWN_CHANGED)
            try:
                streams.connection.exec_driver_sql("REINDEX entries")
            except IntegrityError as error:
                raise BadData("the entries of the database", _TWO_AT_ONE_PLACE) from error
            streams.memory.forget()
        return tuple(
            ((StreamId(row.stream), Epoch(row.epoch)), row.seq - 1) for row in moved.values() if row.seq > 0
        )

    def _withdraw(self, key: Key, whole_to: int) -> tuple[Quarantined, ...]:
        """Quarantine an epoch's entries behind a sequence number; a changed one may have any number."""
        stream, epoch = key
        behind = (_e.stream == stream, _e.epoch == epoch, (_e.seq > whole_to) | (_e.seq < 1))
        with self._transaction() as streams:
            acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
            rows = streams.connection.execute(select(schema.entries).where(*behind).order_by(_e.seq)).all()
            bad = tuple(Quarantined(entry_of(row), FLIPPED) for row in rows)
            streams.quarantine(bad, self._now_ms())
            streams.connection.execute(schema.entries.delete().where(*behind))
            streams.memory.forget()
        return bad


def _check_nobody_decided_since(streams: StreamTransaction, arrival: int) -> None:
    if streams.own_since(arrival):
        raise ConcurrentWrite("another station has decided something meanwhile")
