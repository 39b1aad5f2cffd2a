"""Several stations on one database, where nothing is lost, duplicated, accused or overlooked."""

import contextlib
import enum
import random
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from sqlalchemy.engine import make_url

from base.errors import Unavailable
from station.store.database import AdvisoryLock, Database, acquire_lock
from station.store.settings import Settings
from station.store.store import ArrivedEntry, ConcurrentWrite, Store
from sync.protocol.entry import Epoch, StreamId
from tests.conformance.store.test_entry_store import NEXT_LIFE, ORDERS, TABLE, chain, head_of
from tests.examples import examples


class Cut(enum.Enum):
    """The places at which the wire is cut."""

    NOWHERE = "nowhere"
    BEFORE_COMMIT = "before the commit"
    AFTER_COMMIT = "after the commit"


class CutWire:
    """A proxy between a station and a server, which cuts the next commits at a given place."""

    def __init__(self, url: str, folder: Path) -> None:
        address = make_url(url)
        self._server = f"{address.query['host']}/.s.PGSQL.5432"
        self.url = url.replace(str(address.query["host"]), str(folder))
        self.cut = Cut.NOWHERE
        self.cuts = 0
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / ".s.PGSQL.5432"))
        self._door.listen()
        self._ends: list[socket.socket] = [self._door]
        threading.Thread(target=self._take_in, daemon=True).start()

    def close(self) -> None:
        for end in self._ends:
            end.close()

    def _take_in(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._door.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._ends += [client, server]
                for work in (self._up, self._down):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for data in _read(client):
                if b"COMMIT\0" in data and self.cut is not Cut.NOWHERE:
                    _shut(client)
                    if self.cut is Cut.AFTER_COMMIT:
                        # The answer finds nobody, the work is done.
                        server.sendall(data)
                    self.cuts += 1
                    break
                server.sendall(data)
        _shut(client)
        if self.cut is not Cut.AFTER_COMMIT:
            _shut(server)

    def _down(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for data in _read(server):
                client.sendall(data)
        _shut(client)


def _read(end: socket.socket) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        while data := end.recv(65536):
            yield data


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


pytestmark = pytest.mark.conformance

Make = Callable[[], Store]


@pytest.fixture
def another(database: Database, database_url: str) -> Iterator[Make]:
    """Yield a function that makes stores of other stations, with their own connections if possible."""
    with ExitStack() as opened:
        yield lambda: Store(database if database.is_sqlite else connected(database_url, opened), lambda: 0)


@pytest.fixture
def station(postgresql_url: str) -> Iterator[Make]:
    """Yield a function that makes stores of stations, with their own connections, on an empty PostgreSQL."""
    with ExitStack() as opened:
        yield lambda: Store(connected(postgresql_url, opened), lambda: 0)


def connected(url: str, opened: ExitStack) -> Database:
    return opened.enter_context(closing(Database(url)))


def test_a_terminal_that_moved_on_and_comes_back_is_not_accused(store: Store, another: Make) -> None:
    other = another()
    entries = chain(b"a", b"b", b"c", b"d")
    store.insert_remote(entries[:1])
    other.insert_remote(entries[1:3])
    # It goes on where the other station ended, and this one has not looked since.
    assert store.insert_remote(entries[3:]) == (entries[3:], ())
    assert store.quarantined_entries() == ()
    assert store.head(TABLE) == another().head(TABLE) == head_of(entries[3])


@pytest.mark.slow
def test_both_ends_of_a_terminal_that_connects_twice_store_the_same(store: Store, another: Make) -> None:
    entries = chain(*(b"%d" % n for n in range(8)))
    other = another()
    assert store.insert_remote(entries[:3])[0] == entries[:3]
    assert other.insert_remote(entries[:6]) == (entries[3:6], ())
    assert store.insert_remote(entries[3:8]) == (entries[6:8], ())
    assert [arrived.entry for arrived in other.entries_after()] == list(entries)
    assert store.quarantined_entries() == ()


@pytest.mark.slow
def test_a_new_life_that_another_station_met_first_counts_here_too(store: Store, another: Make) -> None:
    store.insert_remote(chain(b"a", b"b"))
    assert store.head(TABLE) is not None
    fresh = chain(b"x", epoch=NEXT_LIFE)
    other = another()
    other.insert_remote(fresh)
    assert store.insert_remote(chain(b"y", epoch=NEXT_LIFE, after=fresh[0]))[1] == ()
    assert [entry.raw for entry in another().entries(TABLE, 0, 9)] == [b"x", b"y"]


def test_a_clone_at_another_station_is_noticed(store: Store, another: Make) -> None:
    store.insert_remote(chain(b"a", b"b"))
    _, bad = another().insert_remote(chain(b"a", b"B", b"C"))
    assert [quarantined.entry.raw for quarantined in bad] == [b"B", b"C"]
    assert store.entries(TABLE, 0, 9) == chain(b"a", b"b")


@pytest.mark.slow
@settings(
    max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(1, 6)), max_size=15))
def test_whatever_pieces_arrive_wherever_the_stream_is_a_prefix_without_doubles(
    store: Store, another: Make, pieces: list[tuple[int, int, int]]
) -> None:
    stations = [store, another(), another()]
    epoch = Epoch(secrets.token_hex(8))
    entries = chain(*(b"%d" % n for n in range(15)), epoch=epoch)
    stored = 0
    for number, start, length in pieces:
        if start <= stored:
            # A terminal says only what follows on what the station that it asked has.
            new, bad = stations[number].insert_remote(entries[start : start + length])
            assert bad == ()
            assert new == entries[max(start, stored) : start + length]
            stored = max(stored, min(15, start + length))
    assert [arrived.entry for arrived in store.entries_after() if arrived.entry.epoch == epoch] == list(
        entries[:stored]
    )


def test_two_stations_number_their_own_entries_in_one_chain(station: Make) -> None:
    one, other = station(), station()
    for number in range(6):
        (one, other)[number % 2].append_own(ORDERS, [b"%d" % number])
    assert one.own_epoch() == other.own_epoch()
    expected = chain(*(b"%d" % n for n in range(6)), stream=ORDERS, epoch=one.own_epoch())
    assert one.entries(ORDERS, 0, 9) == other.entries(ORDERS, 0, 9) == expected


def test_what_was_decided_on_an_older_state_is_not_written(station: Make) -> None:
    one, other = station(), station()
    tournament = StreamId("tournament/open")
    one.append_own(tournament, [b"a"])
    seen = list(one.entries_after())[-1].arrival
    # What terminals bring overtakes nobody.
    other.insert_remote(chain(b"t"))
    other.append_all([(tournament, b"b")], decided_on=seen)
    with pytest.raises(ConcurrentWrite):
        one.append_all([(ORDERS, b"c")], decided_on=seen)
    assert [arrived.entry.raw for arrived in one.entries_after()] == [b"a", b"t", b"b"]


def test_decisions_of_many_stations_at_once_follow_one_another(station: Make) -> None:
    stream = StreamId("tournament/open")

    def _count(store: Store) -> int:
        """Add a decision that is the sum of all earlier ones plus one, which reveals lost or stale ones."""
        overtaken = 0
        for _ in range(12):
            while True:
                arrived = list(store.entries_after())
                seen = arrived[-1].arrival if arrived else 0
                try:
                    store.append_all([(stream, b"%d" % (len(arrived) + 1))], decided_on=seen)
                except ConcurrentWrite:
                    overtaken += 1
                else:
                    break
        return overtaken

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(_count, [station() for _ in range(3)]))
    assert [arrived.entry.raw for arrived in station().entries_after()] == [b"%d" % n for n in range(1, 37)]


@pytest.mark.slow
def test_who_reads_on_from_the_last_arrival_misses_nothing(station: Make, postgresql_url: str) -> None:
    """Numbers of arrival are drawn before a commit, so without locks a lower one might appear later."""
    writers = [station() for _ in range(4)]
    for number, writer in enumerate(writers):
        # Commits take long, and each another time.
        chance = random.Random(number)
        engine = writer._database._require_engine()
        event.listen(engine, "commit", lambda _, chance=chance: time.sleep(chance.random() / 200))
    reader, seen = station(), list[ArrivedEntry]()
    done = threading.Event()

    def _write(number: int) -> None:
        entries = chain(*(b"%d" % n for n in range(40)), stream=StreamId(f"table/{number}"))
        for at in range(0, 40, 2):
            writers[number].insert_remote(entries[at : at + 2])
            writers[number].append_own(StreamId(f"orders/{number}"), [b"%d" % at])

    def _read() -> None:
        is_over = False
        while not is_over:
            is_over = done.is_set()
            seen.extend(reader.entries_after(seen[-1].arrival if seen else 0))

    with ThreadPoolExecutor(5) as pool:
        reading = pool.submit(_read)
        try:
            list(pool.map(_write, range(4)))
        finally:
            done.set()
        reading.result()
    assert len(seen) == 4 * 40 + 4 * 20
    assert seen == list(reader.entries_after())


def test_one_batch_at_five_stations_at_once_is_stored_once(station: Make) -> None:
    entries = chain(*(b"%d" % n for n in range(50)))
    stations = [station() for _ in range(5)]
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(lambda store: store.insert_remote(entries), stations))
    assert sum(len(new) for new, _ in results) == 50
    assert all(bad == () for _, bad in results)


def test_stations_that_start_at_once_on_an_empty_database_agree(station: Make) -> None:
    stations = [station() for _ in range(5)]

    def _start(store: Store) -> tuple[Epoch, int, dict[str, str]]:
        own = Settings(store._database)
        word = f"{id(store)}"
        return store.own_epoch(), own.count_start(), own.set_defaults({"key": word, "certificate": word})

    with ThreadPoolExecutor(5) as pool:
        started = list(pool.map(_start, stations))
    assert len({epoch for epoch, _, _ in started}) == 1
    assert sorted(count for _, count, _ in started) == [1, 2, 3, 4, 5]
    assert len({tuple(agreed.values()) for _, _, agreed in started}) == 1
    assert len(set(started[0][2].values())) == 1


def test_a_damaged_stream_is_cut_while_another_station_writes(station: Make) -> None:
    one, other = station(), station()
    entries = chain(b"a", b"b", b"c", b"d")
    one.insert_remote(entries[:3])
    with one._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE entries SET raw = 'x' WHERE seq = 2")
    assert [bad.entry.seq for bad in other.verify()] == [2, 3]
    # What comes behind the cut finds no hole to jump over.
    assert one.insert_remote(entries[3:])[0] == ()
    assert one.insert_remote(entries[1:]) == (entries[1:], ())
    assert one.verify() == ()


@pytest.mark.nightly
@pytest.mark.faults
def test_a_station_that_stands_still_in_its_turn_is_thrown_out(station: Make) -> None:
    one, other = station(), station()

    def _stand_still() -> None:
        with one._database.transaction() as connection:
            acquire_lock(connection, AdvisoryLock.ARRIVAL)
            # As if this process were stopped here: the others wait for some seconds, not for ever.
            assert other.insert_remote(chain(b"a"))[0] == chain(b"a")

    with pytest.raises(Unavailable):
        _stand_still()
    assert one.insert_remote(chain(b"a", b"b"))[0] == chain(b"a", b"b")[1:]


@pytest.mark.parametrize("name", ["synchronous_commit"])
def test_a_server_that_forgets_in_a_power_cut_is_refused(postgresql_url: str, name: str) -> None:
    database = Database(f"{postgresql_url}%20-c{name}%3Doff")
    with pytest.raises(Unavailable, match=f"{name} is off"):
        database.open()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("cut", [Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT], ids=lambda cut: cut.value)
def test_a_commit_without_an_answer_is_read_back_not_guessed(postgresql_url: str, cut: Cut) -> None:
    with tempfile.TemporaryDirectory(prefix="saloon-cut-") as folder:
        wire = CutWire(postgresql_url, Path(folder))
        database = Database(wire.url)
        store = Store(database, lambda: 0)
        store.append_own(ORDERS, [b"a"])
        wire.cut = cut

        def _mend() -> None:
            while not wire.cuts:
                time.sleep(0.001)
            wire.cut = Cut.NOWHERE

        mending = threading.Thread(target=_mend)
        mending.start()
        if cut is Cut.AFTER_COMMIT:
            assert [entry.raw for entry in store.append_own(ORDERS, [b"b"])] == [b"b"]
        else:
            with pytest.raises(Unavailable):
                store.append_own(ORDERS, [b"b"])
        mending.join()
        expected = [b"a", b"b"] if cut is Cut.AFTER_COMMIT else [b"a"]
        assert [arrived.entry.raw for arrived in store.entries_after()] == expected
        database.close()
        wire.close()
