"""The only oracle: what journals and the station's store must have in common, whatever happened before.

The station's entries are the union of the terminals' journals: each once, byte for byte, and in order within
each stream. All acknowledged entries are there. All entries that a terminal showed as saved are in its
journal.
The same holds for orders in the other direction. Entries that disagreed, and no others, are in quarantine.

It is pure: it takes values and describes the first difference. The views are read from real files.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Row, select

from station.store import schema
from station.store.database import Database
from station.store.settings import epoch_of
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash

Life = tuple[StreamId, Epoch]
"""One life of a stream, which has one writer, and numbers from 1 with no gap."""


class JournalView(msgspec.Struct, frozen=True):
    """A terminal's journal as it is on its card, and what its terminal was told.

    raws: its own entries, oldest first.
    orders: stream's epoch, number and bytes of each order, in the order of arrival.
    saved, received: the highest numbers that were shown as such to people.
    said: what the app handed over, in order, of which ``saved`` promises a beginning; None if not recorded.
    refused: the station and the terminal both reported that they disagree, or the terminal was revoked, so
        that its
        missing entries may remain missing.
    """

    stream: StreamId
    epoch: Epoch
    raws: tuple[bytes, ...]
    orders_stream: StreamId
    orders: tuple[tuple[Epoch, int, bytes], ...] = ()
    saved: int = 0
    received: int = 0
    said: tuple[bytes, ...] | None = None
    refused: bool = False


class StationView(msgspec.Struct, frozen=True):
    """The station's store: entries of all streams in order of arrival, and the quarantine.

    acknowledged: the last acknowledged number of each life of a stream since the station was last restored.
    orders: all entries that any life of the station durably wrote to its own streams, even before a restore.
    epoch: the current one of its own streams.
    """

    epoch: Epoch
    entries: tuple[Entry, ...]
    quarantined: tuple[Entry, ...] = ()
    acknowledged: Mapping[Life, int] = msgspec.field(default_factory=dict)
    orders: Mapping[Life, tuple[bytes, ...]] = msgspec.field(default_factory=dict)


def first_difference(journals: Sequence[JournalView], station: StationView, *, settled: bool) -> str | None:
    """Describe the first violation, or return None if there is none.

    If ``settled``, everybody has been connected for long enough, so that no entries may be missing.
    """
    return next(_differences(journals, station, settled=settled), None)


def _differences(journals: Sequence[JournalView], station: StationView, *, settled: bool) -> Iterator[str]:
    for journal in journals:
        yield from _of_journal(journal)
    stored = dict[Life, list[Entry]]()
    yield from _of_streams(station, stored)
    written = dict[Life, list[JournalView]]()
    for journal in journals:
        written.setdefault((journal.stream, journal.epoch), []).append(journal)
    for life, entries in stored.items():
        if not life[0].startswith("table/"):
            continue
        if life not in written:
            yield f"{_named(life)}: the station has {len(entries)} entries that no journal has"
        else:
            yield from _of_origin(life, entries, written[life])
    for life, count in station.acknowledged.items():
        if len(stored.get(life, ())) < count:
            yield f"{_named(life)}: {count} were acknowledged, the station has {len(stored.get(life, ()))}"
    yield from _of_quarantine(station, stored)
    for journal in journals:
        yield from _of_orders(journal, station, stored, settled=settled)
    if settled:
        yield from _owed(written, stored)


def _of_journal(journal: JournalView) -> Iterator[str]:
    name = _named((journal.stream, journal.epoch))
    if len(journal.raws) < journal.saved:
        yield f"{name}: {journal.saved} were shown as saved, the journal has {len(journal.raws)}"
    if journal.received > journal.saved:
        yield f"{name}: {journal.received} were shown as received, only {journal.saved} as saved"
    if journal.said is None:
        return
    if len(journal.raws) > len(journal.said):
        yield f"{name}: the journal has {len(journal.raws)}, the app handed over {len(journal.said)}"
    for seq, (raw, said) in enumerate(zip(journal.raws, journal.said, strict=False), 1):
        if raw != said:
            yield f"{name}: entry {seq} in the journal is not what the app handed over"


def _of_streams(station: StationView, stored: dict[Life, list[Entry]]) -> Iterator[str]:
    """Check that each stream counts from 1, each number once, and is chained; fill ``stored``."""
    for entry in station.entries:
        life = (entry.stream, entry.epoch)
        before = stored.setdefault(life, [])
        if entry.seq <= len(before):
            yield f"{_named(life)}: the station has entry {entry.seq} twice, or out of order"
        elif entry.seq != len(before) + 1:
            yield f"{_named(life)}: entry {len(before) + 1} is missing at the station before {entry.seq}"
        elif entry.hash != chained_hash(before[-1].hash if before else GENESIS, entry.raw):
            yield f"{_named(life)}: entry {entry.seq} at the station breaks the chain of hashes"
        before.append(entry)


def _of_origin(life: Life, entries: Sequence[Entry], journals: Sequence[JournalView]) -> Iterator[str]:
    """Yield a problem unless the station's entries of a life begin one journal, byte for byte."""
    places = [_unlike(entries, journal) for journal in journals]
    if None not in places:
        seq = max(at for at in places if at is not None)
        yield f"{_named(life)}: entry {seq} at the station is not what the journal has"


def _unlike(entries: Sequence[Entry], journal: JournalView) -> int | None:
    """Return the number of the first entry that a journal lacks or has otherwise, or None."""
    for i, entry in enumerate(entries):
        if i >= len(journal.raws) or journal.raws[i] != entry.raw:
            return i + 1
    return None


def _of_quarantine(station: StationView, stored: Mapping[Life, Sequence[Entry]]) -> Iterator[str]:
    """Check that nothing in quarantine agrees with the stream, or is there twice."""
    seen = set[tuple[Life, int, bytes, bytes]]()
    for entry in station.quarantined:
        life = (entry.stream, entry.epoch)
        same = stored.get(life, ())[entry.seq - 1 : entry.seq]
        if same and (same[0].raw, same[0].hash) == (entry.raw, entry.hash):
            yield f"{_named(life)}: entry {entry.seq} is in quarantine and in the stream"
        key = (life, entry.seq, entry.raw, entry.hash)
        if key in seen:
            yield f"{_named(life)}: entry {entry.seq} is in quarantine twice"
        seen.add(key)


def _of_orders(
    journal: JournalView,
    station: StationView,
    stored: Mapping[Life, Sequence[Entry]],
    *,
    settled: bool,
) -> Iterator[str]:
    counts = dict[Epoch, int]()
    for epoch, seq, raw in journal.orders:
        life = (journal.orders_stream, epoch)
        counts[epoch] = counts.get(epoch, 0) + 1
        if seq != counts[epoch]:
            yield f"{_named(life)}: order {counts[epoch]} is missing or doubled at the terminal ({seq} came)"
        now = tuple(entry.raw for entry in stored.get(life, ()))
        known = max(now, station.orders.get(life, ()), key=len)
        if seq > len(known) or known[seq - 1] != raw:
            yield f"{_named(life)}: order {seq} at the terminal is not what the station wrote"
    life = (journal.orders_stream, station.epoch)
    wanted = len(stored.get(life, ()))
    if settled and not journal.refused and counts.get(station.epoch, 0) != wanted:
        yield f"{_named(life)}: the terminal has {counts.get(station.epoch, 0)} orders of {wanted}"


def _owed(
    written: Mapping[Life, Sequence[JournalView]], stored: Mapping[Life, Sequence[Entry]]
) -> Iterator[str]:
    for life, journals in written.items():
        for journal in journals:
            if not journal.refused and len(stored.get(life, ())) != len(journal.raws):
                yield (
                    f"{_named(life)}: the station has {len(stored.get(life, ()))} entries,"
                    f" the journal {len(journal.raws)}"
                )


def _named(life: Life) -> str:
    return f"{life[0]} (epoch {life[1]})"


_ENTRIES = "SELECT stream, epoch, seq, raw, hash FROM {table} ORDER BY {order}"


def journal_view(
    file: Path, stream: StreamId, orders_stream: StreamId, *, saved: int = 0, received: int = 0
) -> JournalView:
    """Return a journal as its file is now, even if the terminal is running."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        ((epoch,),) = db.execute("SELECT value FROM facts WHERE name = 'epoch'")
        own = tuple(bytes(raw) for (raw,) in db.execute("SELECT raw FROM own ORDER BY seq"))
        rows = db.execute("SELECT epoch, seq, raw FROM orders ORDER BY rowid")
        orders = tuple((Epoch(of), int(seq), bytes(raw)) for of, seq, raw in rows)
    return JournalView(stream, Epoch(epoch), own, orders_stream, orders, saved=saved, received=received)


def station_view(file: Path, own_epoch: Epoch) -> StationView:
    """Return a station's SQLite database as its file is now, even if the station is running."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        entries = _entries(db.execute(_ENTRIES.format(table="entries", order="arrival")))
        quarantined = _entries(db.execute(_ENTRIES.format(table="quarantine", order="number")))
    return StationView(own_epoch, entries, quarantined)


def database_view(database: Database) -> StationView:
    """Return the view of any database of stations, given the epoch of their own streams."""
    with database.transaction() as connection:
        rows = connection.execute(select(schema.entries).order_by(schema.entries.c.arrival)).all()
        bad = connection.execute(select(schema.quarantine).order_by(schema.quarantine.c.number)).all()
        epoch = epoch_of(connection)
    return StationView(epoch, tuple(map(_entry, rows)), tuple(map(_entry, bad)))


def _entry(row: Row[Any]) -> Entry:
    return Entry(StreamId(row.stream), Epoch(row.epoch), row.seq, bytes(row.raw), bytes(row.hash))


def _entries(rows: Iterable[tuple[str, str, int, bytes, bytes]]) -> tuple[Entry, ...]:
    return tuple(
        Entry(StreamId(stream), Epoch(epoch), seq, bytes(raw), bytes(digest))
        for stream, epoch, seq, raw, digest in rows
    )
