"""HTTP connections with deadlines, so that no client can keep an idle one open."""

import asyncio
import enum
import socket
from collections.abc import Callable
from typing import Any, assert_never

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from sync.station.limits import ConnectionStage, Visit


class PageTimes(msgspec.Struct, frozen=True):
    """Time limits for a browser's connection.

    head_s: from connecting, or from the last response, to a complete header, TLS included.
    silent_s: longest pause within a body.
    handshake_s: time that a TLS handshake has before it may be dropped in favour of another one.
    slowest_body: minimum average rate of a body after silent_s, in bytes per second.
    unread_s: time for the client to resume reading a response.
    linger_s: time for reading a response that was sent before the request was complete.
    """

    head_s: float = 10.0
    silent_s: float = 10.0
    handshake_s: float = 0.5
    slowest_body: int = 1_000
    unread_s: float = 20.0
    linger_s: float = 2.0


class BrowserConnection:
    """A browser's connection, from accept to close. Only one deadline applies at a time.

    established: called when HTTP begins, after TLS.
    gone: called when the connection is closed.
    """

    def __init__(
        self,
        accepted: socket.socket,
        times: PageTimes,
        established: "Callable[[BrowserConnection], None]",
        gone: "Callable[[BrowserConnection], None]",
    ) -> None:
        self.times = times
        self._established = established
        self.visit: Visit | None = None
        self.has_begun = False
        self._socket = accepted
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.BaseTransport | None = None
        self._is_waiting = False
        self._is_closed = False
        self._deadline: asyncio.TimerHandle | None = None

    def wait_for_first_byte(self, spoke: "Callable[[BrowserConnection], None]") -> None:
        """Call ``spoke`` when data arrives; close the connection if no complete header arrives in time."""
        self.end_after(self.times.head_s)
        self._is_waiting = True
        self._loop.add_reader(self._socket, self._readable, spoke)

    def is_plain(self) -> bool:
        """Return whether the first byte is a letter, as in HTTP requests but not in TLS handshakes."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK).isalpha()
        except OSError:
            return False

    async def begin(self, make: Callable[[], asyncio.BaseProtocol]) -> None:
        """Hand the connection to a protocol."""
        if self._was_closed():
            self._socket.close()
            return
        self.has_begun = True
        try:
            transport, _ = await self._loop.connect_accepted_socket(make, self._socket)
        except OSError:
            self.close()
            return
        self._transport = transport
        if self._was_closed():
            self._abort()

    def establish(self) -> None:
        self._established(self)

    def enter(self, stage: ConnectionStage) -> None:
        if self.visit is not None:
            self.visit.enter(stage)

    def end_after(self, seconds: float, otherwise: Callable[[], None] | None = None) -> None:
        """Set the deadline at which the connection is closed, or ``otherwise`` is called instead."""
        self.clear_deadline()
        self._deadline = self._loop.call_later(seconds, otherwise or self.close)

    def clear_deadline(self) -> None:
        """Remove the deadline."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def close(self) -> None:
        """Close the connection at once, aborting any response."""
        if self._is_waiting:
            self._is_waiting = False
            self._loop.remove_reader(self._socket)
        if self._transport is not None:
            self._abort()
        elif not self.has_begun:
            self._socket.close()
        self.on_lost()

    def on_lost(self) -> None:
        """Handle the end of the connection."""
        self._is_closed = True
        self.clear_deadline()
        if self.visit is not None:
            self.visit.leave()
        self._gone(self)

    def _readable(self, spoke: "Callable[[BrowserConnection], None]") -> None:
        self._is_waiting = False
        self._loop.remove_reader(self._socket)
        self.enter(ConnectionStage.SPEAKING)
        spoke(self)

    def _was_closed(self) -> bool:
        return self._is_closed

    def _abort(self) -> None:
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()


class _Phase(enum.Enum):
    HEAD = enum.auto()
    BODY = enum.auto()
    SERVED = enum.auto()
    UNREAD = enum.auto()
    LINGER = enum.auto()


class LimitedHttp(H11Protocol):
    """Uvicorn's HTTP protocol with deadlines for sending a request and for reading its response."""

    def __init__(
        self,
        config: uvicorn.Config,
        state: ServerState,
        app_state: dict[str, Any],
        connection: BrowserConnection,
    ) -> None:
        super().__init__(config, state, app_state)
        self._connection = connection
        self._phase = _Phase.HEAD
        self._body_since = 0.0
        self._body_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connection.establish()
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn's is narrower than asyncio's

    def data_received(self, data: bytes) -> None:
        """Process received data and update the deadline."""
        if self._phase is _Phase.BODY:
            self._body_bytes += len(data)
        super().data_received(data)
        self._look(has_data=True)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._connection.on_lost()

    def _look(self, *, has_data: bool = False) -> None:
        before, self._phase = self._phase, self._phase_now()
        is_new = self._phase is not before
        times = self._connection.times
        match self._phase:
            case _Phase.HEAD:
                if is_new:
                    self._connection.enter(ConnectionStage.IDLE)
                    self._connection.end_after(times.head_s)
                if has_data:
                    self._connection.enter(ConnectionStage.SPEAKING)
            case _Phase.BODY:
                if is_new:
                    self._body_since, self._body_bytes = self.loop.time(), 0
                if is_new or has_data:
                    self._watch_body()
            case _Phase.SERVED:
                self._connection.enter(ConnectionStage.SERVED)
                self._connection.clear_deadline()
            case _Phase.UNREAD | _Phase.LINGER:
                if is_new:
                    self._connection.enter(ConnectionStage.SPEAKING)
                    is_unread = self._phase is _Phase.UNREAD
                    self._connection.end_after(times.unread_s if is_unread else times.linger_s)
            case _:
                assert_never(self._phase)

    def _phase_now(self) -> _Phase:
        if self.transport.is_closing():
            return _Phase.UNREAD
        match self.conn.their_state:
            case h11.IDLE:
                return _Phase.HEAD
            case h11.SEND_BODY:
                return _Phase.LINGER if self.cycle.response_complete else _Phase.BODY
            case _:
                return _Phase.UNREAD if self.flow.write_paused else _Phase.SERVED

    def _watch_body(self) -> None:
        """Close the connection if the body arrives too slowly, unless reading has been paused here."""
        if self._phase is not _Phase.BODY:
            return
        times = self._connection.times
        late_s = self.loop.time() - self._body_since - times.silent_s
        if self._body_bytes < late_s * times.slowest_body and not self.flow.read_paused:
            self._connection.close()
            return
        self._connection.enter(ConnectionStage.SERVED if self.flow.read_paused else ConnectionStage.SPEAKING)
        self._connection.end_after(times.silent_s, self._body_is_silent)

    def _body_is_silent(self) -> None:
        if self.flow.read_paused:
            self._connection.end_after(self._connection.times.silent_s, self._body_is_silent)
        else:
            self._connection.close()
