"""Strangers at the door: shares by address, at once and in time, on a told clock."""

from contextlib import ExitStack

import pytest

from saloon.core.errors import PeerFault
from saloon.sync.gate import Gate, GateLimits

LIMITS = GateLimits(at_once=5, from_one=3, burst=4, each_s=2)


class ToldClock:
    def __init__(self) -> None:
        self.now_ms = 0

    def monotonic_ms(self) -> int:
        return self.now_ms

    def wall_ms(self) -> int:
        return 0


@pytest.fixture
def clock() -> ToldClock:
    return ToldClock()


@pytest.fixture
def gate(clock: ToldClock) -> Gate:
    return Gate(clock, LIMITS)


def test_one_address_has_its_share_and_the_others_theirs(gate: Gate) -> None:
    with ExitStack() as door:
        for _ in range(3):
            door.enter_context(gate.stranger("10.0.0.1"))
        with pytest.raises(PeerFault, match=r"3 strangers of 10\.0\.0\.1"), gate.stranger("10.0.0.1"):
            pass
        door.enter_context(gate.stranger("10.0.0.2"))
        door.enter_context(gate.stranger("10.0.0.3"))
        with pytest.raises(PeerFault, match="5 strangers are at the door"), gate.stranger("10.0.0.4"):
            pass
    with gate.stranger("10.0.0.4"):
        pass


def test_who_comes_too_often_is_let_in_again_after_a_while(gate: Gate, clock: ToldClock) -> None:
    for _ in range(4):
        with gate.stranger("10.0.0.1"):
            pass
    with pytest.raises(PeerFault, match="too often"), gate.stranger("10.0.0.1"):
        pass
    with gate.stranger("10.0.0.2"):
        pass
    clock.now_ms = 499
    with pytest.raises(PeerFault, match="too often"), gate.stranger("10.0.0.1"):
        pass
    clock.now_ms = 500
    with gate.stranger("10.0.0.1"):
        pass
    clock.now_ms = 3_600_000
    for _ in range(4):
        with gate.stranger("10.0.0.1"):
            pass
    with pytest.raises(PeerFault, match="too often"), gate.stranger("10.0.0.1"):
        pass


def test_one_machine_cannot_be_many_by_its_ipv6_network(gate: Gate) -> None:
    with ExitStack() as door:
        for last in range(3):
            door.enter_context(gate.stranger(f"2001:db8:1:2::{last}"))
        with pytest.raises(PeerFault, match="3 strangers"), gate.stranger("2001:db8:1:2:aaaa::9"):
            pass
        door.enter_context(gate.stranger("2001:db8:1:3::1"))
        door.enter_context(gate.stranger("fe80::1%eth0"))


def test_a_stranger_that_fails_leaves_its_place(gate: Gate) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), gate.stranger("10.0.0.1"):
            raise ZeroDivisionError
    with gate.stranger("10.0.0.1"):
        pass


def test_however_many_addresses_come_few_are_remembered(clock: ToldClock) -> None:
    gate = Gate(clock, LIMITS)
    with gate.stranger("10.0.0.1"):
        for i in range(10_000):
            with gate.stranger(f"11.{i >> 16}.{i >> 8 & 255}.{i & 255}"):
                pass
        assert len(gate._addresses) <= 4_097
        assert gate._addresses["10.0.0.1"].waiting == 1
