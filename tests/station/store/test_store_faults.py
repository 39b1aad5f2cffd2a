"""The store when the power goes, the disk fills up, the file is something else or PostgreSQL is frozen."""

import contextlib
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
import sqlalchemy.exc
from sqlalchemy import event

from base.errors import BadData, OurFault, SaloonError, Unavailable
from station.store.database import Database, database_errors_as_ours, sqlite_url
from station.store.settings import Settings
from station.store.store import Store
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash
from tests.postgresql import running_postgresql
from tests.station.conftest import present

TABLE = StreamId("table/aa")
ORDERS = StreamId("orders/aa")
LIFE = Epoch("1" * 16)

WRITER = """
    import sys
    from pathlib import Path
    from station.store.database import Database, sqlite_url
    from station.store.store import Store
    from sync.protocol.entry import StreamId

    store = Store(Database(sqlite_url(Path(sys.argv[1]))), lambda: 0)
    print("ready", flush=True)
    while True:
        for entry in store.append_own(StreamId("orders/aa"), [b"x" * 200, b"y"]):
            print(entry.seq, entry.hash.hex(), flush=True)
"""


def chain(count: int, size: int = 1) -> tuple[Entry, ...]:
    entries, previous = [], GENESIS
    for seq in range(1, count + 1):
        raw = b"%d" % seq * size
        previous = chained_hash(previous, raw)
        entries.append(Entry(TABLE, LIFE, seq, raw, previous))
    return tuple(entries)


def opened(path: Path) -> tuple[Database, Store]:
    database = Database(sqlite_url(path))
    return database, Store(database, lambda: 0)


@pytest.mark.by_day(1)
@pytest.mark.faults
@pytest.mark.parametrize("kill_after", [1, 8, 41])
def test_whatever_was_said_to_be_stored_is_there_after_kill_9(tmp_path: Path, kill_after: int) -> None:
    path = tmp_path / "station.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        said = [writer.stdout.readline().split() for _ in range(kill_after)]
        os.kill(writer.pid, signal.SIGKILL)
        said += [line.split() for line in writer.stdout if line.endswith("\n")]
    database, store = opened(path)
    stored = store.entries(ORDERS, 0, 1_000_000)
    assert [[str(e.seq), e.hash.hex()] for e in stored[: len(said)]] == said
    assert store.verify() == ()
    assert len(stored) % 2 == 0
    store.append_own(ORDERS, [b"on it goes"])
    database.close()


def test_a_full_disk_is_unavailable_and_loses_nothing(tmp_path: Path) -> None:
    database, store = opened(tmp_path / "station.sqlite")
    entries = chain(400, 500)
    store.insert_remote(entries[:100])
    with database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(Unavailable, match="full"):
        store.insert_remote(entries)
    # The connection was closed, and with it the limit: there is room again.
    assert store.entries(TABLE, 0, 1000) == entries[:100]
    assert store.insert_remote(entries) == (entries[100:], ())
    assert store.verify() == ()
    database.close()


def flip(path: Path, entry: Entry, field: str, bit: int) -> None:
    """Flip a bit in the last byte of an entry's field, in the table of a closed database."""
    stored = bytearray(path.read_bytes())
    before_seq = f"{entry.stream}{entry.epoch}".encode()
    row = before_seq + bytes([entry.seq] if entry.seq > 1 else []) + entry.raw  # a 1 takes no byte
    assert stored.count(row) == 1  # the table's row; the index has no content
    end = {"stream": len(entry.stream), "epoch": len(before_seq), "seq": len(before_seq) + 1, "raw": len(row)}
    stored[stored.index(row) + end[field] - 1] ^= 1 << bit
    path.write_bytes(stored)


@pytest.mark.by_day(6)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "field", "bit"),
    [
        *itertools.product([1, 6, 8], ["stream", "epoch"], [0, 5]),
        *itertools.product([6, 8], ["seq"], [4, 7]),
        (6, "raw", 2),
    ],
)
def test_an_entry_that_has_changed_on_the_disk_is_removed_and_comes_again(
    tmp_path: Path, number: int, field: str, bit: int
) -> None:
    path = tmp_path / "station.sqlite"
    database, store = opened(path)
    entries = chain(8)
    store.insert_remote(entries)
    database.close()
    flip(path, entries[number - 1], field, bit)
    database, store = opened(path)
    assert len(store.verify()) == len(entries[number - 1 :])
    assert [one.entry for one in store.entries_after()] == list(entries[: number - 1])
    assert store.insert_remote(entries) == (entries[number - 1 :], ())
    assert store.entries(TABLE, 0, 1000) == entries
    assert store.verify() == ()
    database.close()


def test_a_changed_entry_at_the_place_of_another_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    database, store = opened(path)
    entries = chain(8)
    store.insert_remote(entries)
    database.close()
    flip(path, entries[5], "seq", 0)  # the seventh now
    database, store = opened(path)
    with pytest.raises(BadData, match="two have one place"):
        store.verify()
    database.close()


def test_an_order_that_has_moved_to_another_stream_on_the_disk_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    database, store = opened(path)
    (order,) = store.append_own(ORDERS, [b"an order"])
    assert store.verify() == ()
    database.close()
    stored = bytearray(path.read_bytes())
    row = f"{ORDERS}{order.epoch}".encode() + order.raw
    assert stored.count(row) == 1
    stored[stored.index(row) + len(ORDERS) - 1] ^= 2
    path.write_bytes(stored)
    database, store = opened(path)
    with pytest.raises(BadData, match="station's own entries"):
        store.verify()
    database.close()


@pytest.mark.slow
def test_an_epoch_that_is_not_committed_yet_is_not_returned(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "station.sqlite"))
    is_inside, goes_on = threading.Event(), threading.Event()

    def fails_at_the_time() -> int:
        is_inside.set()
        goes_on.wait(10)
        raise OurFault("no clock")

    store = Store(database, fails_at_the_time)
    with ThreadPoolExecutor(2) as threads:
        written = threads.submit(store.append_own, ORDERS, [b"a"])
        assert is_inside.wait(10)
        future = threads.submit(store.own_epoch)
        wait([future], timeout=0.3)
        goes_on.set()
        assert isinstance(written.exception(10), OurFault)
        assert future.result(10) == Store(database, lambda: 0).own_epoch()
    database.close()


def test_a_failed_commit_changes_nothing_that_is_told(tmp_path: Path) -> None:
    database, store = opened(tmp_path / "station.sqlite")
    store.append_own(ORDERS, [b"a"])
    assert database._engine is not None

    def _fail(_connection: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    event.listen(database._engine, "commit", _fail)
    before = store.failures
    with pytest.raises(Unavailable, match="disk I/O error"):
        store.append_own(ORDERS, [b"b"])
    assert store.failures == before + 1
    (entry,) = store.append_own(ORDERS, [b"c"])
    assert (entry.seq, entry.raw) == (2, b"c")
    database.close()


def test_settings_that_the_promise_rests_on_are_on(tmp_path: Path) -> None:
    database, _ = opened(tmp_path / "station.sqlite")
    with database.reading() as connection:
        names = ("journal_mode", "synchronous", "mmap_size")
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]
    assert values == ["wal", 2, 0]
    database.close()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    path.write_bytes(b"dear diary, " * 1000)
    database, store = opened(path)
    with pytest.raises(BadData, match=r"station\.sqlite.*restore a backup"):
        store.head(TABLE)
    assert path.read_bytes() == b"dear diary, " * 1000
    database.close()


def test_a_database_of_a_newer_saloon_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    database, _ = opened(path)
    with database.transaction() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(BadData, match="newer Saloon"):
        opened(path)[0].open()


def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        opened(tmp_path / "nowhere" / "station.sqlite")[0].open()


_ORIG = sqlite3.OperationalError("the reason")


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        (sqlalchemy.exc.OperationalError("", (), _ORIG), Unavailable),
        (sqlalchemy.exc.InterfaceError("", (), _ORIG), Unavailable),
        (sqlalchemy.exc.TimeoutError(), Unavailable),
        (sqlalchemy.exc.IntegrityError("", (), _ORIG), OurFault),
        (sqlalchemy.exc.ProgrammingError("", (), _ORIG), OurFault),
        (sqlalchemy.exc.NoResultFound(), OurFault),
        (sqlalchemy.exc.DatabaseError("", (), _ORIG), BadData),
        (sqlalchemy.exc.DataError("", (), _ORIG), BadData),
        (sqlite3.OperationalError("x"), Unavailable),
        (sqlite3.IntegrityError("x"), OurFault),
        (sqlite3.ProgrammingError("x"), OurFault),
        (sqlite3.InterfaceError("x"), Unavailable),
        (sqlite3.DatabaseError("x"), BadData),
        (OSError(28, "No space left on device"), Unavailable),
        (PermissionError(13, "Permission denied"), Unavailable),
        (OverflowError("Python int too large to convert to SQLite INTEGER"), OurFault),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else type(value).__name__,
)
def test_every_foreign_error_is_made_one_of_ours(foreign: Exception, ours: type[SaloonError]) -> None:
    with pytest.raises(ours), database_errors_as_ours("station.sqlite"):
        raise foreign


def test_a_number_that_no_database_holds_is_our_fault_and_stores_nothing(tmp_path: Path) -> None:
    database, store = opened(tmp_path / "station.sqlite")
    good = chain(2)
    with pytest.raises(OurFault, match=r"station\.sqlite.*too large"):
        store.insert_remote((*good, Entry(TABLE, LIFE, 2**63, b"", GENESIS)))
    assert store.head(TABLE) is None
    assert store.insert_remote(good) == (good, ())
    database.close()


def _leaves(error: type[Exception]) -> list[type[Exception]]:
    return [error, *(leaf for child in error.__subclasses__() for leaf in _leaves(child))]


@pytest.mark.parametrize("error", [*_leaves(sqlite3.Error)], ids=lambda e: e.__name__)
def test_no_error_of_the_driver_passes_unmapped(error: type[Exception]) -> None:
    with pytest.raises(SaloonError), database_errors_as_ours("station.sqlite"):
        raise error("x")


def waited_s(settings: Settings) -> float:
    begun = time.monotonic()
    with pytest.raises(Unavailable):
        settings.get("name")
    return time.monotonic() - begun


@pytest.mark.nightly
@pytest.mark.conformance
@pytest.mark.slow
def test_after_the_first_wait_all_are_answered_at_once_until_it_goes_on(tmp_path: Path) -> None:
    with running_postgresql(tmp_path) as server, contextlib.closing(Database(server.url)) as database:
        settings = Settings(database)
        settings.set("name", "value")
        process = present(server._server.get_postmaster_info().process)
        frozen = [process, *process.children(recursive=True)]
        for one in frozen:
            one.send_signal(signal.SIGSTOP)
        try:
            assert waited_s(settings) < 20
            assert max(waited_s(settings) for _ in range(5)) < 0.5
        finally:
            for one in frozen:
                one.send_signal(signal.SIGCONT)
        end = time.monotonic() + 30
        while True:
            try:
                assert settings.get("name") == "value"
                break
            except Unavailable:
                assert time.monotonic() < end
                time.sleep(0.1)
