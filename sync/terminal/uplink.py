"""A terminal's connection to its station: try routes, reconnect, exchange entries and orders.

The agent's thread owns it, together with the journal. A route may be a serial cable or a TCP address; the
protocol is the same.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import assert_never

import msgspec
import structlog

from base.errors import PeerFault, SaloonError, Unavailable
from sync.enrolment.terminal_side import ByToken
from sync.ports.port import StreamPort
from sync.protocol.entry import StreamId
from sync.protocol.journal import Journal, OrdersDisagree
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    IdleChanged,
    JournalsDisagree,
    LinkChanged,
    LinkPhase,
    LinkReport,
    UpdateProgress,
)
from sync.terminal.delivery import LinkReportFilter, OrderReceipts
from sync.terminal.routes import HandshakeTimeout, StationRoute
from sync.terminal.station_search import StationSearch, TypedAndHeardRoutes
from sync.tls.trust import Connection, TlsStream, terminal_context
from sync.update.fetcher import UpdateFetcher

_log = structlog.get_logger()
_SILENT_MS = 10_000
"""After this silence (ms), a lost connection counts as timed out rather than closed."""
_FAREWELL_MS = 2_000
"""The longest time (ms) for which the connection stays open after a farewell until the station closes."""


class _Farewell(msgspec.Struct, frozen=True):
    """A farewell to the station. ``fault`` is raised when the connection ends, by ``ends_ms``."""

    fault: PeerFault
    ends_ms: int


class Credentials(msgspec.Struct, frozen=True):
    """The terminal's identity and the station that it trusts. ``token`` is empty once it is enrolled."""

    station_certificate: str
    key_file: Path
    certificate_file: Path
    token: str


class Uplink:
    """The connection to the station, by any route that works; an ``UplinkContract``. Not thread-safe.

    enrolled: called once when the station has accepted the token.
    chance: randomises reconnections.
    network: finds typed and announced addresses, or None to use only the given routes.
    """

    def __init__(
        self,
        journal: Journal,
        orders: StreamId,
        routes: tuple[StationRoute, ...],
        credentials: Credentials,
        enrolled: Callable[[], None],
        *,
        chance: random.Random | None = None,
        network: TypedAndHeardRoutes | None = None,
    ) -> None:
        self._updates: UpdateFetcher | None = None
        self._on_station_time: Callable[[int], None] = lambda _at_ms: None
        self._journal = journal
        self._orders = orders
        self._credentials = credentials
        self._enrolled = enrolled
        chance = chance or random.Random()  # noqa: S311 (no secret)
        self._search = StationSearch(journal, routes, chance=chance, network=network)
        self._link_news = LinkReportFilter(self._search.report)
        self._route: StationRoute | None = None
        self._timeout: HandshakeTimeout | None = None
        self._connected_ms: int | None = None
        self._has_grown = False
        self._delivery = OrderReceipts(journal)
        self._port: StreamPort | None = None
        self._connection: Connection | None = None
        self._session: Session | None = None
        self._farewell: _Farewell | None = None
        self._enrolment: ByToken | None = None
        self._news: list[AgentNews] = []

    def fetch_with(self, updates: UpdateFetcher) -> None:
        """Report this terminal's program from the next connection on, and fetch offered versions."""
        self._updates = updates

    def tell_time_to(self, on_time: Callable[[int], None]) -> None:
        """Call a function with the station's wall clock (ms since 1970) at each hello."""
        self._on_station_time = on_time

    def fileno(self) -> int:
        """Implement ``UplinkContract.fileno``."""
        if self._port is None:
            return -1
        try:
            return self._port.fileno()
        except Unavailable:
            return -1

    def wants_write(self) -> bool:
        return self._port is not None and self._port.wants_write()

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Implement ``UplinkContract.seconds_to_deadline``."""
        deadlines = [self._search.try_at_ms]
        if self._farewell is not None and self._port is not None:
            deadlines = [self._farewell.ends_ms, self._port.next_deadline_ms()]
        elif self._connection is not None and self._port is not None:
            deadlines = [
                self._connection.next_deadline_ms(),
                self._port.next_deadline_ms(),
                self._delivery.next_deadline_ms(),
            ]
            if self._updates is not None and self._is_quiet():
                deadlines.append(self._updates.next_deadline_ms(now_ms))
            if self._timeout is not None and not self._is_greeted():
                deadlines.append(self._timeout.ends_ms())
        known = [deadline for deadline in deadlines if deadline is not None]
        return max(0, min(known) - now_ms) / 1000 if known else 0.0

    def resume(self, orders: int) -> None:
        self._delivery.resume(orders)
        self._search.resume()

    def on_appended(self) -> None:
        self._has_grown = True

    @property
    def orders_known(self) -> int:
        return self._delivery.delivered

    @property
    def received(self) -> int:
        return self._delivery.received

    @property
    def report(self) -> LinkReport:
        return self._search.report

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Implement ``UplinkContract.handle_request``."""
        updates = self._updates
        if isinstance(request, IdleChanged):
            if updates is not None:
                updates.idle(is_idle=request.is_idle)
        elif isinstance(request, UpdateProgress):
            if updates is not None:
                updates.report_progress(request.stage, request.reason)
        elif self._search.handle_request(request, now_ms):
            self._close_wire()
            self._connected_ms = None
        return self._take_news(now_ms)

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Connect if it is time, move bytes, and act on messages.

        Raises errors to be passed to ``on_failed``, which then also returns the news so far.
        """
        self._search.listen(now_ms)
        if self._port is None:
            try_at_ms = self._search.try_at_ms
            if try_at_ms is not None and now_ms < try_at_ms:
                return self._take_news(now_ms)
            # A commit reported as failed may still be on the disk.
            self._news += self._delivery.new_orders()
            self._connect(now_ms)
        if self._farewell is None:
            self._exchange(now_ms)
        if self._farewell is not None:
            self._wait_for_close(self._farewell, now_ms)
        return self._take_news(now_ms)

    def _exchange(self, now_ms: int) -> None:
        port, connection, timeout = self._port, self._connection, self._timeout
        assert port is not None  # connected above
        assert connection is not None
        assert timeout is not None
        port.advance(now_ms)
        if self._has_grown and self._session is not None:
            self._session.on_append(now_ms)
        self._has_grown = False
        while data := port.read():
            timeout.heard_ms = now_ms
            for outcome in connection.from_wire(data, now_ms):
                self._act_on(outcome, now_ms)
                if self._farewell is not None:
                    return
            if self._enrolment is not None and self._enrolment.is_done:
                self._on_enrolled(now_ms)
                return
        if port.was_reset():
            raise Unavailable("the station restarted")
        if not self._is_greeted():
            timeout.check(now_ms, is_connected=not port.wants_write())
        elif timeout.heard_ms == now_ms:
            self._search.on_heard(now_ms, port.counters())
        self._delivery.note(now_ms)
        self._send_update_messages(now_ms)
        connection.advance(now_ms)
        self._push(now_ms)

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Close the failed route, and try the next one after a random pause."""
        route, before = self._route, self._search.report.phase
        heard_ms = None if self._timeout is None else self._timeout.heard_ms
        silent = heard_ms is None or now_ms - heard_ms >= _SILENT_MS
        lasted_ms = None if self._connected_ms is None else now_ms - self._connected_ms
        self._close_wire()
        self._connected_ms = None
        self._search.on_route_failure(route, error, now_ms, lasted_ms=lasted_ms, silent=silent)
        phase = self._search.report.phase
        if phase is not before:
            name = "no way" if route is None else route.name
            _log.info("station not reached", route=name, problem=str(error))
            self._news.append(LinkChanged(phase, f"{name}: {error}"))
        return self._take_news(now_ms)

    def close(self) -> None:
        """Implement ``UplinkContract.close``."""
        self._close_wire()
        if self._updates is not None:
            self._updates.close()

    def _close_wire(self) -> None:
        self._delivery.note_at_once()
        if self._port is not None:
            self._port.close()
        self._port = self._connection = self._session = self._enrolment = self._farewell = None

    def _connect(self, now_ms: int) -> None:
        self._route = self._timeout = None
        self._route = self._search.next(now_ms)
        port = self._route.port()
        port.open()
        # From now on ``on_failed`` closes it, even if the credentials are wrong.
        self._port = port
        who = self._credentials
        if who.token:
            context = terminal_context(who.station_certificate, None, None)
            own = who.certificate_file.read_text(encoding="ascii")
            self._enrolment = ByToken(who.token, own, now_ms)
            self._connection = Connection(TlsStream(context, is_station=False), self._enrolment)
        else:
            context = terminal_context(who.station_certificate, who.key_file, who.certificate_file)
            about = None if self._updates is None else self._updates.about
            self._session = Session(self._journal, self._orders, self._journal.orders_head(), now_ms, about)
            self._connection = Connection(TlsStream(context, is_station=False), self._session)
        self._timeout = HandshakeTimeout(self._route, now_ms, has_others=self._search.has_others)

    def _on_enrolled(self, now_ms: int) -> None:
        self._enrolled()
        self._credentials = msgspec.structs.replace(self._credentials, token="")
        self._close_wire()
        self._search.try_at_ms = now_ms
        if self._route is not None:
            self._search.again(self._route)

    def _is_greeted(self) -> bool:
        return self._session is not None and self._session.is_greeted

    def _is_quiet(self) -> bool:
        session, connection = self._session, self._connection
        if session is None or connection is None or not session.is_greeted:
            return False
        return not (session.unacknowledged or connection.has_unsent)

    def _send_update_messages(self, now_ms: int) -> None:
        if self._updates is not None and self._session is not None and self._session.is_greeted:
            for message in self._updates.say(now_ms, is_quiet=self._is_quiet()):
                self._session.say_of_update(message, now_ms)

    def _push(self, now_ms: int) -> None:
        port, connection = self._port, self._connection
        assert port is not None
        assert connection is not None
        connection.push(port.write)
        port.advance(now_ms)

    def _take_news(self, now_ms: int) -> tuple[AgentNews, ...]:
        self._news += self._link_news.of(self._search.report, now_ms)
        news = (*self._news, *(() if self._updates is None else self._updates.news()))
        self._news.clear()
        return news

    def _act_on(self, outcome: Outcome, now_ms: int) -> None:
        match outcome:
            case StoreEntries():
                self._keep(outcome, now_ms)
            case Acknowledged():
                if self._connected_ms is not None:
                    # Count only acks of entries sent on this connection, not the number in the hello.
                    self._search.on_acknowledged()
                self._news.append(self._delivery.acknowledge(outcome.seq, now_ms))
            case PeerOwes():
                self._note_connected(now_ms)
            case Forked():
                self._report_disagreement(outcome.seq, outcome.problem, now_ms)
            case OfUpdate() if self._updates is not None:
                self._updates.on_message(outcome.message, now_ms)
            case OfUpdate():
                raise PeerFault("an unexpected message about a new version")
            case _:
                assert_never(outcome)

    def _note_connected(self, now_ms: int) -> None:
        assert self._route is not None  # connected by it
        self._connected_ms = now_ms
        self._search.on_connected(self._route, now_ms)
        if self._session is not None and self._session.peer_at_ms:
            self._on_station_time(self._session.peer_at_ms)
        if self._updates is not None:
            self._updates.on_connection()
        self._news.append(LinkChanged(LinkPhase.CONNECTED, self._route.name))

    def _report_disagreement(self, seq: int, problem: str, now_ms: int) -> None:
        """Report a fork to the app and the station, and end the connection."""
        self._news.append(JournalsDisagree(problem))
        _log.error("journal and station disagree", seq=seq, problem=problem)
        fault = PeerFault(f"{problem} (entry {seq}); call the judge")
        self._farewell = _Farewell(fault, now_ms + _FAREWELL_MS)
        if self._session is not None:
            self._session.farewell(problem, now_ms, forked=True)

    def _wait_for_close(self, farewell: _Farewell, now_ms: int) -> None:
        """Send the rest of a farewell and ignore what arrives.

        Closing a connection on which unread bytes arrive could discard the farewell on its way. Raises the
        farewell's fault when the station has closed, or did not in time.
        """
        port = self._port
        assert port is not None  # the farewell was sent on it
        try:
            self._push(now_ms)
            while port.read():
                pass
            is_over = port.was_reset()
        except Unavailable:
            is_over = True
        if is_over or now_ms >= farewell.ends_ms:
            raise farewell.fault

    def _keep(self, store: StoreEntries, now_ms: int) -> None:
        assert self._session is not None
        try:
            held = self._delivery.keep(store)
        except OrdersDisagree as error:
            self._report_disagreement(error.seq, str(error), now_ms)
            return
        self._session.on_stored(held, now_ms)
        self._news += self._delivery.new_orders()
