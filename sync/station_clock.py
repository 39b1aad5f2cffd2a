"""The wall clock of a board without a battery, set by what the station says when it greets.

For people who read logs and stories; never for the order of anything, nor for how long something takes.
"""

import time
from collections.abc import Callable
from typing import Final

import structlog

_log = structlog.get_logger()
NEAR_MS: Final = 5_000
"""So far apart two clocks may be: a greeting takes its time on a slow line."""
EARLIEST_MS: Final = 1_704_067_200_000
"""2024: a station that says less has no clock either."""
LATEST_MS: Final = 4_102_444_800_000
"""2100."""
_MS_IN_S: Final = 1_000


def wrong_by_ms(own_ms: int, station_ms: int) -> int | None:
    """How far the own clock must be moved; None where it is near, or the station's says nothing of worth."""
    if not EARLIEST_MS <= station_ms < LATEST_MS:
        return None
    apart_ms = station_ms - own_ms
    return apart_ms if abs(apart_ms) > NEAR_MS else None


def system_ms() -> int:
    """The wall clock of this machine, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def set_system_ms(ms: int) -> None:
    """Set it. Raises OSError where we may not."""
    time.clock_settime(time.CLOCK_REALTIME, ms / _MS_IN_S)


class StationClock:
    """Keeps a clock near the station's. read_ms, set_ms: of the clock; ``set_ms`` may raise OSError."""

    def __init__(
        self, read_ms: Callable[[], int] = system_ms, set_ms: Callable[[int], None] = set_system_ms
    ) -> None:
        self._read_ms = read_ms
        self._set_ms = set_ms
        self._is_believed = False

    def is_believed(self) -> bool:
        """Whether a station has set the clock since the start, or agreed with it."""
        return self._is_believed

    def heard(self, station_ms: int) -> None:
        """The station's clock shows this now."""
        wrong_ms = wrong_by_ms(self._read_ms(), station_ms)
        if wrong_ms is None:
            self._is_believed = self._is_believed or EARLIEST_MS <= station_ms < LATEST_MS
            return
        try:
            self._set_ms(station_ms)
        except OSError as error:
            _log.warning("the clock could not be set", problem=str(error))
            return
        self._is_believed = True
        _log.info("the clock was set by the station", moved_s=wrong_ms // _MS_IN_S)
