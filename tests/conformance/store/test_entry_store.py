"""The behaviour of every store of entries: in SQLite, in PostgreSQL, and simulated."""

import inspect
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import OurFault
from station.store.database import Database
from station.store.store import Store
from sync.protocol.entry import GENESIS, Entry, EntryStore, Epoch, Head, StreamId, chained_hash
from tests.examples import examples
from tests.soak.virtual_disk import Faults, VirtualStore

pytestmark = pytest.mark.conformance

TABLE = StreamId("table/aa")
OTHER = StreamId("table/bb")
ORDERS = StreamId("orders/aa")
LIFE = Epoch("1" * 16)
NEXT_LIFE = Epoch("2" * 16)


def chain(
    *raws: bytes, stream: StreamId = TABLE, epoch: Epoch = LIFE, after: Entry | None = None
) -> tuple[Entry, ...]:
    seq, previous = (0, GENESIS) if after is None else (after.seq, after.hash)
    entries = []
    for raw in raws:
        seq, previous = seq + 1, chained_hash(previous, raw)
        entries.append(Entry(stream, epoch, seq, raw, previous))
    return tuple(entries)


def head_of(entry: Entry) -> Head:
    return Head(entry.stream, entry.epoch, entry.seq, entry.hash)


def test_an_empty_store_has_no_heads(store: EntryStore) -> None:
    assert store.head(TABLE) is None
    assert store.head(ORDERS) is None
    assert store.hash_at(TABLE, 0) == GENESIS
    assert store.hash_at(TABLE, 1) is None
    assert store.entries(TABLE, 0, 10) == ()


def test_received_entries_come_back_verbatim_and_in_order(store: EntryStore) -> None:
    entries = chain(b"", b"\x00\xff", b"c" * 100_000)
    assert store.insert_remote(entries) == (entries, ())
    assert store.entries(TABLE, 0, 10) == entries
    assert store.entries(TABLE, 1, 1) == entries[1:2]
    assert store.head(TABLE) == head_of(entries[-1])
    assert [store.hash_at(TABLE, n) for n in (0, 1, 2, 3, 4)] == [GENESIS, *(e.hash for e in entries), None]


def test_no_entries_are_no_work(store: EntryStore) -> None:
    assert store.insert_remote(()) == ((), ())
    assert store.append_own(ORDERS, ()) == ()


def test_the_same_entries_again_are_a_success_that_stores_nothing(store: Store) -> None:
    entries = chain(b"a", b"b")
    store.insert_remote(entries)
    assert store.insert_remote(entries) == ((), ())
    assert store.insert_remote((*entries, *chain(b"c", after=entries[-1]))) == (
        chain(b"c", after=entries[-1]),
        (),
    )
    assert [arrived.entry.raw for arrived in store.entries_after()] == [b"a", b"b", b"c"]


def test_one_entry_twice_in_a_batch_is_stored_once(store: Store) -> None:
    (entry,) = chain(b"a")
    assert store.insert_remote((entry, entry)) == ((entry,), ())
    assert len(list(store.entries_after())) == 1


def test_another_content_under_a_taken_number_is_kept_apart(store: Store) -> None:
    entries = chain(b"a", b"b")
    store.insert_remote(entries)
    clone = chain(b"a", b"B")
    new, bad = store.insert_remote(clone)
    assert new == ()
    assert [q.entry for q in bad] == [clone[1]]
    assert store.entries(TABLE, 0, 10) == entries
    assert [q.entry for q in store.quarantined_entries()] == [clone[1]]


def test_what_is_in_quarantine_already_is_kept_once(store: Store) -> None:
    store.insert_remote(chain(b"a"))
    for _ in range(3):
        assert len(store.insert_remote(chain(b"x"))[1]) == 1
    assert len(store.quarantined_entries()) == 1


def test_half_a_batch_in_conflict_stores_the_other_half(store: Store) -> None:
    store.insert_remote(chain(b"a"))
    good = chain(b"1", b"2", stream=OTHER)
    new, bad = store.insert_remote((*chain(b"x"), *good))
    assert new == good
    assert len(bad) == 1
    assert store.entries(OTHER, 0, 10) == good


def test_an_entry_behind_a_gap_is_not_believed(store: Store) -> None:
    entries = chain(b"a", b"b", b"c")
    store.insert_remote(entries[:1])
    new, bad = store.insert_remote(entries[2:])
    assert (new, len(bad)) == ((), 1)
    assert store.head(TABLE) == head_of(entries[0])


def test_an_entry_that_breaks_the_chain_is_not_believed(store: Store) -> None:
    (entry,) = chain(b"a")
    wrong = Entry(entry.stream, entry.epoch, 1, b"b", entry.hash)
    new, bad = store.insert_remote((wrong,))
    assert (new, len(bad)) == ((), 1)
    assert store.head(TABLE) is None


def test_a_new_epoch_begins_at_one_and_is_the_one_that_counts(store: Store) -> None:
    old = chain(b"a", b"b")
    new = chain(b"c", epoch=NEXT_LIFE)
    store.insert_remote(old)
    store.insert_remote(new)
    assert store.head(TABLE) == head_of(new[0])
    assert store.entries(TABLE, 0, 10) == new
    assert [arrived.entry for arrived in store.entries_after()] == [*old, *new]


def test_own_entries_get_numbers_and_a_chain(store: Store) -> None:
    first = store.append_own(ORDERS, [b"a", b"b"])
    second = store.append_own(ORDERS, [b"c"])
    assert (*first, *second) == chain(b"a", b"b", b"c", stream=ORDERS, epoch=store.own_epoch())


def test_several_own_streams_are_written_together(store: Store) -> None:
    other = StreamId("orders/bb")
    written = store.append_all([(ORDERS, b"a"), (other, b"x"), (ORDERS, b"b")])
    assert [(e.stream, e.seq) for e in written] == [(ORDERS, 1), (other, 1), (ORDERS, 2)]
    assert store.entries(other, 0, 9) == (written[1],)


def test_the_station_does_not_write_for_a_terminal(store: Store) -> None:
    with pytest.raises(OurFault):
        store.append_own(TABLE, [b"a"])
    assert store.head(TABLE) is None


def test_two_stores_on_one_database_agree_by_the_unique_key(store: Store, database: Database) -> None:
    second = Store(database, lambda: 0)
    entries = chain(b"a", b"b", b"c")
    store.insert_remote(entries[:1])
    assert second.insert_remote(entries[:2]) == (entries[1:2], ())
    assert store.insert_remote(entries) == (entries[2:], ())
    assert [arrived.entry for arrived in store.entries_after()] == list(entries)


@pytest.mark.slow
def test_the_same_batch_five_times_in_parallel_is_stored_once(store: Store) -> None:
    entries = chain(*(b"%d" % n for n in range(50)))
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(lambda _: store.insert_remote(entries), range(5)))
    assert sum(len(new) for new, _ in results) == 50
    assert all(bad == () for _, bad in results)
    assert store.entries(TABLE, 0, 100) == entries


def test_the_epoch_of_own_streams_outlives_the_store(store: Store, database: Database) -> None:
    assert Store(database, lambda: 0).own_epoch() == store.own_epoch()
    assert len(store.own_epoch()) == 16


def test_nothing_has_changed_in_a_healthy_database(store: Store) -> None:
    store.insert_remote(chain(b"a", b"b"))
    store.append_own(ORDERS, [b"x"])
    assert store.verify() == ()


@pytest.mark.slow
@settings(
    max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 6)), max_size=12), st.integers(0, 10**12))
def test_whatever_pieces_arrive_the_stream_is_a_prefix_without_doubles(
    store: Store, pieces: list[tuple[int, int]], life: int
) -> None:
    epoch = Epoch(f"{life:016x}")
    entries = chain(*(b"%d" % n for n in range(15)), epoch=epoch)
    for start, length in pieces:
        store.insert_remote(entries[start : start + length])
    stored = [arrived.entry for arrived in store.entries_after() if arrived.entry.epoch == epoch]
    assert stored == list(entries[: len(stored)])


NEEDS_BYTES = test_nothing_has_changed_in_a_healthy_database
"""It looks for changed bytes on a disk."""
SUITE = [
    check
    for name, check in globals().items()
    if name.startswith("test_") and set(inspect.signature(check).parameters) == {"store"}
]


@pytest.mark.parametrize("check", [check for check in SUITE if check is not NEEDS_BYTES])
def test_the_simulated_store_does_what_a_store_must(check: Callable[..., None]) -> None:
    check(store=VirtualStore(Epoch("5" * 16), Faults(random.Random(1))))


def test_the_suite_is_there() -> None:
    assert len(SUITE) > 14
