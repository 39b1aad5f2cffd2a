"""Decide when to give up on a silent route and try another one; pure."""

from collections.abc import Callable
from typing import Final

from saloon.sync.diagnostics.findings import Finding, NotReached
from saloon.sync.terminal.routes import RouteSource, StationRoute

_GREETING_MS: Final = 10_000
_HELLO_MS: Final = 3_000
"""The longest silence of a network's route while there are others to try."""


class HandshakeTimeout:
    """One try of a route. has_others: returns whether there are others. heard_ms: when it was last heard."""

    def __init__(self, way: StationRoute, since_ms: int, *, has_others: Callable[[], bool]) -> None:
        self._by_cable = way.source is RouteSource.CABLE
        self._since_ms = since_ms
        self._has_others = has_others
        self.heard_ms: int | None = None

    def ends_ms(self) -> int:
        """Return the time at which the try ends."""
        return self._since_ms + (_GREETING_MS if self._may_wait() else _HELLO_MS)

    def check(self, now_ms: int, *, is_connected: bool) -> None:
        """Raise NotReached when there was no greeting for too long."""
        if now_ms <= self.ends_ms():
            return
        waited_ms = now_ms - self._since_ms
        if self._by_cable:
            raise NotReached(Finding.CABLE_SILENT, "nobody answers at the other end of the cable")
        if not is_connected:
            raise NotReached(Finding.NO_ANSWER, f"no connection after {waited_ms / 1000:.0f} s")
        raise NotReached(Finding.SILENT, f"connected, and no greeting after {waited_ms / 1000:.0f} s")

    def _may_wait(self) -> bool:
        """Return whether this route may take longer: a cable, the only one, or one that has been heard."""
        return self._by_cable or self.heard_ms is not None or not self._has_others()
