import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from base.errors import Unavailable
from sync.ports.findings import Finding, NotReached
from sync.ports.port import StreamPort
from sync.protocol.entry import StreamId
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause, TurnedAway
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.station_search import StationSearch


def no_port() -> StreamPort:
    raise AssertionError("the search opens nothing")


CABLE, WIFI = (
    StationRoute("serial", no_port, RouteSource.CABLE),
    StationRoute("tcp", no_port, RouteSource.FILE),
)
OUT = NotReached(Finding.NO_DEVICE, "no such device", device="serial")
DEAD = Unavailable("nobody answers")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    kept = Journal(tmp_path / "journal.db", StreamId("table/t"), StreamId("orders/t"), "board")
    kept.open()
    yield kept
    kept.close()


def tried_within(search: StationSearch, span_ms: int) -> list[tuple[int, str]]:
    """Return the routes tried while the cable is out and the network is dead, each with its time."""
    tried, now_ms = [], 0
    while now_ms < span_ms:
        way = search.next(now_ms)
        tried.append((now_ms, way.name))
        search.on_route_failure(way, OUT if way is CABLE else DEAD, now_ms, lasted_ms=None, silent=True)
        assert search.try_at_ms is not None
        assert search.try_at_ms > now_ms
        now_ms = search.try_at_ms
    return tried


def test_a_cable_that_is_out_is_looked_for_four_times_a_second_and_the_network_no_oftener_than_before(
    journal: Journal,
) -> None:
    search = StationSearch(journal, (CABLE, WIFI), chance=random.Random(1))
    search.resume()
    tried = tried_within(search, 120_000)
    cable = [at_ms for at_ms, name in tried if name == "serial"]
    assert max(b - a for a, b in itertools.pairwise(cable)) <= 500
    alone = StationSearch(journal, (WIFI,), chance=random.Random(1))
    alone.resume()
    assert sum(name == "tcp" for _, name in tried) <= 2 * len(tried_within(alone, 120_000))


def test_a_cable_that_is_in_and_silent_takes_its_turn_like_any_other_way(journal: Journal) -> None:
    search = StationSearch(journal, (CABLE, WIFI), chance=random.Random(1))
    search.resume()
    names, now_ms = [], 0
    for _ in range(6):
        way = search.next(now_ms)
        names.append(way.name)
        search.on_route_failure(way, DEAD, now_ms, lasted_ms=None, silent=True)
        assert search.try_at_ms is not None
        now_ms = search.try_at_ms
    assert names == ["serial", "tcp"] * 3


@pytest.mark.parametrize("cause", [CloseCause.TOKEN, CloseCause.REVOKED, CloseCause.REFUSED])
def test_a_station_that_does_not_accept_the_terminal_is_no_station_to_wait_for(
    journal: Journal, cause: CloseCause
) -> None:
    search = StationSearch(journal, (WIFI,), chance=random.Random(1))
    search.resume()
    error = TurnedAway("the token of the provisioning file is not valid (any more)", cause)
    search.on_route_failure(search.next(0), error, 0, lasted_ms=None, silent=False)
    assert search.report.finding is Finding.NOT_ENROLLED
