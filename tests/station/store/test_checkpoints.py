"""SQLite's write-ahead log grows under load and is emptied at a quiet moment; nothing is lost either way."""

import contextlib
import sqlite3
import time
from pathlib import Path

from station.store.database import Database, sqlite_url
from station.store.store import Store
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash

STREAM, EPOCH = StreamId("table/one"), Epoch("00000000000000aa")
SIZE, COUNT = 50_000, 300


def made() -> list[Entry]:
    entries, before = list[Entry](), GENESIS
    for seq in range(1, COUNT + 1):
        raw = bytes([seq % 256]) * SIZE
        before = chained_hash(before, raw)
        entries.append(Entry(STREAM, EPOCH, seq, raw, before))
    return entries


def test_a_grown_log_is_moved_into_the_database_and_a_small_one_is_left(tmp_path: Path) -> None:
    path, entries = tmp_path / "station.sqlite", made()
    log = Path(f"{path}-wal")
    with contextlib.closing(Database(sqlite_url(path))) as database:
        database.open()
        store = Store(database, lambda: 0)
        store.insert_remote(entries[:3])
        small = log.stat().st_size
        store.checkpoint()
        assert log.stat().st_size == small > 0
        for first in range(3, COUNT - 1, 33):
            store.insert_remote(entries[first : min(first + 33, COUNT - 1)])
        assert log.stat().st_size >= 4 << 20
        store.checkpoint()
        assert log.stat().st_size == 0
        store.insert_remote(entries[-1:])
        assert store.verify() == ()
    with contextlib.closing(Database(sqlite_url(path))) as database:
        database.open()
        assert [arrived.entry for arrived in Store(database, lambda: 0).entries_after()] == entries


def test_commits_do_not_wait_for_another_program_that_reads(tmp_path: Path) -> None:
    path, entries = tmp_path / "station.sqlite", made()
    log = Path(f"{path}-wal")
    with (
        contextlib.closing(Database(sqlite_url(path))) as database,
        contextlib.closing(sqlite3.connect(path)) as reader,
    ):
        database.open()
        store = Store(database, lambda: 0)
        store.insert_remote(entries[:1])
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
        for first in range(1, COUNT - 1, 33):
            store.insert_remote(entries[first : min(first + 33, COUNT - 1)])
        begun = time.monotonic()
        store.checkpoint()
        assert time.monotonic() - begun < 4
        assert log.stat().st_size >= 4 << 20
        store.insert_remote(entries[-1:])
        reader.rollback()
        store.checkpoint()
        assert log.stat().st_size == 0
        assert store.verify() == ()
