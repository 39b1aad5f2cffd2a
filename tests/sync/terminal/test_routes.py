import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import SaloonError, Unavailable
from sync.ports.findings import Finding, NotReached
from sync.ports.port import StreamPort
from sync.protocol.entry import StreamId
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause, TurnedAway
from sync.terminal.routes import HINTS, HandshakeTimeout, RouteSource, RouteTable, StationRoute
from sync.terminal.station_search import StationSearch


def no_port() -> StreamPort:
    raise AssertionError("nothing is opened here")


def way(name: str, source: RouteSource = RouteSource.FILE) -> StationRoute:
    return StationRoute(name, no_port, source)


CABLE = way("cable", RouteSource.CABLE)
FILE_1, FILE_2 = way("file-1"), way("file-2")
TYPED = way("typed", RouteSource.TYPED)


def a_round(book: RouteTable) -> list[str]:
    tried = [book.next()]
    while not book.round_is_over:
        tried.append(book.next())
    return [one.name for one in tried if one is not None]


def test_the_cable_comes_first_then_what_worked_then_file_typed_and_hall() -> None:
    book = RouteTable((FILE_1, FILE_2, CABLE))
    book.add_typed(TYPED)
    book.on_connected(FILE_2)
    book.on_lost(FILE_2, silent=False)
    assert book.add_hint(way("hall", RouteSource.HALL), 0)
    assert a_round(book) == ["cable", "file-2", "file-1", "typed", "hall"]


def test_what_was_typed_just_now_is_tried_before_all_others() -> None:
    book = RouteTable((CABLE, FILE_1))
    assert a_round(book) == ["cable", "file-1"]
    book.add_typed(TYPED)
    assert a_round(book) == ["typed", "cable", "file-1"]
    assert a_round(book) == ["cable", "file-1", "typed"]


def test_a_way_that_died_in_silence_is_tried_last_and_only_once() -> None:
    book = RouteTable((FILE_1, FILE_2))
    book.on_connected(FILE_1)
    book.on_lost(FILE_1, silent=True)
    assert a_round(book) == ["file-2", "file-1"]
    assert a_round(book) == ["file-1", "file-2"]


def test_an_address_that_worked_stays_though_nobody_calls_it_out_any_more() -> None:
    book, announced = RouteTable(()), way("heard", RouteSource.HALL)
    assert book.add_hint(announced, 0)
    assert book.next() == announced
    book.on_connected(announced)
    book.remove_hint("heard")
    book.on_lost(announced, silent=False)
    assert a_round(book) == ["heard"]


def test_a_hint_that_failed_is_not_taken_up_again_soon() -> None:
    book, announced = RouteTable(()), way("heard", RouteSource.HALL)
    assert book.add_hint(announced, 0)
    book.on_failed(announced, 1_000)
    assert book.next() is None
    assert not book.add_hint(announced, 20_000)
    assert book.add_hint(announced, 31_000)


def test_a_typed_address_can_be_taken_away_and_others_cannot() -> None:
    book = RouteTable((FILE_1,))
    book.add_typed(TYPED)
    book.on_connected(TYPED)
    assert book.remove_typed("typed")
    assert not book.remove_typed("file-1")
    book.on_lost(TYPED, silent=False)
    assert a_round(book) == ["file-1"]


def test_typing_an_address_of_the_file_keeps_it_one_of_the_file() -> None:
    book = RouteTable((FILE_1, FILE_2))
    book.add_typed(way("file-2", RouteSource.TYPED))
    assert a_round(book) == ["file-2", "file-1"]
    assert not book.routes_from(RouteSource.TYPED)


NAMES = st.sampled_from([f"way-{n}" for n in range(12)])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("hear"), NAMES),
        st.tuples(st.just("unhear"), NAMES),
        st.tuples(st.just("next"), st.just("")),
        st.tuples(st.just("worked"), st.just("")),
        st.tuples(st.just("typed"), NAMES),
        st.tuples(st.just("removed"), NAMES),
    ),
    max_size=60,
)


@given(STEPS, st.booleans())
def test_whatever_the_hall_calls_a_round_tries_each_way_once_and_hints_last(
    steps: list[tuple[str, str]],
    silent: bool,  # noqa: FBT001 (hypothesis hands it over)
) -> None:
    book = RouteTable((CABLE, FILE_1, FILE_2))
    tried: StationRoute | None = None
    for now_ms, (step, name) in enumerate(steps):
        match step:
            case "hear":
                book.add_hint(way(name, RouteSource.HALL), now_ms)
            case "unhear":
                book.remove_hint(name)
            case "typed":
                book.add_typed(way(name, RouteSource.TYPED))
            case "removed":
                book.remove_typed(name)
            case "worked" if tried is not None:
                book.on_connected(tried)
                book.on_lost(tried, silent=silent)
            case "next":
                if tried is not None:
                    book.on_failed(tried, now_ms)
                tried = book.next()
            case _:
                pass
        assert len(book.routes_from(RouteSource.HALL)) <= HINTS
    while not book.round_is_over:
        book.next()
    names = [one.name for one in book.order()]
    assert a_round(book) == names
    assert len(set(names)) == len(names)
    assert {"cable", "file-1", "file-2"} <= set(names)


@given(st.lists(NAMES, max_size=40))
def test_however_many_strangers_call_a_good_address_is_tried_in_every_round(calls: list[str]) -> None:
    """A stranger who replaces each failed announcement by a new one must not make a round endless."""
    book = RouteTable((FILE_1, FILE_2))
    since_good = 0
    for now_ms, name in enumerate(calls):
        tried = book.next()
        assert tried is not None
        since_good = 0 if tried.source is RouteSource.FILE else since_good + 1
        assert since_good <= HINTS
        book.on_failed(tried, now_ms)
        for copy in range(HINTS + 2):
            book.add_hint(way(f"{name}-{now_ms}-{copy}", RouteSource.HALL), now_ms)


@pytest.mark.parametrize(
    ("source", "others", "heard_ms", "ends_ms"),
    [
        (RouteSource.FILE, True, None, 4_000),
        (RouteSource.FILE, False, None, 11_000),
        (RouteSource.FILE, True, 1_500, 11_000),
        (RouteSource.CABLE, True, None, 11_000),
    ],
)
def test_a_cable_the_only_way_and_one_that_speaks_may_take_longer(
    *, source: RouteSource, others: bool, heard_ms: int | None, ends_ms: int
) -> None:
    greeting = HandshakeTimeout(way("a way", source), 1_000, has_others=lambda: others)
    greeting.heard_ms = heard_ms
    assert greeting.ends_ms() == ends_ms
    greeting.check(ends_ms, is_connected=True)
    with pytest.raises(NotReached):
        greeting.check(ends_ms + 1, is_connected=True)


@pytest.mark.parametrize(
    ("source", "connected", "finding"),
    [
        (RouteSource.CABLE, True, Finding.CABLE_SILENT),
        (RouteSource.FILE, False, Finding.NO_ANSWER),
        (RouteSource.FILE, True, Finding.SILENT),
    ],
)
def test_what_was_found_is_named(*, source: RouteSource, connected: bool, finding: Finding) -> None:
    greeting = HandshakeTimeout(way("a way", source), 0, has_others=lambda: False)
    with pytest.raises(NotReached) as caught:
        greeting.check(60_000, is_connected=connected)
    assert caught.value.finding is finding


SERIAL, WIFI = way("serial", RouteSource.CABLE), way("tcp")
OUT = NotReached(Finding.NO_DEVICE, "no such device", device="serial")
DEAD = Unavailable("nobody answers")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db", StreamId("table/t"), StreamId("orders/t"), "board") as kept:
        yield kept


def search_among(journal: Journal, *ways: StationRoute) -> StationSearch:
    search = StationSearch(journal, ways, chance=random.Random(1))
    search.resume()
    return search


def tried_within(search: StationSearch, span_ms: int, cable: SaloonError) -> list[tuple[int, str]]:
    """Return the routes tried while the cable has this fault and the network is dead, each with its time."""
    tried, now_ms = [], 0
    while now_ms < span_ms:
        way = search.next(now_ms)
        tried.append((now_ms, way.name))
        search.on_route_failure(way, cable if way is SERIAL else DEAD, now_ms, lasted_ms=None, silent=True)
        assert search.try_at_ms is not None
        assert search.try_at_ms > now_ms
        now_ms = search.try_at_ms
    return tried


def test_a_cable_that_is_out_is_looked_for_four_times_a_second_and_the_network_no_oftener_than_before(
    journal: Journal,
) -> None:
    tried = tried_within(search_among(journal, SERIAL, WIFI), 120_000, OUT)
    cable = [at_ms for at_ms, name in tried if name == "serial"]
    assert max(b - a for a, b in itertools.pairwise(cable)) <= 500
    alone = tried_within(search_among(journal, WIFI), 120_000, OUT)
    assert sum(name == "tcp" for _, name in tried) <= 2 * len(alone)


def test_a_cable_that_is_in_and_silent_takes_its_turn_like_any_other_way(journal: Journal) -> None:
    tried = tried_within(search_among(journal, SERIAL, WIFI), 60_000, DEAD)
    assert [name for _, name in tried[:6]] == ["serial", "tcp"] * 3


@pytest.mark.parametrize("cause", [CloseCause.TOKEN, CloseCause.REVOKED, CloseCause.REFUSED])
def test_a_station_that_does_not_accept_the_terminal_is_no_station_to_wait_for(
    journal: Journal, cause: CloseCause
) -> None:
    search = search_among(journal, WIFI)
    error = TurnedAway("the token of the provisioning file is not valid (any more)", cause)
    search.on_route_failure(search.next(0), error, 0, lasted_ms=None, silent=False)
    assert search.report.finding is Finding.NOT_ENROLLED
