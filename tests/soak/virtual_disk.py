"""Disks in memory that fail as disks do: full, worn for a while, or without power in the middle of a commit.

After a power cut, a commit is there or not, at random unless it had returned. A commit that was reported as
failed may be there too. Bytes torn within a commit are tested by cuts of real files (``cuts``).
"""

import contextlib
import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from base.durable_file import DurableFile, Row
from base.errors import OurFault, Unavailable
from station.store.store import ArrivedEntry
from station.store.streams import BROKEN_CHAIN, OTHER_CONTENT
from sync.protocol.entry import GENESIS, Entry, Epoch, Head, Quarantined, StreamId, chained_hash
from tests.soak.virtual_loop import PowerCut

Life = tuple[StreamId, Epoch]


def chained(
    stream: StreamId, epoch: Epoch, raws: Iterable[bytes], seq: int = 0, previous: bytes = GENESIS
) -> Iterator[Entry]:
    """Yield the entries of a stream after the given number and hash."""
    for number, raw in enumerate(raws, seq + 1):
        previous = chained_hash(previous, raw)
        yield Entry(stream, epoch, number, raw, previous)


class Faults:
    """The faults of one disk. Chance decides what a failed commit leaves.

    full, worn: while set, commits fail, either before anything is written, or only according to the report.
    cut_in: the number of writes and flushes after which the power fails, once.
    lies: a power cut removes the last commit, although it had returned.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.full = False
        self.worn = False
        self.cut_in: int | None = None
        self.lies = False
        self.commits = 0

    @contextlib.contextmanager
    def commit(self) -> Iterator[None]:
        """Make the change of the block durable, or raise an error, after which it must be undone.

        Raises Unavailable or PowerCut, before or after the block.
        """
        self._step()
        if self.full:
            raise Unavailable("no space left on device")
        if self.worn and self.chance.random() < 0.5:
            raise Unavailable("input/output error")
        self._step()
        yield
        self.commits += 1
        self._step()
        if self.worn:
            raise Unavailable("input/output error, although it is there")

    def _step(self) -> None:
        if self.cut_in is None:
            return
        self.cut_in -= 1
        if self.cut_in <= 0:
            self.cut_in = None
            raise PowerCut


class VirtualStore:
    """A station's store (``EntryStore``) on a disk in memory.

    Everything but its log is created again by ``read``.

    log: durable content in order of arrival, each an entry or one in quarantine.
    epoch: of the station's own streams.
    """

    def __init__(self, epoch: Epoch, faults: Faults, log: Sequence[Entry | Quarantined] = ()) -> None:
        self._epoch = epoch
        self.faults = faults
        self.log: list[Entry | Quarantined] = list(log)
        self.last_commit = 0
        self._rows: dict[Life, list[Entry]] = {}
        self._newest: dict[StreamId, Epoch] = {}
        self._bad: set[Entry] = set()
        self.read()

    def read(self) -> None:
        """Forget the content of memory and read the log."""
        self._rows, self._newest, self._bad = {}, {}, set()
        for item in self.log:
            self._note(item)

    def own_epoch(self) -> Epoch:
        return self._epoch

    def head(self, stream: StreamId) -> Head | None:
        rows = self._newest_rows(stream)
        if not rows:
            return None
        return Head(stream, rows[-1].epoch, rows[-1].seq, rows[-1].hash)

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        rows = self._newest_rows(stream)
        return GENESIS if seq == 0 else rows[seq - 1].hash if 0 < seq <= len(rows) else None

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        return tuple(self._newest_rows(stream)[after : after + count])

    def entries_after(self) -> tuple[ArrivedEntry, ...]:
        entries = (item for item in self.log if isinstance(item, Entry))
        return tuple(ArrivedEntry(entry, place, 0) for place, entry in enumerate(entries, 1))

    def quarantined_entries(self) -> tuple[Quarantined, ...]:
        return tuple(item for item in self.log if isinstance(item, Quarantined))

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        return self.append_all([(stream, raw) for raw in raws])

    def append_all(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[Entry, ...]:
        """Append entries to several own streams, all of them or none."""
        ends: dict[StreamId, Head] = {}
        written: list[Entry] = []
        for stream, raw in contents:
            if stream.startswith("table/"):
                raise OurFault(f"the station may not write {stream}")
            end = ends.get(stream) or self.head(stream) or Head(stream, self._epoch, 0, GENESIS)
            entry = Entry(stream, self._epoch, end.seq + 1, raw, chained_hash(end.hash, raw))
            ends[stream] = Head(stream, self._epoch, entry.seq, entry.hash)
            written.append(entry)
        self._commit(written)
        return tuple(written)

    def checkpoint(self) -> None: ...

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        new: list[Entry] = []
        bad: list[Quarantined] = []
        fresh: dict[Life, list[Entry]] = {}
        for entry in entries:
            life = (entry.stream, entry.epoch)
            stored = self._rows.get(life, [])
            ahead = fresh.setdefault(life, [])
            count = len(stored) + len(ahead)
            last = ahead[-1] if ahead else stored[-1] if stored else None
            if 0 < entry.seq <= count:
                there = (
                    stored[entry.seq - 1] if entry.seq <= len(stored) else ahead[entry.seq - 1 - len(stored)]
                )
                if there != entry:
                    bad.append(Quarantined(entry, OTHER_CONTENT))
            elif entry.seq == count + 1 and entry.hash == chained_hash(
                last.hash if last is not None else GENESIS, entry.raw
            ):
                ahead.append(entry)
                new.append(entry)
            else:
                bad.append(Quarantined(entry, BROKEN_CHAIN))
        unknown = {one.entry: one for one in bad if one.entry not in self._bad}
        self._commit([*new, *unknown.values()])
        return tuple(new), tuple(bad)

    def _commit(self, items: Sequence[Entry | Quarantined]) -> None:
        if not items:
            return
        try:
            with self.faults.commit():
                self.log.extend(items)
        except BaseException:
            self.read()
            raise
        self.last_commit = len(items)
        for item in items:
            self._note(item)

    def _note(self, item: Entry | Quarantined) -> None:
        if isinstance(item, Quarantined):
            self._bad.add(item.entry)
            return
        self._rows.setdefault((item.stream, item.epoch), []).append(item)
        self._newest[item.stream] = item.epoch

    def _newest_rows(self, stream: StreamId) -> list[Entry]:
        epoch = self._newest.get(stream) if stream.startswith("table/") else self._epoch
        return self._rows.get((stream, epoch), []) if epoch is not None else []


class Card:
    """A terminal's card, whose files are databases in memory that outlive the terminal's program."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.files: dict[Path, sqlite3.Connection] = {}
        self._copies = [self]

    def file(self, path: Path, schema: str) -> "CardFile":
        return CardFile(self, path, schema)

    def copy(self, faults: Faults) -> "Card":
        other = Card(faults)
        other._copies = self._copies
        self._copies.append(other)
        for path, db in self.files.items():
            other.files[path] = _memory()
            db.backup(other.files[path])
        return other

    def close(self) -> None:
        for card in self._copies:
            for db in card.files.values():
                db.close()
            card.files.clear()


class CardFile(DurableFile):
    def __init__(self, card: Card, path: Path, schema: str) -> None:
        super().__init__(path, schema)
        self._card = card

    def open(self) -> None:
        with self._translate_errors():
            if self._card.faults.worn and self._card.faults.chance.random() < 0.5:
                raise Unavailable("input/output error")
            db = self._card.files.get(self.path)
            if db is None:
                db = self._card.files[self.path] = _memory()
            self._db = db
            db.executescript(self._schema)

    def close(self) -> None:
        self._db = None

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[Row]:
        if self._card.faults.worn and self._card.faults.chance.random() < 0.02:
            with self._translate_errors():
                raise Unavailable("input/output error")
        return super().rows(query, values)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a transaction that is durable when the block has ended, unless an error is reported."""
        with self._translate_errors():
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                with self._card.faults.commit():
                    db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise


def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
