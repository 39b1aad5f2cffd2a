"""The clocks of a machine, handed to whoever needs them so that tests can tell the time."""

import time
from typing import Protocol


class Clock(Protocol):
    """Order comes from sequence numbers and patience from ``monotonic_ms``; ``wall_ms`` is for people."""

    def monotonic_ms(self) -> int:
        """Milliseconds that never go back."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, as far as this machine knows."""


class SystemClock:
    """The clocks of this machine."""

    def monotonic_ms(self) -> int:
        """Milliseconds since an unknown moment."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
