"""Limits on connections, and on the entries of one terminal within an hour, with a simulated clock."""

import asyncio
import time
from pathlib import Path

import pytest

from base.errors import PeerFault
from sync.protocol.entry import TerminalId
from sync.station.handshake import FairYield
from sync.station.hub import HubLimits
from sync.station.limits import (
    TOO_MUCH,
    ConnectionLimits,
    ConnectionStage,
    EntryQuota,
    LimitSettings,
    QuotaSettings,
    Visit,
)
from tests.rigs.ends import Running, Start, Station, Terminal
from tests.rigs.told_clock import ToldClock

SETTINGS = LimitSettings(at_once=5, from_one=3, burst=100, each_s=2, reserved=2, from_known=4, pause_ms=1_000)


class Hall:
    """The connections by name, and those that were closed for newcomers."""

    def __init__(self, settings: LimitSettings = SETTINGS, exempt: frozenset[str] = frozenset()) -> None:
        self.clock = ToldClock()
        self.limits = ConnectionLimits(self.clock, settings, exempt)
        self.away: list[str] = []

    def comes(self, name: str, address: str, stage: ConnectionStage = ConnectionStage.IDLE) -> Visit:
        self.clock.now_ms += 1
        visit = self.limits.admit(address, lambda: self.away.append(name))
        visit.enter(stage)
        return visit


IDLE, SPEAKING = ConnectionStage.IDLE, ConnectionStage.SPEAKING
KNOWN, SHARED = "10.0.0.7", "10.0.0.2"


@pytest.mark.parametrize(
    ("visits", "away"),
    [
        pytest.param(
            [(name, "10.0.0.1", IDLE) for name in "abcde"],
            ["a", "b"],
            id="the longest silent of an address for its next",
        ),
        pytest.param(
            [(str(number), f"10.0.0.{number}", IDLE) for number in range(10, 18)],
            ["10", "11", "12"],
            id="where all places are taken the longest silent of all",
        ),
        pytest.param(
            [
                ("speaks", "10.0.0.1", SPEAKING),
                ("silent", "10.0.0.1", IDLE),
                ("other", "10.0.0.1", SPEAKING),
                ("next", "10.0.0.1", SPEAKING),
            ],
            ["silent"],
            id="who has said nothing before who is speaking",
        ),
        pytest.param(
            [(name, KNOWN, IDLE) for name in "abcd"], [], id="nobody of a known address with its larger share"
        ),
        pytest.param([(name, KNOWN, IDLE) for name in "abcde"], ["a"], id="one of a known address with more"),
        pytest.param(
            [(name, SHARED, IDLE) for name in "abcde"], [], id="nobody of an address that many share"
        ),
        pytest.param(
            [(name, SHARED, IDLE) for name in "abcdef"], ["a"], id="one of an address that many share, of all"
        ),
        pytest.param(
            [
                *((str(last), f"2001:db8:1:2::{last}", IDLE) for last in range(4)),
                ("other", "2001:db8:1:3::1", IDLE),
                ("by its interface", "fe80::1%eth0", IDLE),
            ],
            ["0"],
            id="of a machine that is many by its IPv6 network",
        ),
    ],
)
def test_who_makes_way(visits: list[tuple[str, str, ConnectionStage]], away: list[str]) -> None:
    hall = Hall(exempt=frozenset({SHARED}))
    hall.limits.remember(KNOWN)
    for visit in visits:
        hall.comes(*visit)
    assert hall.away == away


def test_who_is_speaking_makes_way_only_after_a_pause() -> None:
    hall = Hall()
    first = hall.comes("first", "10.0.0.1", ConnectionStage.SPEAKING)
    for name in ("second", "third"):
        hall.comes(name, "10.0.0.1", ConnectionStage.SPEAKING)
    with pytest.raises(PeerFault, match=r"3 of 10\.0\.0\.1"):
        hall.comes("fourth", "10.0.0.1")
    hall.clock.now_ms += SETTINGS.pause_ms
    first.enter(ConnectionStage.SPEAKING)
    hall.comes("fourth", "10.0.0.1")
    assert hall.away == ["second"]


def test_who_is_served_keeps_the_place() -> None:
    hall = Hall()
    for number in range(5):
        hall.comes(str(number), f"10.0.0.{number}", ConnectionStage.SERVED)
    hall.clock.now_ms += 60_000
    with pytest.raises(PeerFault, match="5 others"):
        hall.comes("next", "10.0.0.9")
    assert hall.away == []


def test_for_known_addresses_there_is_room_of_their_own() -> None:
    hall = Hall()
    hall.limits.remember("10.0.0.7")
    for number in range(5):
        hall.comes(str(number), f"10.0.1.{number}", ConnectionStage.SERVED)
    for name in ("one", "two"):
        hall.comes(name, "10.0.0.7")
    with pytest.raises(PeerFault):
        hall.comes("three", "10.0.0.7")
    assert hall.away == []


def test_strangers_do_not_send_a_known_one_away() -> None:
    hall = Hall()
    hall.limits.remember("10.0.0.7")
    hall.comes("known", "10.0.0.7")
    for number in range(50):
        hall.comes(str(number), f"10.0.1.{number}")
    assert "known" not in hall.away


def test_who_comes_too_often_is_let_in_again_after_a_while() -> None:
    hall = Hall(LimitSettings(at_once=5, from_one=3, burst=4, each_s=2))
    for name in "abcd":
        hall.comes(name, "10.0.0.1").leave()
    with pytest.raises(PeerFault, match="too often"):
        hall.comes("e", "10.0.0.1")
    hall.comes("f", "10.0.0.2").leave()
    hall.clock.now_ms += 490
    with pytest.raises(PeerFault, match="too often"):
        hall.comes("g", "10.0.0.1")
    hall.clock.now_ms += 20
    hall.comes("h", "10.0.0.1").leave()
    hall.clock.now_ms += 3_600_000
    for name in "ijkl":
        hall.comes(name, "10.0.0.1").leave()
    with pytest.raises(PeerFault, match="too often"):
        hall.comes("m", "10.0.0.1")


def test_who_has_left_counts_no_more_and_leaves_once() -> None:
    hall = Hall()
    visits = [hall.comes(str(number), f"10.0.0.{number}", ConnectionStage.SERVED) for number in range(5)]
    for _ in range(3):
        visits[0].leave()
    visits[0].enter(ConnectionStage.SPEAKING)
    hall.comes("next", "10.0.0.9", ConnectionStage.SERVED)
    with pytest.raises(PeerFault):
        hall.comes("after it", "10.0.0.9")


def test_addresses_without_end_are_forgotten_but_not_those_that_wait() -> None:
    hall = Hall(LimitSettings(at_once=5, from_one=3, burst=4, each_s=2))
    hall.comes("waits", "10.0.0.1", ConnectionStage.SERVED)
    for number in range(6_000):
        hall.comes("x", f"11.{number >> 16}.{number >> 8 & 255}.{number & 255}").leave()
        hall.limits.remember(f"12.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(hall.limits._owners) <= 4_097
    assert len(hall.limits._known) <= 1_024
    assert len(hall.limits._owners["10.0.0.1"].visits) == 1


ONE, TWO = TerminalId("1"), TerminalId("2")
HOUR_MS = 3_600_000
MEGABYTE = 1024 * 1024


def test_what_a_real_table_brings_is_never_too_much() -> None:
    clock = ToldClock()
    quota = EntryQuota(clock, QuotaSettings())
    assert all(quota.take(ONE, 64, 64 * 1_000) for _ in range(10_000 // 64))
    for _ in range(24):
        clock.now_ms += HOUR_MS
        assert all(quota.take(ONE, 10, 10_000) for _ in range(300))


def test_a_terminal_that_brings_large_entries_without_end_is_slowed_down_and_no_other() -> None:
    clock = ToldClock()
    quota = EntryQuota(clock, QuotaSettings())
    taken = sum(quota.take(ONE, 1, 240_000) for _ in range(2_000))
    assert 16 * MEGABYTE <= taken * 240_000 <= 17 * MEGABYTE
    assert quota.take(TWO, 1, 240_000)
    for _ in range(60):
        clock.now_ms += 60_000
        taken += quota.take(ONE, 1, 240_000)
    assert taken * 240_000 <= 34 * MEGABYTE


def test_many_small_entries_are_too_much_as_well() -> None:
    quota = EntryQuota(ToldClock(), QuotaSettings())
    taken = sum(quota.take(ONE, 64, 64) for _ in range(10_000))
    assert 60_000 <= taken * 64 <= 61_000


def test_the_alarm_rings_once_an_hour() -> None:
    clock = ToldClock()
    quota = EntryQuota(clock, QuotaSettings())
    assert [quota.is_alarm_due(ONE) for _ in range(3)] == [True, False, False]
    assert quota.is_alarm_due(TWO)
    clock.now_ms += HOUR_MS
    assert quota.is_alarm_due(ONE)


def test_at_the_station_the_rest_waits_at_the_terminal_and_the_judge_is_told(
    tmp_path: Path, running: Running, started: Start
) -> None:
    station = running(Station(tmp_path, limits=HubLimits(quota=QuotaSettings(entries=100, size=MEGABYTE))))
    terminal = started(Terminal(tmp_path / "terminal", station))
    for number in range(101):
        terminal.agent.append(bytes([number]))
    station.wait_for(lambda: len(station.store.rows) >= 101)
    for number in range(100):
        terminal.agent.append(bytes([number]))
    station.wait_for(lambda: bool(station.alarms))
    assert len(station.raws(terminal.id)) < 201
    assert [problem.startswith(TOO_MUCH) for _, problem in station.alarms] == [True]


def test_ten_thousand_entries_that_come_back_are_all_stored(station: Station, terminal: Terminal) -> None:
    for number in range(10_000):
        terminal.agent.append(number.to_bytes(4, "big") * 50)
    station.wait_for(lambda: len(station.store.rows) == 10_000)
    assert station.alarms == []


STEP_S = 0.002


@pytest.mark.slow
def test_other_work_is_done_between_the_steps_of_a_crowd() -> None:
    done, worst = 0, 0

    async def _stranger(turns: FairYield) -> None:
        nonlocal done
        await turns.wait()
        end = time.perf_counter() + STEP_S
        while time.perf_counter() < end:
            pass
        done += 1

    async def _run() -> None:
        nonlocal worst
        turns = FairYield()
        crowd = [asyncio.create_task(_stranger(turns)) for _ in range(100)]
        while not all(one.done() for one in crowd):
            before = done
            await asyncio.sleep(0)
            worst = max(worst, done - before)

    asyncio.run(_run())
    assert done == 100
    assert 1 <= worst <= 6


def test_who_comes_alone_does_not_wait() -> None:
    async def _run() -> None:
        turns = FairYield()
        for _ in range(100):
            async with asyncio.timeout(1.0):
                await turns.wait()
            await asyncio.sleep(0)

    asyncio.run(_run())
