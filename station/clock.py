"""The station's clocks, as values that can be handed in."""

import time
from typing import Protocol

from saloon.sync.entry import ClockReading


class Clock(Protocol):
    """What time it is, for people and for durations."""

    def monotonic_ms(self) -> int:
        """Milliseconds since some moment; never goes back."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, as far as the computer knows."""


class SystemClock:
    """The computer's clocks."""

    def monotonic_ms(self) -> int:
        """See Clock."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """See Clock."""
        return time.time_ns() // 1_000_000


def reading(clock: Clock, boot: int) -> ClockReading:
    """What the clocks say now, for an entry. boot: how often the station started on this database."""
    return ClockReading(boot, clock.monotonic_ms(), clock.wall_ms(), trusted=True)
