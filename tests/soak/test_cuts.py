"""Short recorded runs, cut at every write and flush. ``make soak`` does this for minutes."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from station.store.changed_entries import ChainCheck
from station.store.database import Database, sqlite_url
from station.store.game_index import GameRun
from station.store.store import Store
from tests.soak.cuts import ORDERS, every_cut, recorded
from tests.soak.recorded_disk import Call, Left, RecordedDisk

pytestmark = pytest.mark.faults


@pytest.mark.parametrize(
    ("workload", "seed", "steps", "inject", "every"),
    [
        ("journal", 1, 6, "", 3),
        ("saving", 1, 3, "fdatasync:error=EIO:when=12..13", 3),
        pytest.param("journal", 1, 6, "", 1, marks=pytest.mark.nightly),
        pytest.param("identity", 1, 1, "", 1, marks=pytest.mark.nightly),
        pytest.param("saving", 1, 3, "fdatasync:error=EIO:when=12..13", 1, marks=pytest.mark.nightly),
    ],
)
def test_wherever_the_power_is_cut_what_was_told_is_there_and_nothing_is_half_done(
    workload: str, seed: int, steps: int, inject: str, every: int
) -> None:
    done = every_cut(workload, seed, steps, inject=inject, lefts=(Left.NOTHING, Left.TORN), every=every)
    assert done.failures == ()
    assert done.cuts > 5


@pytest.mark.parametrize(
    ("workload", "inject", "left"),
    [
        ("store", "", Left.TORN),
        pytest.param("indexed", "", Left.REORDERED, marks=pytest.mark.nightly),
        pytest.param("refusing", "fdatasync:error=EIO:when=9..10", Left.NOTHING, marks=pytest.mark.nightly),
    ],
)
def test_wherever_the_station_loses_power_its_store_is_whole(workload: str, inject: str, left: Left) -> None:
    done = every_cut(workload, 1, 3, inject=inject, lefts=(left,), every=13)
    assert done.failures == ()
    assert done.cuts > 5


@pytest.mark.nightly
def test_a_run_with_an_index_leaves_games_that_a_start_need_not_read(tmp_path: Path) -> None:
    recorded("indexed", 6, 8, tmp_path)
    database = Database(sqlite_url(tmp_path / "disk" / "station.sqlite"))
    pieces = list(Store(database, lambda: 7).entries_to_fold(ChainCheck()))
    database.close()
    assert any(isinstance(piece, GameRun) for piece in pieces)


def disk(calls: Sequence[Call]) -> RecordedDisk:
    recorded = RecordedDisk(Path("/d"))
    for call in calls:
        recorded.apply(call)
    return recorded


def written(name: str, data: bytes, offset: int | None = None) -> Call:
    return Call("pwrite64", f"/d/{name}", ok=True, data=data, offset=offset)


MADE = Call("openat", "/d/a", ok=True, creates=True)
FLUSHED = Call("flush", "/d/a", ok=True)
NAMED = Call("flush", "/d", ok=True)
CHANCE = random.Random(1)


def test_what_was_flushed_is_there_and_what_was_not_need_not_be() -> None:
    recorded = disk([MADE, NAMED, written("a", b"1111", 0), FLUSHED, written("a", b"22", 2)])
    assert recorded.after_cut(Left.NOTHING, CHANCE) == {"a": b"1111"}
    assert recorded.after_cut(Left.EVERYTHING, CHANCE) == {"a": b"1122"}
    assert {recorded.after_cut(Left.SOME, CHANCE)["a"] for _ in range(20)} == {b"1111", b"1122"}


def test_a_name_that_was_not_flushed_may_be_missing() -> None:
    recorded = disk([MADE, written("a", b"1", 0), FLUSHED])
    assert recorded.after_cut(Left.NOTHING, CHANCE) == {}
    assert recorded.after_cut(Left.EVERYTHING, CHANCE) == {"a": b"1"}


def test_a_flush_that_failed_makes_nothing_durable_and_the_next_does_not_mend_it() -> None:
    failed = Call("flush", "/d/a", ok=False)
    recorded = disk([MADE, NAMED, written("a", b"1", 0), failed, written("a", b"2", 1), FLUSHED])
    assert recorded.after_cut(Left.NOTHING, CHANCE) == {"a": b"\x002"}


def test_a_torn_write_leaves_whole_sectors() -> None:
    recorded = disk([MADE, NAMED, written("a", b"x" * 2048, 0)])
    left = recorded.after_cut(Left.TORN, random.Random(3))["a"].ljust(2048, b"\0")
    sectors = {left[at : at + 512] for at in range(0, 2048, 512)}
    assert sectors == {b"x" * 512, bytes(512)}


def test_a_recording_holds_the_run(tmp_path: Path) -> None:
    calls = recorded("journal", 2, 3, tmp_path)
    marks = [call.data for call in calls if call.name == "told"]
    assert marks == [b"done 0\n", b"done 1\n", b"done 2\n", b"done 3\n"]
    whole = RecordedDisk(tmp_path / "disk")
    for call in calls:
        whole.apply(call)
    files = whole.after_cut(Left.EVERYTHING, CHANCE)
    assert files["journal.db"] == (tmp_path / "disk" / "journal.db").read_bytes()


SEED, STEPS = 3, 4


@pytest.mark.parametrize(("every", "least"), [(17, 5), pytest.param(5, 20, marks=pytest.mark.nightly)])
def test_whatever_order_the_disk_writes_in_the_store_is_whole(every: int, least: int) -> None:
    done = every_cut("checkpoints", SEED, STEPS, lefts=ORDERS[:2], every=every)
    assert done.failures == ()
    assert done.cuts > least


def of_the_log(call: Call) -> bool:
    return call.name == "flush" and call.path.endswith("-wal")


def of_the_database(call: Call) -> bool:
    """Return whether a call makes the database durable, before a checkpoint empties the log."""
    return call.name == "flush" and call.path.endswith(".sqlite")


@pytest.mark.parametrize("lost", [of_the_log, pytest.param(of_the_database, marks=pytest.mark.nightly)])
def test_a_store_that_does_not_flush_is_found(lost: Callable[[Call], bool]) -> None:
    assert every_cut("checkpoints", SEED, STEPS, lefts=ORDERS[:1], every=7, lost=lost).failures
