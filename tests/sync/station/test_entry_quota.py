"""The entries that one terminal may have stored within an hour."""

from pathlib import Path

from sync.protocol.entry import TerminalId
from sync.station.hub import HubLimits
from sync.station.limits import TOO_MUCH, EntryQuota, QuotaSettings
from tests.rigs.ends import Station, Terminal
from tests.sync.station.test_connection_limits import ToldClock

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


def test_at_the_station_the_rest_waits_at_the_terminal_and_the_judge_is_told(tmp_path: Path) -> None:
    station = Station(tmp_path, limits=HubLimits(quota=QuotaSettings(entries=100, size=MEGABYTE)))
    station.start()
    terminal = Terminal(tmp_path / "terminal", station)
    terminal.agent.start()
    try:
        for number in range(101):
            terminal.agent.append(bytes([number]))
        station.wait_for(lambda: len(station.store.rows) >= 101)
        for number in range(100):
            terminal.agent.append(bytes([number]))
        station.wait_for(lambda: bool(station.alarms))
        assert len(station.raws(terminal.id)) < 201
        assert [problem.startswith(TOO_MUCH) for _, problem in station.alarms] == [True]
    finally:
        terminal.agent.stop()
        station.stop()


def test_ten_thousand_entries_that_come_back_are_all_stored(tmp_path: Path) -> None:
    station = Station(tmp_path)
    station.start()
    terminal = Terminal(tmp_path / "terminal", station)
    terminal.agent.start()
    try:
        for number in range(10_000):
            terminal.agent.append(number.to_bytes(4, "big") * 50)
        station.wait_for(lambda: len(station.store.rows) == 10_000)
        assert station.alarms == []
    finally:
        terminal.agent.stop()
        station.stop()
