"""The wall clock of a board that has no battery, set from the station's when they connect.

It is for people who read logs, never for ordering or measuring time.
"""

import time
from collections.abc import Callable
from typing import Final

import structlog

from base.system import set_clock

_log = structlog.get_logger()
NEAR_MS: Final = 5_000
"""The tolerated difference of two clocks, as a hello takes a while on a slow line."""
EARLIEST_MS: Final = 1_704_067_200_000
"""The start of 2024; a station with an earlier time has no working clock either."""
LATEST_MS: Final = 4_102_444_800_000
"""The start of 2100."""
_MS_IN_S: Final = 1_000


def clock_correction_ms(own_ms: int, station_ms: int) -> int | None:
    """Return how far to adjust our clock, or None if it is right or the station's is implausible."""
    if not EARLIEST_MS <= station_ms < LATEST_MS:
        return None
    apart_ms = station_ms - own_ms
    return apart_ms if abs(apart_ms) > NEAR_MS else None


class StationClock:
    """The terminal's clock, set from the station's. ``set_ms`` may raise OSError."""

    def __init__(
        self,
        read_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        set_ms: Callable[[int], None] = lambda ms: set_clock(ms / _MS_IN_S),
    ) -> None:
        self._read_ms = read_ms
        self._set_ms = set_ms
        self._is_believed = False

    def is_believed(self) -> bool:
        """Return whether a station has set or confirmed the clock since the start."""
        return self._is_believed

    def on_station_time(self, station_ms: int) -> None:
        """Set the clock if it differs much from the station's current time."""
        wrong_ms = clock_correction_ms(self._read_ms(), station_ms)
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
