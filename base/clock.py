"""The clocks of a machine, passed as arguments so that tests can control the time."""

import time
from typing import Protocol


class Clock(Protocol):
    """A clock.

    Use ``monotonic_ms`` for timeouts and ``wall_ms`` for display; order comes from sequence numbers.
    """

    def monotonic_ms(self) -> int:
        """Return milliseconds since an unspecified moment, unaffected by changes to the wall clock."""

    def wall_ms(self) -> int:
        """Return milliseconds since 1970."""


class SystemClock:
    """The clocks of this machine."""

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000
