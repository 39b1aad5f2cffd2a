"""Exact scripts over the real hub, in a world with its own time."""

import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sync.protocol.entry import StreamId
from tests.soak.counts import Counts
from tests.soak.flipped import Content, flips, make_journal, make_store, read_journal, read_store
from tests.soak.part_packets import (
    a_clone_goes_on,
    a_restored_station_is_refilled,
    both_ways,
    cut_after,
    lied_to,
    lies,
    plain_words,
    play,
    small_world,
    strange_words,
    the_same_batch_in_parallel,
    whole_session,
)
from tests.soak.virtual_identities import identity
from tests.soak.virtual_net import Weather
from tests.soak.world import World

pytestmark = pytest.mark.faults

EVERY = 311
"""The distance of cuts here; ``make soak`` cuts at every byte."""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


def test_after_whatever_byte_a_session_or_an_enrolment_is_cut_all_arrives(keys: Path) -> None:
    whole = whole_session(keys)
    assert whole > 5_000
    problems = {at: cut_after(at, keys) for at in range(1, whole, EVERY)}
    assert {at: problem for at, problem in problems.items() if problem} == {}


@pytest.mark.parametrize(
    "weather",
    [Weather(delay_s=0.0001, piece=0.0, segment=1), Weather(loss=0.2), Weather(loss=0.5, piece=1.0)],
    ids=["one byte at a time", "a fifth is lost", "half is lost"],
)
def test_however_bad_the_network_is_all_arrives(keys: Path, weather: Weather) -> None:
    assert play(small_world(keys, weather), both_ways) == ""


def test_a_clone_of_a_card_that_goes_on_is_told_to_the_judge_and_alters_nothing(keys: Path) -> None:
    world = small_world(keys)
    assert play(world, a_clone_goes_on) == ""
    assert world.station.disagreed == {world.terminals[0].identity.id}


@pytest.mark.parametrize("script", [a_restored_station_is_refilled, the_same_batch_in_parallel])
def test_what_was_moved_once_more_is_there_once(
    keys: Path, script: Callable[[World], Awaitable[None]]
) -> None:
    assert play(small_world(keys), script) == ""


@pytest.mark.by_day(10)
@pytest.mark.parametrize("lie", lies(StreamId("table/0")))
def test_an_enrolled_key_that_lies_is_sent_away_and_nobody_else_notices(keys: Path, lie: str) -> None:
    stream = StreamId(f"table/{identity(keys, 't1').id}")
    assert lied_to(keys, lies(stream)[lie], known=True) == ""


@pytest.mark.parametrize("words", strange_words())
def test_a_stranger_may_enrol_and_say_nothing_else(keys: Path, words: str) -> None:
    assert lied_to(keys, strange_words()[words], known=False) == ""


@pytest.mark.parametrize("words", plain_words())
def test_who_speaks_no_tls_is_sent_away(keys: Path, words: str) -> None:
    assert lied_to(keys, (plain_words()[words],), known=False, plainly=True) == ""


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("make", "read", "every"), [(make_journal, read_journal, 397), (make_store, read_store, 4_999)]
)
def test_a_bit_that_flips_on_the_disk_is_noticed_or_of_no_consequence(
    make: Callable[[Path], str], read: Callable[[Path], Content], every: int
) -> None:
    done = sum(flips(make, read, begin=7, every=every), Counts())
    assert done.failures == ()
    assert done.cuts > 8


@pytest.mark.slow
@pytest.mark.nightly
def test_no_byte_of_a_stored_entry_can_change_unnoticed(tmp_path: Path) -> None:
    stored = (tmp_path / make_store(tmp_path)).read_bytes()
    newest = stored.index(b"an order") - len(b"orders/1") - 32
    page_end = (newest // 4096 + 1) * 4096  # the rows of a page are at its end, the newest first
    assert stored.count(b"entry 1", newest, page_end)
    flipped = itertools.islice(flips(make_store, read_store, begin=newest), page_end - newest)
    assert sum(flipped, Counts()).failures == ()
