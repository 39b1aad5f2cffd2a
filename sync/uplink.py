"""A terminal's ways to its station: which to try, when to try again, what comes and goes on it.

Owned by the agent's thread, together with the journal. The way is a serial cable or a TCP
address; what runs on it is the same.
"""

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import assert_never

import msgspec
import structlog

from saloon.core.errors import PeerFault, SaloonError, Unavailable
from saloon.sync.agent_contract import AgentNews, LinkChanged, LinkPhase, OrderArrived, Received
from saloon.sync.connection import Connection, Enrolment
from saloon.sync.entry import StreamId, content_of
from saloon.sync.journal import Journal
from saloon.sync.ports.stream_port import StreamPort
from saloon.sync.session import Acknowledged, Forked, Outcome, PeerOwes, Session, Store
from saloon.sync.trust import TlsStream, terminal_context

_log = structlog.get_logger()
_FIRST_PAUSE_MS = 500
_LONGEST_PAUSE_MS = 15_000
_GREETING_MS = 10_000
_NOTE_EVERY = 64
_LEAST_PAUSE_MS = 50


class Way(msgspec.Struct, frozen=True):
    """A way to the station. name: for people. port: makes the stream, not yet open."""

    name: str
    port: Callable[[], StreamPort]


class Credentials(msgspec.Struct, frozen=True):
    """Who this terminal is and whom it believes. token: empty once it is enrolled."""

    station_certificate: str
    key_file: Path
    certificate_file: Path
    token: str


class Uplink:
    """Keeps one connection to the station, whichever way works. Not thread-safe.

    enrolled: called once when the station has taken the token.
    """

    def __init__(
        self,
        journal: Journal,
        orders: StreamId,
        ways: tuple[Way, ...],
        credentials: Credentials,
        enrolled: Callable[[], None],
    ) -> None:
        self._journal = journal
        self._orders = orders
        self._ways = ways
        self._credentials = credentials
        self._enrolled = enrolled
        self._chance = random.Random()  # noqa: S311 (spreads reconnections, no secret)
        self._way = 0
        self._pause_ms = _FIRST_PAUSE_MS
        self._try_at_ms: int | None = None
        self._since_ms = 0
        self._port: StreamPort | None = None
        self._connection: Connection | None = None
        self._session: Session | None = None
        self._enrolment: Enrolment | None = None
        self._out = bytearray()
        self._phase = LinkPhase.SEARCHING
        self._noted = 0
        self._received = 0

    def fileno(self) -> int:
        """What to wait on; -1 while there is no connection."""
        if self._port is None:
            return -1
        try:
            return self._port.fileno()
        except Unavailable:
            return -1

    def wants_write(self) -> bool:
        """Whether to wait for writability as well."""
        return self._port is not None and (bool(self._out) or self._port.wants_write())

    def seconds_to_deadline(self, now_ms: int) -> float:
        """How long the owner may sleep."""
        deadlines = [self._try_at_ms if self._port is None else self._since_ms + _GREETING_MS]
        if self._connection is not None and self._port is not None:
            deadlines = [self._connection.next_deadline_ms(), self._port.next_deadline_ms()]
            if not self._is_greeted():
                deadlines.append(self._since_ms + _GREETING_MS)
        known = [deadline for deadline in deadlines if deadline is not None]
        return max(0, min(known) - now_ms) / 1000 if known else 0.0

    def appended(self, now_ms: int) -> None:
        """The journal has grown durably."""
        if self._session is not None:
            self._session.appended(now_ms)

    def turn(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Connect if it is time, move bytes, act on what came. Raises what ``failed`` must be told."""
        if self._port is None:
            if self._try_at_ms is not None and now_ms < self._try_at_ms:
                return ()
            self._connect(now_ms)
        port, connection = self._port, self._connection
        assert port is not None  # connected above
        assert connection is not None
        port.advance(now_ms)
        news: list[AgentNews] = []
        while data := port.read():
            for outcome in connection.from_wire(data, now_ms):
                news.extend(self._acted_on(outcome, now_ms))
            if self._enrolment is not None and self._enrolment.is_done:
                self._known_now(now_ms)
                return tuple(news)
        if port.was_reset():
            raise Unavailable("the station started anew")
        if not self._is_greeted() and now_ms - self._since_ms > _GREETING_MS:
            raise Unavailable("the station did not answer")
        connection.advance(now_ms)
        self._push(now_ms)
        return tuple(news)

    def failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """The way does not work now: close it, try the next one after a pause with full jitter."""
        refused = isinstance(error, PeerFault)
        way = self._ways[self._way].name if self._ways else "no way"
        self._close_wire()
        self._way = (self._way + 1) % max(1, len(self._ways))
        self._try_at_ms = now_ms + max(_LEAST_PAUSE_MS, int(self._chance.uniform(0, self._pause_ms)))
        self._pause_ms = min(_LONGEST_PAUSE_MS, self._pause_ms * 2)
        phase = LinkPhase.REFUSED if refused else LinkPhase.SEARCHING
        changed = phase is not self._phase
        self._phase = phase
        if changed:
            _log.info("station not reached", way=way, problem=str(error))
        return (LinkChanged(phase, f"{way}: {error}"),) if changed else ()

    def close(self) -> None:
        """Let go of the wire."""
        if self._received > self._noted:
            with contextlib.suppress(SaloonError):
                self._journal.note_received(self._received)
        self._close_wire()

    def _close_wire(self) -> None:
        if self._port is not None:
            self._port.close()
        self._port = self._connection = self._session = self._enrolment = None
        self._out.clear()

    def _connect(self, now_ms: int) -> None:
        if not self._ways:
            self._try_at_ms = now_ms + _LONGEST_PAUSE_MS
            raise Unavailable("no way to a station is known; the terminal needs a provisioning file")
        port = self._ways[self._way].port()
        port.open()
        # From now on ``failed`` closes it, whatever is wrong with the credentials.
        self._port = port
        who = self._credentials
        if who.token:
            context = terminal_context(who.station_certificate, None, None)
            self._enrolment = Enrolment(who.token, who.certificate_file.read_text(encoding="ascii"))
            self._connection = Connection(TlsStream(context, is_station=False), self._enrolment)
        else:
            context = terminal_context(who.station_certificate, who.key_file, who.certificate_file)
            self._session = Session(self._journal, self._orders, self._journal.orders_head(), now_ms)
            self._connection = Connection(TlsStream(context, is_station=False), self._session)
        self._since_ms = now_ms

    def _known_now(self, now_ms: int) -> None:
        self._enrolled()
        self._credentials = msgspec.structs.replace(self._credentials, token="")
        self._close_wire()
        self._try_at_ms = now_ms

    def _is_greeted(self) -> bool:
        return self._session is not None and self._session.is_greeted

    def _push(self, now_ms: int) -> None:
        port, connection = self._port, self._connection
        assert port is not None
        assert connection is not None
        self._out += connection.to_wire()
        while self._out:
            taken = port.write(bytes(self._out))
            if not taken:
                break
            del self._out[:taken]
        port.advance(now_ms)

    def _acted_on(self, outcome: Outcome, now_ms: int) -> tuple[AgentNews, ...]:
        match outcome:
            case Store():
                return self._keep(outcome, now_ms)
            case Acknowledged():
                return self._received_up_to(outcome.seq)
            case PeerOwes():
                self._phase = LinkPhase.CONNECTED
                return (LinkChanged(LinkPhase.CONNECTED, self._ways[self._way].name),)
            case Forked():
                _log.error("journal and station disagree", seq=outcome.seq, problem=outcome.problem)
                if self._session is not None:
                    self._session.farewell(outcome.problem, now_ms, forked=True)
                    self._push(now_ms)
                raise PeerFault(f"{outcome.problem} (entry {outcome.seq}); call the judge")
            case _:
                assert_never(outcome)

    def _keep(self, store: Store, now_ms: int) -> tuple[AgentNews, ...]:
        assert self._session is not None
        try:
            bodies = [bytes(content_of(raw).body) for raw in store.raws]
        except msgspec.DecodeError as error:
            raise PeerFault(f"an order of {store.first} or behind is no entry: {error}") from error
        known = self._journal.orders_known()
        held = self._journal.keep_orders(store.epoch, store.first, store.raws, store.hashes)
        self._session.stored(held, now_ms)
        return tuple(OrderArrived(known + i, body) for i, body in enumerate(bodies, 1))

    def _received_up_to(self, seq: int) -> tuple[AgentNews, ...]:
        self._pause_ms = _FIRST_PAUSE_MS
        self._received = seq
        if seq - self._noted >= _NOTE_EVERY:
            self._journal.note_received(seq)
            self._noted = seq
        return (Received(seq),)
