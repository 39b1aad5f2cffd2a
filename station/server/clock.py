"""The station's clocks, as objects that can be passed in."""

import time
from typing import Protocol

from saloon.sync.protocol.entry import ClockReading


class Clock(Protocol):
    """A wall clock for people and a monotonic clock for durations."""

    def monotonic_ms(self) -> int:
        """Return milliseconds since an arbitrary moment; never goes back."""

    def wall_ms(self) -> int:
        """Return milliseconds since 1970 by the computer's clock."""


class SystemClock:
    """The computer's clocks."""

    def monotonic_ms(self) -> int:
        """See Clock."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """See Clock."""
        return time.time_ns() // 1_000_000


def reading(clock: Clock, boot: int) -> ClockReading:
    """Read both clocks for an entry. boot: the number of times the station has started on this database."""
    return ClockReading(boot, clock.monotonic_ms(), clock.wall_ms(), trusted=True)
