"""All entries of all streams, durable and in order of arrival: ``sync.store.EntryStore`` on SQL.

Calls block and may come from any thread; one at a time holds the database.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
from sqlalchemy import func, select

from saloon.core.errors import BadData, OurFault, Unavailable
from saloon.station import schema
from saloon.station.database import Database
from saloon.station.streams import TERMINALS, Key, Memory, Sorted, Streams, entry_of
from saloon.station.turns import Turn, take
from saloon.sync.entry import GENESIS, Entry, Epoch, Head, StreamId, chained_hash
from saloon.sync.store import Quarantined

_e = schema.entries.c
_CHUNK = 2_000
_LOOKS = 5
_LOOK_S = 1.0
FLIPPED = "the stored bytes have changed: a failing disk"


class Overtaken(Unavailable):
    """Another station has written since the reader looked: read what it wrote, and decide anew."""


class Arrived(msgspec.Struct, frozen=True):
    """An entry with its place among all that the station has. received_ms: wall clock since 1970."""

    entry: Entry
    arrival: int
    received_ms: int


class Store:
    """The streams in a database. now_ms: the wall clock, written beside each entry for people.

    Every method may raise Unavailable; then nothing of the call is stored, and what is in memory
    is read anew before anything else is believed. Where other stations write to the database too,
    nothing is kept in memory: all that stores entries takes its turn, and looks under it.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self._memory = Memory()
        self._lock = threading.RLock()
        self.is_shared = not database.is_sqlite
        """Whether other stations write to the same database."""
        self.failures = 0
        """How often a transaction failed: what it stored is then only known by reading."""

    def own_epoch(self) -> Epoch:
        """The epoch of the station's own streams."""
        if self._memory.own is None:
            with self._transaction() as streams:
                self._memory.own = streams.own_epoch()
        return self._memory.own

    def head(self, stream: StreamId) -> Head | None:
        """The end of a stream's newest epoch; None for no entry in it."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            if epoch is None:
                return None
            head = streams.head((stream, epoch))
        return head if head.seq else None

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """The chained hash after an entry of the newest epoch; GENESIS for 0; None for a missing one."""
        if seq == 0:
            return GENESIS
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            query = select(_e.hash).where(_e.stream == stream, _e.epoch == epoch, _e.seq == seq)
            stored = streams.connection.execute(query).scalar_one_or_none()
        return None if stored is None else bytes(stored)

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """At most so many entries of a stream's newest epoch behind a sequence number, in order."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq > after)
            rows = streams.connection.execute(query.order_by(_e.seq).limit(count)).all()
        return tuple(entry_of(row) for row in rows)

    def last_of(self, stream: StreamId, epoch: Epoch) -> int:
        """The number of the last entry of one epoch of a stream, as the database has it now; 0 for none."""
        with self._transaction() as streams:
            query = select(func.max(_e.seq)).where(_e.stream == stream, _e.epoch == epoch)
            return int(streams.connection.execute(query).scalar_one_or_none() or 0)

    def entry_at(self, stream: StreamId, epoch: Epoch, seq: int) -> Entry | None:
        """One entry; None for one that is not there."""
        with self._transaction() as streams:
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq == seq)
            row = streams.connection.execute(query).one_or_none()
        return None if row is None else entry_of(row)

    def entries_of(self, stream: StreamId, epoch: Epoch, last: int) -> Iterator[Entry]:
        """The entries of one epoch of a stream up to a sequence number, in order, some at a time."""
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

    def arrived(self, after: int = 0) -> Iterator[Arrived]:
        """All entries that arrived after this one, in order of arrival.

        Whoever has read up to a number has missed none before it, however many stations write.
        """
        while True:
            with self._transaction() as streams:
                query = select(schema.entries).where(_e.arrival > after).order_by(_e.arrival).limit(_CHUNK)
                rows = streams.connection.execute(query).all()
            for row in rows:
                yield Arrived(entry_of(row), row.arrival, row.received_ms)
            if len(rows) < _CHUNK:
                return
            after = rows[-1].arrival

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Give the next sequence numbers to entries of an own stream, in one commit."""
        return self.append_all([(stream, raw) for raw in raws])

    def append_all(
        self, contents: Sequence[tuple[StreamId, bytes]], *, decided_on: int | None = None
    ) -> tuple[Entry, ...]:
        """The same for entries of several own streams, all or none of them.

        decided_on: the last arrival that whoever decided had read. Raises Overtaken when another
        station has written to an own stream since.
        """
        written: list[Entry] = []
        try:
            with self._transaction() as streams:
                take(streams.connection, Turn.ARRIVAL)
                if self.is_shared and decided_on is not None:
                    _check_nobody_decided_since(streams, decided_on)
                written += streams.following(contents)
                if streams.insert(written, self._now_ms()) != len(written):
                    raise OurFault("another program writes this station's streams")
        except Overtaken:
            raise
        except Unavailable:
            if not (self.is_shared and written and self._are_stored(written)):
                raise
        return tuple(written)

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries in one commit: those that are new, and those that disagree.

        Repeated ones are a success and neither. What disagrees is kept in quarantine.
        """
        with self._transaction() as streams:
            take(streams.connection, Turn.ARRIVAL)
            new, bad = streams.sorted_out(entries)
            if bad:
                # Nobody is accused on what was remembered.
                streams.memory.forget()
                new, bad = streams.sorted_out(entries)
            if self.is_shared:
                # Under the turn nobody else can have stored them since.
                self._insert_all(streams, new)
            else:
                new, bad = self._insert_or_look_anew(streams, entries, (new, bad))
            streams.keep(bad, self._now_ms())
        return tuple(new), tuple(bad)

    def quarantined(self) -> tuple[Quarantined, ...]:
        """All that is in quarantine, oldest first."""
        query = select(schema.quarantine).order_by(schema.quarantine.c.number)
        with self._transaction() as streams:
            rows = streams.connection.execute(query).all()
        return tuple(Quarantined(entry_of(row), row.problem) for row in rows)

    def verify(self) -> tuple[Quarantined, ...]:
        """Compare every stored entry with its chain of hashes; what had changed, now in quarantine.

        A terminal's entries from the changed one on leave the stream: the terminal still has them
        and sends them again. Raises BadData for a changed entry of the station's own: nobody has
        another copy but a backup.
        """
        ends: dict[Key, Head] = {}
        broken: dict[Key, Entry] = {}
        for found in self.arrived():
            entry = found.entry
            key = (entry.stream, entry.epoch)
            end = ends.get(key, Head(*key, 0, GENESIS))
            if key in broken:
                continue
            if entry.seq != end.seq + 1 or entry.hash != chained_hash(end.hash, entry.raw):
                broken[key] = entry
            ends[key] = Head(*key, entry.seq, entry.hash)
        return tuple(bad for entry in broken.values() for bad in self._withdraw(entry))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Streams]:
        """A transaction after whose failure nothing in memory is believed."""
        memory = Memory(own=self._memory.own) if self.is_shared else self._memory
        with contextlib.nullcontext() if self.is_shared else self._lock:
            try:
                with self._database.transaction() as connection:
                    yield Streams(connection, memory)
            except BaseException:
                self.failures += 1
                self._memory.forget()
                raise

    def _insert_all(self, streams: Streams, entries: Sequence[Entry]) -> None:
        if streams.insert(entries, self._now_ms()) != len(entries):
            raise OurFault("entries change while they are compared")

    def _insert_or_look_anew(self, streams: Streams, entries: Sequence[Entry], found: Sorted) -> Sorted:
        """Insert what is new by what is remembered; if somebody else stored some of it, compare those."""
        new, _ = found
        attempt = streams.connection.begin_nested()
        if streams.insert(new, self._now_ms()) == len(new):
            attempt.commit()
            return found
        attempt.rollback()
        streams.memory.forget()
        new, bad = streams.sorted_out(entries)
        self._insert_all(streams, new)
        return new, bad

    def _are_stored(self, written: Sequence[Entry]) -> bool:
        """Whether a commit whose answer was lost has happened.

        Under the turn that it held: so it is over, one way or the other. Raises Unavailable when
        the database stays away.
        """
        for look in range(_LOOKS):
            try:
                with self._transaction() as streams:
                    take(streams.connection, Turn.ARRIVAL)
                    return streams.stored(written[0]) == written[0]
            except Unavailable:
                if look == _LOOKS - 1:
                    raise
                time.sleep(_LOOK_S)
        return False

    def _withdraw(self, first: Entry) -> tuple[Quarantined, ...]:
        if not first.stream.startswith(TERMINALS):
            raise BadData(
                f"{first.stream}, entry {first.seq}",
                "the stored bytes have changed, as on a failing disk; restore the last backup",
            )
        behind = (_e.stream == first.stream, _e.epoch == first.epoch, _e.seq >= first.seq)
        with self._transaction() as streams:
            take(streams.connection, Turn.ARRIVAL)
            rows = streams.connection.execute(select(schema.entries).where(*behind).order_by(_e.seq)).all()
            bad = tuple(Quarantined(entry_of(row), FLIPPED) for row in rows)
            streams.keep(bad, self._now_ms())
            streams.connection.execute(schema.entries.delete().where(*behind))
            streams.memory.forget()
        return bad


def _check_nobody_decided_since(streams: Streams, arrival: int) -> None:
    if streams.own_since(arrival):
        raise Overtaken("another station has decided something meanwhile")
