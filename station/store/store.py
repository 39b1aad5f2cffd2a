"""Store the entries of all streams in order of arrival: an ``EntryStore`` on SQL.

Calls block and are thread-safe. One call at a time uses the database.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec
from sqlalchemy import func, select

from base.errors import BadData, OurFault, Unavailable
from core.terms import GameId
from station.store import game_index as index_of_games
from station.store import schema
from station.store.changed_entries import FLIPPED, ChainCheck, indexed_counts, reindex_entries
from station.store.database import AdvisoryLock, Database, acquire_lock
from station.store.game_index import GameRun, PutOff
from station.store.streams import EntryRow, Key, StoredEntry, StreamCache, StreamTransaction, entry_of
from sync.protocol.entry import GENESIS, Entry, Epoch, Head, Quarantined, StreamId

_e = schema.entries.c
_CHUNK = 2_000
_LOOKS = 5
_WORTH_MOVING = 4 << 20
"""The size of the write-ahead log in bytes that is worth a checkpoint."""
_LOOK_S = 1.0


class ConcurrentWrite(Unavailable):
    """Raised if another station has written meanwhile: read its entries and decide again."""


class _StoredByAnother(OurFault):
    """Raised if another writer has stored entries that the cache does not know."""


class ArrivedEntry(msgspec.Struct, frozen=True):
    """An entry with its arrival number. ``received_ms`` is the wall clock since 1970."""

    entry: Entry
    arrival: int
    received_ms: int


class Store:
    """The streams in a database. ``now_ms`` is the wall clock, stored with each entry for people.

    Every method may raise Unavailable. The call has then stored nothing, and the cache is reloaded before its
    next use. If several stations write to the database, nothing is cached: every call that stores entries
    first acquires the lock, and then reads the heads.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self._memory = StreamCache()
        self._own: Epoch | None = None  # set after the commit, which may fail
        self._lock = threading.RLock()
        self._index_file = database.index_file
        self.is_shared = not database.is_sqlite
        """True if other stations write to the same database."""
        self.failures = 0
        """The number of failed transactions, some of which may have been committed all the same."""

    def own_epoch(self) -> Epoch:
        """Return the epoch of the station's own streams."""
        own = self._own
        if own is None:
            with self._transaction() as streams:
                own = streams.own_epoch()
            self._own = own
        return own

    def head(self, stream: StreamId) -> Head | None:
        """Return the head of a stream's newest epoch, or None if it has no entries."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            if epoch is None:
                return None
            head = streams.head((stream, epoch))
        return head if head.seq else None

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """Return the chained hash after an entry of the newest epoch, GENESIS for 0, or None."""
        if seq == 0:
            return GENESIS
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            entry = None if epoch is None else streams.find((stream, epoch), seq)
        return None if entry is None else entry.hash

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """Return at most ``count`` entries of a stream's newest epoch that follow a sequence number."""
        with self._transaction() as streams:
            epoch = streams.epoch(stream)
            query = select(schema.entries).where(_e.stream == stream, _e.epoch == epoch, _e.seq > after)
            rows = streams.connection.execute(query.order_by(_e.seq).limit(count)).all()
        return tuple(entry_of(row) for row in rows)

    def last_of(self, stream: StreamId, epoch: Epoch) -> int:
        """Return the last stored sequence number of one epoch of a stream, or 0 if it has none."""
        with self._transaction() as streams:
            query = select(func.max(_e.seq)).where(_e.stream == stream, _e.epoch == epoch)
            return int(streams.connection.execute(query).scalar_one_or_none() or 0)

    def entry_at(self, stream: StreamId, epoch: Epoch, seq: int) -> Entry | None:
        """Return one entry, or None if it is not stored."""
        with self._transaction() as streams:
            return streams.find((stream, epoch), seq)

    def entries_of(self, stream: StreamId, epoch: Epoch, last: int) -> Iterator[Entry]:
        """Yield the entries of one epoch of a stream up to a sequence number, reading them in chunks."""
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
        """Yield all entries that follow an arrival number, in order of arrival.

        Once a number has been read, no entry with a lower one can appear, even if several stations write.
        """
        for rows in self._rows_after(after):
            for arrival, stream, epoch, seq, raw, hashed, received_ms in rows:
                yield ArrivedEntry(Entry(stream, epoch, seq, raw, hashed), arrival, received_ms)

    def stored_entries(self, check: ChainCheck | None = None) -> Iterator[StoredEntry]:
        """Yield all entries in order of arrival, reading them in chunks.

        If ``check`` is given, it checks all of them, and altered ones are left out. Raises BadData for an
        altered entry of the station itself.
        """
        read = _stored_entries if check is None else check.unchanged
        return chain.from_iterable(map(read, self._rows_after(0)))

    def entries_to_fold(self, check: ChainCheck) -> Iterator[PutOff]:
        """Yield all entries in order of arrival, those in the game index as runs.

        ``check`` checks all of them, and altered ones are left out. Raises BadData as ``stored_entries``
        does.
        """
        index = self._index_file and index_of_games.read_index(self._index_file)
        if index:
            with self._transaction() as streams:
                if index_of_games.is_of(streams.driver, index):
                    rows = index_of_games.rows_outside(streams.driver, index)
                    later = chain.from_iterable(map(check.unchanged, self._rows_after(index.arrival)))
                    return chain(index_of_games.merged(rows, index, check), later)
        return self.stored_entries(check)

    def steps_of(self, runs: Sequence[GameRun]) -> Sequence[StoredEntry]:
        """Return the steps of runs, in order of arrival.

        Altered steps and their successors are left out. The next start then reads all entries instead of the
        index, and withdraws them.
        """
        steps: list[StoredEntry] = []
        with contextlib.suppress(BadData), self._transaction() as streams:
            steps = index_of_games.entries_of_runs(streams.driver, runs)
        if len(steps) < sum(run.last - run.first + 1 for run in runs):
            self.forget_index()
        return steps

    def checked_chunks(self, check: ChainCheck) -> Iterator[int]:
        """Check all entries in order of arrival, and yield the number of entries in each chunk.

        Raises BadData for an altered entry of the station itself.
        """
        for rows in self._rows_after(0):
            check.unchanged(rows)
            yield len(rows)

    def forget_index(self) -> None:
        """Remove the game index, so that the next start reads all entries."""
        if self._index_file:
            with contextlib.suppress(OSError):
                self._index_file.unlink()

    def index_games(
        self, arrival: int, heads: Sequence[Head], games: Mapping[GameId, Sequence[PutOff]]
    ) -> None:
        """Write the index of games for the next start. Raises OSError.

        arrival, heads: the last arrival number and the heads of the streams when the games were skipped.
        """
        with self._transaction() as streams:
            index = index_of_games.indexed_games(streams.driver, arrival, heads, games)
        if self._index_file:
            index_of_games.write_index(self._index_file, index)

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

        ``decided_on`` is the last arrival number known when the entries were decided. Raises ConcurrentWrite
        if another station has written to its own streams since.
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
        """Store received entries in one commit, and return the new ones and the conflicting ones.

        Entries that were stored before are in neither. Conflicting ones are stored in quarantine.
        """
        try:
            return self._insert_received(entries)
        except _StoredByAnother:
            # The cache is clear now. A savepoint would avoid this, but costs copies of pages in every commit.
            return self._insert_received(entries)

    def _insert_received(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        with self._transaction() as streams:
            acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
            new, bad = streams.split_received(entries)
            if bad:
                # The cached heads may be outdated: check again without them.
                streams.memory.forget()
                new, bad = streams.split_received(entries)
            if streams.insert(new, self._now_ms()) != len(new):
                raise _StoredByAnother("entries change while they are compared")
            streams.quarantine(bad, self._now_ms())
        return tuple(new), tuple(bad)

    def checkpoint(self) -> None:
        """Checkpoint the write-ahead log if it has grown. Call this when the database is idle."""
        if not self.is_shared and self._database.write_ahead_log_bytes() >= _WORTH_MOVING:
            with self._lock:
                self._database.checkpoint()

    def quarantined_entries(self) -> tuple[Quarantined, ...]:
        """Return all quarantined entries, oldest first."""
        query = select(schema.quarantine).order_by(schema.quarantine.c.number)
        with self._transaction() as streams:
            rows = streams.connection.execute(query).all()
        return tuple(Quarantined(entry_of(row), row.problem) for row in rows)

    def verify(self) -> tuple[Quarantined, ...]:
        """Check every stored entry against its hash chain, and quarantine and return the altered ones.

        With a terminal's altered entry, all later ones of its stream are quarantined; the terminal still has
        them and sends them again. Raises BadData for an altered entry of the station itself, which only a
        backup could replace.
        """
        check = ChainCheck()
        for _ in self.checked_chunks(check):
            pass
        return self.withdraw(check)

    def withdraw(self, check: ChainCheck) -> tuple[Quarantined, ...]:
        """Quarantine and return the entries that a full check found altered, and their successors.

        SQLite's index is checked too: an entry whose stream or epoch was altered seems to begin a stream of
        its own. Raises BadData if an altered entry is the station's, or has the key of another entry.
        """
        broken = dict(check.whole_to)
        if not self.is_shared:
            with self._transaction() as streams:
                if broken or indexed_counts(streams.connection) != check.counts:
                    for key, seq in reindex_entries(streams.connection):
                        broken[key] = min(seq, broken.get(key, seq))
                    streams.memory.forget()
        return tuple(bad for key, seq in broken.items() for bad in self._withdraw(key, seq))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[StreamTransaction]:
        """Run a transaction, and clear the cache if it fails."""
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

    def _are_stored(self, written: Sequence[Entry]) -> bool:
        """Return whether a commit whose response was lost has succeeded.

        The lock is held by the commit until it has ended. Raises Unavailable if the database remains
        unreachable.
        """
        for look in range(_LOOKS):
            try:
                with self._transaction() as streams:
                    acquire_lock(streams.connection, AdvisoryLock.ARRIVAL)
                    first = written[0]
                    return streams.find((first.stream, first.epoch), first.seq) == first
            except Unavailable:
                if look == _LOOKS - 1:
                    raise
                time.sleep(_LOOK_S)
        return False

    def _withdraw(self, key: Key, whole_to: int) -> tuple[Quarantined, ...]:
        """Quarantine the entries of an epoch that follow a number, or whose altered number is below 1."""
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


def _stored_entries(rows: Sequence[EntryRow]) -> list[StoredEntry]:
    return [
        StoredEntry(arrival, StreamId(sys.intern(stream)), Epoch(sys.intern(epoch)), seq, raw)
        for arrival, stream, epoch, seq, raw, _, _ in rows
    ]
