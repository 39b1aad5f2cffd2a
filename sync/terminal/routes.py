"""The table of routes to a station, and the order of trying them; no I/O.

A round tries every route once: the cables, the address that worked last, those of the provisioning file,
typed ones, and finally those announced on the network. Strangers' announcements never come before a known
address, and can't prolong the current round.
"""

import enum
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from sync.ports.findings import Finding, NotReached
from sync.ports.port import StreamPort

HINTS: Final = 4
"""The most announced addresses that are kept."""
_DEAF_MS: Final = 30_000
"""The time (ms) for which an announced address is ignored after it failed."""
_FAILED_KEPT: Final = 64


class RouteSource(enum.Enum):
    """The source of a route; members are in the order of trying."""

    CABLE = "cable"
    FILE = "file"
    TYPED = "typed"
    HALL = "hall"
    """Announced by multicast DNS, so untrusted."""


_ORDER: Final = tuple(RouteSource)


class StationRoute(msgspec.Struct, frozen=True):
    """A route to the station. ``port`` creates the stream, not yet open."""

    name: str
    port: Callable[[], StreamPort]
    source: RouteSource = RouteSource.FILE


class RouteTable:
    """The known routes, by name. The same address from two sources is one route."""

    def __init__(self, routes: Sequence[StationRoute]) -> None:
        self._routes: dict[str, StationRoute] = {}
        for route in routes:
            self._routes.setdefault(route.name, route)
        self._last: StationRoute | None = None
        self._left: list[str] = []
        self._silent = ""
        self._failed: dict[str, int] = {}

    @property
    def round_is_over(self) -> bool:
        return not any(self._find(name) for name in self._left)

    def order(self) -> tuple[StationRoute, ...]:
        """Return all routes in the order of a new round."""
        routes = sorted(self._routes.values(), key=lambda route: _ORDER.index(route.source))
        cables = [route for route in routes if route.source is RouteSource.CABLE]
        last = [] if self._last is None or self._last.source is RouteSource.CABLE else [self._last]
        others = [
            route for route in routes if route not in cables and route.name not in {one.name for one in last}
        ]
        ordered = [*cables, *last, *others]
        # It timed out a moment ago, so any other route is more promising.
        ordered.sort(key=lambda route: route.name == self._silent and route.source is not RouteSource.CABLE)
        return tuple(ordered)

    def next(self) -> StationRoute | None:
        """Return the route to try next, starting another round after the last one, or None if empty."""
        if self.round_is_over:
            self._left = [route.name for route in self.order()]
            self._silent = ""
        while self._left:
            route = self._find(self._left.pop(0))
            if route is not None:
                return route
        return None

    def routes_from(self, source: RouteSource) -> tuple[StationRoute, ...]:
        return tuple(route for route in self._routes.values() if route.source is source)

    def restart_round(self, last: StationRoute | None) -> "RouteTable":
        """Return a table of the same routes at the beginning of a round.

        ``last`` is the one that worked before a restart.
        """
        book = RouteTable(tuple(self._routes.values()))
        book._last = last
        return book

    def add_typed(self, route: StationRoute) -> None:
        """Add a typed route and try it next. A route known from another source keeps that source."""
        known = self._routes.get(route.name)
        if known is None or known.source is RouteSource.HALL:
            self._routes[route.name] = route
        self.prefer(route.name)

    def prefer(self, name: str) -> None:
        """Try this route next."""
        rest = [left for left in self._left if left != name]
        self._left = [name, *(rest or (route.name for route in self.order() if route.name != name))]

    def remove_typed(self, name: str) -> bool:
        """Remove a typed route, and return whether it was also the one that worked last."""
        route = self._routes.get(name)
        if route is None or route.source is not RouteSource.TYPED:
            return False
        del self._routes[name]
        was_last = self._last is not None and self._last.name == name
        if was_last:
            self._last = None
        return was_last

    def add_hint(self, route: StationRoute, now_ms: int) -> bool:
        """Add an announced route for the next round, or return False if it is known or has just failed."""
        if route.name in self._routes or len(self.routes_from(RouteSource.HALL)) >= HINTS:
            return False
        if now_ms < self._failed.get(route.name, now_ms):
            return False
        self._routes[route.name] = route
        return True

    def remove_hint(self, name: str) -> None:
        """Remove a route that is no longer announced, unless it is known from another source."""
        route = self._routes.get(name)
        if route is not None and route.source is RouteSource.HALL:
            del self._routes[name]

    def on_connected(self, route: StationRoute) -> None:
        """Record that our station answered on a route."""
        self._last = route
        self._left = []

    def on_failed(self, route: StationRoute, now_ms: int) -> None:
        """Record that our station did not answer on a route, and ignore an announced one for a while."""
        if route.source is not RouteSource.HALL or route == self._last:
            return
        self._routes.pop(route.name, None)
        self._failed[route.name] = now_ms + _DEAF_MS
        while len(self._failed) > _FAILED_KEPT:
            del self._failed[next(iter(self._failed))]

    def on_lost(self, route: StationRoute, *, silent: bool) -> None:
        """Start another round, as the route in use is lost. If it was ``silent``, it is tried last."""
        self._left = []
        self._silent = route.name if silent else ""

    def _find(self, name: str) -> StationRoute | None:
        if self._last is not None and self._last.name == name:
            return self._last
        return self._routes.get(name)


_GREETING_MS: Final = 10_000
_HELLO_MS: Final = 3_000
"""The handshake timeout on a network route while there are others to try."""


class HandshakeTimeout:
    """The timeout of one try of a route. ``has_others`` returns whether there are others to try.

    ``heard_ms`` is when bytes were last received.
    """

    def __init__(self, route: StationRoute, since_ms: int, *, has_others: Callable[[], bool]) -> None:
        self._by_cable = route.source is RouteSource.CABLE
        self._since_ms = since_ms
        self._has_others = has_others
        self.heard_ms: int | None = None

    def ends_ms(self) -> int:
        """Return when the try ends: later for a cable, the only route, or one that has received bytes."""
        may_wait = self._by_cable or self.heard_ms is not None or not self._has_others()
        return self._since_ms + (_GREETING_MS if may_wait else _HELLO_MS)

    def check(self, now_ms: int, *, is_connected: bool) -> None:
        """Raise NotReached if the try has timed out."""
        if now_ms <= self.ends_ms():
            return
        waited_ms = now_ms - self._since_ms
        if self._by_cable:
            raise NotReached(Finding.CABLE_SILENT, "nobody answers at the other end of the cable")
        if not is_connected:
            raise NotReached(Finding.NO_ANSWER, f"no connection after {waited_ms / 1000:.0f} s")
        raise NotReached(Finding.SILENT, f"connected, but no answer after {waited_ms / 1000:.0f} s")
