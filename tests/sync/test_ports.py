"""Addresses, and the link over a port."""

import random

import pytest

from base.errors import BadData
from sync.ports.addresses import address_of, is_address, route_name, stream_to
from sync.ports.link_port import LinkPort
from tests.rigs.simulator import BAUD, linked


@pytest.mark.parametrize("address", ["10.0.0.1:7373", "[fe80::1%eth0]:7373", "tcp:station.local:80"])
def test_an_address_is_found_again_in_the_name_of_its_route(address: str) -> None:
    assert is_address(address)
    assert address_of(route_name(address)) == address


def test_a_route_keeps_the_name_that_journals_have() -> None:
    assert route_name("10.0.0.1:7373") == "tcp 10.0.0.1:7373"


@pytest.mark.parametrize("route", ["serial /dev/ttyUSB0", "bus /dev/ttyAMA0", ""])
def test_a_cable_has_no_address(route: str) -> None:
    assert address_of(route) == ""


@pytest.mark.parametrize("address", ["10.0.0.1", "tcp:10.0.0.1", "carrier-pigeon:1:2", "a:99999"])
def test_a_wrong_address_is_refused_where_it_was_given(address: str) -> None:
    assert not is_address(address)
    with pytest.raises(BadData, match="--station"):
        stream_to(address, "--station")


READ_EVERY_MS = 4
"""The interval at which received bytes wake an owner in these tests."""


class Owner:
    """An owner that calls one end only when it requested it, or when bytes may have arrived.

    It counts the requests, and is up to ``late_ms`` late.
    """

    def __init__(self, port: LinkPort, late_ms: int) -> None:
        self.port = port
        self._late_ms = late_ms
        self._chance = random.Random(late_ms)
        self.wakes = 0
        self._due_ms: int | None = 0

    def turn(self, now_ms: int, *, may_read: bool, left: bytes) -> bytes:
        is_due = self._due_ms is not None and self._due_ms <= now_ms
        if not (is_due or may_read):
            return left
        self.wakes += is_due
        self.port.advance(now_ms)
        left = left[self.port.write(left[:4096]) :]
        self._due_ms = self.port.next_deadline_ms()
        if self._due_ms is not None:
            assert self._due_ms > now_ms
            self._due_ms += self._chance.randint(0, self._late_ms)
        return left


@pytest.mark.slow
@pytest.mark.parametrize("late_ms", [0, 8, 25])
def test_an_owner_that_wakes_when_it_is_asked_to_or_later_fills_the_line(late_ms: int) -> None:
    pair = linked()
    line, (near, far) = pair.line, (Owner(end, late_ms) for end in pair.ends)
    left, delivered = random.Random(1).randbytes(60_000), 0
    begun_ms, count = line.now_ms, len(left)
    while delivered < count:
        line.now_ms += 1
        may_read = [bool(way.waiting()) and line.now_ms % READ_EVERY_MS == 0 for way in line.ways]
        left = near.turn(line.now_ms, may_read=may_read[1], left=left)
        far.turn(line.now_ms, may_read=may_read[0], left=b"")
        delivered = far.port.counters().bytes_delivered
        assert line.now_ms - begun_ms < 20_000
    took_s = (line.now_ms - begun_ms) / 1000
    assert count / took_s / (BAUD / 10) >= 0.92
    assert near.wakes / took_s < 200


def test_nobody_waits_for_a_tty_to_be_writable() -> None:
    pair = linked()
    near = pair.ends[0]
    while near.write(bytes(4096)):
        pass
    assert not near.wants_write()
    due_ms = near.next_deadline_ms()
    assert due_ms is not None
    assert due_ms > pair.line.now_ms
