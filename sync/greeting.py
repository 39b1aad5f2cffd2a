"""How long a way may say nothing before another one is tried; pure."""

from collections.abc import Callable
from typing import Final

from saloon.sync.findings import Finding, NotReached
from saloon.sync.ways import Source, Way

_GREETING_MS: Final = 10_000
_HELLO_MS: Final = 3_000
"""How long a network's way may say nothing at all while there are others to try."""


class Greeting:
    """One try of a way. has_others: asks whether there are others to try. heard_ms: when it spoke last."""

    def __init__(self, way: Way, since_ms: int, *, has_others: Callable[[], bool]) -> None:
        self._by_cable = way.source is Source.CABLE
        self._since_ms = since_ms
        self._has_others = has_others
        self.heard_ms: int | None = None

    def ends_ms(self) -> int:
        """When it will have been waited for long enough."""
        return self._since_ms + (_GREETING_MS if self._may_wait() else _HELLO_MS)

    def check(self, now_ms: int, *, is_connected: bool) -> None:
        """Raises NotReached when nobody has greeted for too long."""
        if now_ms <= self.ends_ms():
            return
        waited_ms = now_ms - self._since_ms
        if self._by_cable:
            raise NotReached(Finding.CABLE_SILENT, "nobody answers at the other end of the cable")
        if not is_connected:
            raise NotReached(Finding.NO_ANSWER, f"no connection after {waited_ms / 1000:.0f} s")
        raise NotReached(Finding.SILENT, f"connected, and no greeting after {waited_ms / 1000:.0f} s")

    def _may_wait(self) -> bool:
        """A cable, the only way, or one that has begun to speak may take longer."""
        return self._by_cable or self.heard_ms is not None or not self._has_others()
