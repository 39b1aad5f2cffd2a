"""The oracle's values, read from what is really there: a terminal's journal, a station's database."""

import contextlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select

from station.store import schema
from station.store.database import Database
from station.store.settings import epoch_of
from sync.protocol.entry import Entry, Epoch, StreamId
from tests.soak.oracle import JournalView, StationView

_ENTRIES = "SELECT stream, epoch, seq, raw, hash FROM {table} ORDER BY {order}"


def journal_view(
    file: Path, stream: StreamId, orders_stream: StreamId, *, saved: int = 0, received: int = 0
) -> JournalView:
    """A journal as its file holds it now; the terminal may run."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        ((epoch,),) = db.execute("SELECT value FROM facts WHERE name = 'epoch'")
        own = tuple(bytes(raw) for (raw,) in db.execute("SELECT raw FROM own ORDER BY seq"))
        rows = db.execute("SELECT epoch, seq, raw FROM orders ORDER BY rowid")
        orders = tuple((Epoch(of), int(seq), bytes(raw)) for of, seq, raw in rows)
    return JournalView(stream, Epoch(epoch), own, orders_stream, orders, saved=saved, received=received)


def station_view(file: Path, own_epoch: Epoch) -> StationView:
    """A station's SQLite database as its file holds it now; the station may run."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        entries = _entries(db.execute(_ENTRIES.format(table="entries", order="arrival")))
        quarantined = _entries(db.execute(_ENTRIES.format(table="quarantine", order="number")))
    return StationView(own_epoch, entries, quarantined)


def database_view(database: Database) -> StationView:
    """The same of any database that stations can have, with the epoch of their own streams."""
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
