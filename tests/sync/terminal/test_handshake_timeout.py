"""The time for which a route may be silent."""

import pytest

from base.errors import Unavailable
from sync.ports.findings import Finding, NotReached
from sync.ports.port import StreamPort
from sync.terminal.routes import HandshakeTimeout, RouteSource, StationRoute


def no_port() -> StreamPort:
    raise Unavailable("nobody opens it")


def way(source: RouteSource) -> StationRoute:
    return StationRoute("a way", no_port, source)


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
    greeting = HandshakeTimeout(way(source), 1_000, has_others=lambda: others)
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
    greeting = HandshakeTimeout(way(source), 0, has_others=lambda: False)
    with pytest.raises(NotReached) as caught:
        greeting.check(60_000, is_connected=connected)
    assert caught.value.finding is finding
