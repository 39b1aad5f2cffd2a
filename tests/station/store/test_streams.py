"""Entries of a commit go into SQLite by few statements, in order, and its write-ahead log is kept small."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from station.store.database import Database, sqlite_url
from station.store.store import Store
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash
from tests.examples import examples

EPOCH = Epoch("00000000000000aa")


def entries_of(stream: str, count: int, times: int = 1) -> list[Entry]:
    entries, before = list[Entry](), GENESIS
    for seq in range(1, count + 1):
        raw = b"%s %d" % (stream.encode(), seq) * times
        before = chained_hash(before, raw)
        entries.append(Entry(StreamId(stream), EPOCH, seq, raw, before))
    return entries


@contextlib.contextmanager
def stores(path: Path, count: int) -> Iterator[list[Store]]:
    """Open stores on one file, as several programs would."""
    with contextlib.ExitStack() as stack:
        databases = [
            stack.enter_context(contextlib.closing(Database(sqlite_url(path)))) for _ in range(count)
        ]
        yield [Store(database, lambda: 0) for database in databases]


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 127, 128, 129, 383, 1_000])
def test_each_entry_of_a_commit_is_stored_once_and_in_its_place(tmp_path: Path, count: int) -> None:
    entries = entries_of("table/one", count)
    with stores(tmp_path / "station.sqlite", 1) as (store,):
        assert store.insert_remote(entries) == (tuple(entries), ())
        assert store.insert_remote(entries) == ((), ())
        assert [(arrived.entry, arrived.arrival) for arrived in store.entries_after()] == list(
            zip(entries, range(1, count + 1), strict=True)
        )


@pytest.mark.slow
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 300), st.integers(1, 300)), min_size=1, max_size=6))
def test_two_writers_that_know_nothing_of_each_other_store_every_entry_once(
    tmp_path_factory: pytest.TempPathFactory, commits: list[tuple[bool, int, int]]
) -> None:
    one, two = entries_of("table/one", 300), entries_of("table/two", 300)
    with stores(tmp_path_factory.mktemp("store") / "station.sqlite", 2) as (first, second):
        for is_second, ones, twos in commits:
            new, bad = (second if is_second else first).insert_remote([*one[:ones], *two[:twos]])
            assert not bad
            assert len({(entry.stream, entry.seq) for entry in new}) == len(new)
        stored = [arrived.entry for arrived in first.entries_after()]
    last = {"table/one": max(ones for _, ones, _ in commits), "table/two": max(twos for *_, twos in commits)}
    for entries in (one, two):
        stream = entries[0].stream
        assert [entry for entry in stored if entry.stream == stream] == entries[: last[stream]]


COUNT = 300


def test_a_grown_log_is_moved_into_the_database_and_a_small_one_is_left(tmp_path: Path) -> None:
    path, entries = tmp_path / "station.sqlite", entries_of("table/one", COUNT, 4_000)
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
    path, entries = tmp_path / "station.sqlite", entries_of("table/one", COUNT, 4_000)
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
