import pytest

from sync.terminal.station_clock import EARLIEST_MS, LATEST_MS, NEAR_MS, StationClock, clock_correction_ms

NOON_MS = 1_795_262_400_000


class Watch:
    """A clock that doesn't run, and that can't always be set."""

    def __init__(self, ms: int, *, is_locked: bool = False) -> None:
        self.ms = ms
        self.is_locked = is_locked

    def read(self) -> int:
        return self.ms

    def set(self, ms: int) -> None:
        if self.is_locked:
            raise PermissionError(1, "Operation not permitted")
        self.ms = ms


def hear(watch: Watch, *station_ms: int) -> bool:
    clock = StationClock(watch.read, watch.set)
    for ms in station_ms:
        clock.on_station_time(ms)
    return clock.is_believed()


@pytest.mark.parametrize("own_ms", [0, NOON_MS - NEAR_MS - 1, NOON_MS + NEAR_MS + 1, LATEST_MS * 2])
def test_a_clock_that_is_far_off_shows_the_stations_time(own_ms: int) -> None:
    watch = Watch(own_ms)
    assert hear(watch, NOON_MS)
    assert watch.ms == NOON_MS


@pytest.mark.parametrize("apart_ms", [0, -NEAR_MS, NEAR_MS])
def test_a_clock_that_is_near_stays_and_is_believed(apart_ms: int) -> None:
    watch = Watch(NOON_MS + apart_ms)
    assert hear(watch, NOON_MS)
    assert watch.ms == NOON_MS + apart_ms


@pytest.mark.parametrize("station_ms", [0, -5, EARLIEST_MS - 1, LATEST_MS, 2**63])
def test_a_station_without_a_clock_changes_nothing(station_ms: int) -> None:
    for own_ms in (0, NOON_MS, station_ms):
        watch = Watch(own_ms)
        assert not hear(watch, station_ms)
        assert watch.ms == own_ms
        assert clock_correction_ms(own_ms, station_ms) is None


def test_who_may_not_set_the_clock_goes_on_and_does_not_believe_it() -> None:
    watch = Watch(0, is_locked=True)
    assert not hear(watch, NOON_MS)
    assert watch.ms == 0


def test_once_believed_it_stays_so_and_is_set_again_when_it_drifts() -> None:
    watch = Watch(0)
    assert hear(watch, NOON_MS, 0, NOON_MS + 3_600_000)
    assert watch.ms == NOON_MS + 3_600_000
