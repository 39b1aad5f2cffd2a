"""The search for a station: choose the next route and when to try it, and report progress to the screen.

The uplink calls it on its thread. The pause between two rounds is random, up to a limit that grows from 0.5
to 15 s, and shrinks again after an acknowledgement, or a connection that lasted.
"""

import random
from collections.abc import Callable
from typing import Final, Protocol, assert_never

import msgspec

from base.errors import PeerFault, SaloonError
from sync.link.counters import Counters
from sync.ports.addresses import FoundStation, address_of, is_address, route_name
from sync.ports.findings import Finding, NotReached, finding_of
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause, TurnedAway
from sync.terminal.agent_contract import (
    ForgetAddress,
    LinkPhase,
    LinkReport,
    LinkRequest,
    SendAgain,
    TryJoinCode,
    UseAddress,
)
from sync.terminal.routes import RouteSource, RouteTable, StationRoute

_FIRST_PAUSE_MS: Final = 500
_LONGEST_PAUSE_MS: Final = 15_000
_LEAST_PAUSE_MS: Final = 50
_TYPED: Final = 3
"""The most typed addresses that are kept; the oldest one is dropped."""
_HEARD: Final = 8
"""The most announcements that are considered; a station that announces itself more often gains nothing."""
_LOOK_MS: Final = 250
"""The interval (ms) at which to check whether an unplugged cable is back."""
_OUT: Final = frozenset({Finding.NO_DEVICE, Finding.PORT_BUSY})


class StationAnnouncements(Protocol):
    """The stations that announce themselves on the network. Called on the uplink's thread; must not block."""

    def stations(self) -> tuple[FoundStation, ...]:
        """Return the stations announced now, in the order found."""

    def listen(self, *, wanted: bool) -> None:
        """Start or stop listening."""


Dial = Callable[[str, RouteSource], StationRoute]
"""A function that creates the route to a ``host:port``."""


class TypedAndHeardRoutes(msgspec.Struct, frozen=True):
    """The network of a terminal: the maker of routes to addresses, and announcements, if any."""

    dial: Dial
    hall: StationAnnouncements | None = None


class StationSearch:
    """The search for a station. If ``network`` is None, only the given routes are tried."""

    def __init__(
        self,
        journal: Journal,
        routes: tuple[StationRoute, ...],
        *,
        chance: random.Random,
        network: TypedAndHeardRoutes | None = None,
    ) -> None:
        self._journal = journal
        self._routes = RouteTable(routes)
        self._chance = chance
        self._dial = None if network is None else network.dial
        self._hall = None if network is None else network.hall
        self._hints: tuple[FoundStation, ...] = ()
        self._typed: tuple[str, ...] = ()
        self._pause_ms = _FIRST_PAUSE_MS
        self._out: StationRoute | None = None
        self._others_at_ms = 0
        self.try_at_ms: int | None = None
        self.report = LinkReport(LinkPhase.SEARCHING)

    def resume(self) -> None:
        """Read the last working route and typed addresses from the open journal. Raises Unavailable."""
        self._typed = self._journal.typed_addresses()
        last = self._journal.last_route()
        if self._dial is not None:
            for address in reversed(self._typed):
                self._routes.add_typed(self._dial(address, RouteSource.TYPED))
        known = next((route for route in self._routes.order() if route.name == last), None)
        if known is None and self._dial is not None and address_of(last):
            known = self._dial(address_of(last), RouteSource.FILE)
        self._routes = self._routes.restart_round(known)
        self._tell()

    def next(self, now_ms: int) -> StationRoute:
        """Return the route to try now. Raises NotReached if none is known."""
        self.listen(now_ms)
        if self._out is not None and now_ms < self._others_at_ms:
            return self._out
        route = self._routes.next()
        if route is None:
            raise NotReached(Finding.NO_WAY, "no route to a station is known")
        self._tell(way=route.name, tries=self.report.tries + 1)
        return route

    def again(self, route: StationRoute) -> None:
        """Try the same route again, since the terminal has just enrolled over it."""
        self._out = None
        self._routes.prefer(route.name)

    def has_others(self) -> bool:
        return not self._routes.round_is_over

    def on_connected(self, route: StationRoute, now_ms: int) -> None:
        """Record that our station answered on a route. Raises Unavailable if the journal can't store it."""
        self._out = None
        self._routes.on_connected(route)
        self._tell(
            phase=LinkPhase.CONNECTED,
            finding=None,
            fields={},
            detail="",
            connections=self.report.connections + 1,
            heard_at_ms=now_ms,
        )
        if self._journal.last_route() != route.name:
            self._journal.note_route(route.name)

    def on_acknowledged(self) -> None:
        self._pause_ms = _FIRST_PAUSE_MS

    def on_route_failure(
        self,
        route: StationRoute | None,
        error: SaloonError,
        now_ms: int,
        *,
        lasted_ms: int | None,
        silent: bool,
    ) -> None:
        """Record that a route failed. ``lasted_ms`` is how long it was connected, or None if it never was."""
        was_out = self._out
        if route is not None and route.source is RouteSource.CABLE:
            self._out = route if isinstance(error, NotReached) and error.finding in _OUT else None
        if route is not None and route is was_out is self._out and now_ms < self._others_at_ms:
            self.try_at_ms = min(self._others_at_ms, now_ms + _LOOK_MS)
            return
        if route is not None and lasted_ms is not None:
            self._routes.on_lost(route, silent=silent)
        elif route is not None:
            self._routes.on_failed(route, now_ms)
        if lasted_ms is not None and lasted_ms >= _LONGEST_PAUSE_MS:
            self._pause_ms = _FIRST_PAUSE_MS
        pause_ms = self._pause_ms
        if self._routes.round_is_over:
            self._pause_ms = min(_LONGEST_PAUSE_MS, self._pause_ms * 2)
        else:
            pause_ms = _FIRST_PAUSE_MS
        self._others_at_ms = now_ms + max(_LEAST_PAUSE_MS, int(self._chance.uniform(0, pause_ms)))
        self.try_at_ms = self._others_at_ms
        if self._out is not None:
            self.try_at_ms = min(self.try_at_ms, now_ms + _LOOK_MS)
        if route is not None and route.source is RouteSource.HALL and lasted_ms is None:
            return  # a stranger's announcement must not affect what the terminal shows about its station
        address = "" if route is None else address_of(route.name) or route.name
        finding, fields = finding_of(error, address)
        self._tell(phase=_phase_after(error), finding=finding, fields=fields, detail=str(error))

    def handle_request(self, request: LinkRequest, now_ms: int) -> bool:
        """Carry out a request, and return whether to try another route now. Raises Unavailable."""
        if isinstance(request, SendAgain):
            self._pause_ms = _FIRST_PAUSE_MS
            self.try_at_ms = self._others_at_ms = now_ms
            return True
        if self._dial is None:
            return False
        match request:
            case UseAddress():
                return self._use(request.address, now_ms)
            case ForgetAddress():
                self._typed = tuple(typed for typed in self._typed if typed != request.address)
                self._journal.note_typed(self._typed)
                if self._routes.remove_typed(route_name(request.address)):
                    self._journal.note_route("")
                self._tell()
                return False
            case TryJoinCode():
                return False  # handled by ``TerminalConnector`` before it comes here
            case _:
                assert_never(request)

    def listen(self, now_ms: int) -> None:
        """Update the routes from the stations that announce themselves on the network."""
        if self._hall is None or self._dial is None:
            return
        # Known routes are tried first: most terminals never need to listen, and listening takes memory.
        fails = self.report.finding is not None
        self._hall.listen(wanted=fails and self.report.phase is not LinkPhase.CONNECTED)
        hints = self._hall.stations()[:_HEARD]
        for gone in {hint.address for hint in self._hints} - {hint.address for hint in hints}:
            self._routes.remove_hint(route_name(gone))
        knew_none = not self._routes.order()
        taken = [self._routes.add_hint(self._dial(hint.address, RouteSource.HALL), now_ms) for hint in hints]
        if knew_none and any(taken):
            self.try_at_ms = None
        if hints != self._hints:
            self._hints = hints
            self._tell()

    def on_heard(self, now_ms: int, figures: Counters | None) -> None:
        self.report = msgspec.structs.replace(self.report, heard_at_ms=now_ms, figures=figures)

    def _use(self, address: str, now_ms: int) -> bool:
        assert self._dial is not None  # checked by ``handle_request``
        if not is_address(address):
            return False
        route = self._dial(address, RouteSource.TYPED)
        rest = tuple(typed for typed in self._typed if typed != address)
        self._typed = (address, *rest)[:_TYPED]
        self._journal.note_typed(self._typed)
        for dropped in rest[_TYPED - 1 :]:
            self._routes.remove_typed(route_name(dropped))
        self._routes.add_typed(route)
        self._pause_ms = _FIRST_PAUSE_MS
        self.try_at_ms = self._others_at_ms = now_ms
        self._tell()
        return True

    def _tell(self, **changed: object) -> None:
        routes = tuple(route.name for route in self._routes.order())
        self.report = msgspec.structs.replace(
            self.report, ways=routes, typed=self._typed, found=self._hints, **changed
        )


def _phase_after(error: SaloonError) -> LinkPhase:
    match error:
        case TurnedAway(cause=CloseCause.REVOKED):
            return LinkPhase.REVOKED
        case PeerFault():
            return LinkPhase.REFUSED
        case _:
            return LinkPhase.SEARCHING
