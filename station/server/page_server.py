"""Serve the pages to an untrusted network with limits and deadlines, and redirect HTTP to HTTPS.

Uvicorn handles HTTP. Connections are accepted here, so that a silent one costs only a socket: TLS and HTTP
start with its first byte.
"""

import asyncio
import contextlib
import errno
import re
import socket
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Callable
from typing import Final

import structlog
import uvicorn

from base.clock import SystemClock
from base.errors import PeerFault, Unavailable
from station.server.addresses import Address
from station.server.limited_http import BrowserConnection, LimitedHttp, PageTimes
from sync.ports.tcp import prepare
from sync.station.handshake import FairYield
from sync.station.limits import ConnectionLimits, LimitSettings

_log = structlog.get_logger()
LONGEST_HEAD: Final = 4_096
"""The size limit of a request's header in bytes."""
_PATIENCE_S: Final = 5.0
_LIMITS: Final = LimitSettings(at_once=50, from_one=8, burst=200, each_s=20)
"""The limits for browsers to redirect."""
_HTTPS: Final = 443
_WORDS: Final = b"Open this address with https:// at its beginning.\n"
_REQUEST: Final = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n")
_HOST: Final = re.compile(
    rb"\r\nhost:[ \t]*([0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?[ \t]*\r\n", re.IGNORECASE
)
_BACKLOG: Final = 1024
_ACCEPT_AT_A_TIME: Final = 64
_OUT_OF_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_RETRY_S: Final = 0.5
_TLS_SHUTDOWN_S: Final = 3
_MOST: Final = 4_000
_MOST_BY_TLS: Final = 2_000
"""The most connections over TLS, each of which takes about 30 kB."""
_FEWEST: Final = 100
MOST_HANDSHAKES: Final = 256
"""The most concurrent handshakes; each takes 45 kB with OpenSSL 3.0 and 65 kB with 3.5."""
_ProtocolMaker = Callable[[BrowserConnection], asyncio.BaseProtocol]


def page_limits(open_files: int, *, is_tls: bool) -> LimitSettings:
    """Return the connection limits for a process that may open this number of files.

    Half of the files are left to terminals and the station itself.
    """
    at_once = max(_FEWEST, min(_MOST_BY_TLS if is_tls else _MOST, open_files // 2))
    return LimitSettings(at_once=at_once, from_one=64, burst=2_000, each_s=200)


class PageServer(uvicorn.Server):
    """Uvicorn with connections that are accepted and limited here.

    ready, on_shutdown: called once they are, and before running requests are waited for.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        limits: ConnectionLimits,
        ready: Callable[[], None],
        times: PageTimes = PageTimes(),  # noqa: B008 (immutable)
        *,
        on_shutdown: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._on_shutdown = on_shutdown
        self._limits = limits
        self._ready = ready
        self._times = times
        self._doors: list[_Listener] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then call ``ready``."""
        await super().startup(sockets=[])
        if self.started:
            make = self._protocol_of_first_byte
            self._doors = [_Listener(one, self._limits, self._times, make) for one in sockets or ()]
            for door in self._doors:
                door.open()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, and let running requests finish."""
        for door in self._doors:
            door.close()
        self._on_shutdown()
        await super().shutdown(sockets)

    def _protocol(self, connection: BrowserConnection) -> asyncio.BaseProtocol:
        http = LimitedHttp(self.config, self.server_state, self.lifespan.state, connection)
        context = self.config.ssl
        return http if context is None else _LeanTls(http, context, connection)

    def _protocol_of_first_byte(self, connection: BrowserConnection) -> asyncio.BaseProtocol:
        is_astray = self.config.ssl is not None and connection.is_plain()
        return _PlainHttp(connection) if is_astray else self._protocol(connection)


class _PlainHttp(asyncio.Protocol):
    """A plain HTTP connection to the HTTPS port, which is redirected to the same page over HTTPS."""

    def __init__(self, connection: BrowserConnection) -> None:
        self._connection = connection
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connection.establish()
        self._connection.end_after(self._connection.times.head_s)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._head += data
        is_complete = b"\r\n\r\n" in self._head or len(self._head) > LONGEST_HEAD
        if is_complete and isinstance(self._transport, asyncio.WriteTransport):
            port = self._transport.get_extra_info("sockname")[1]
            self._transport.write(redirect_response(self._head, port))
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._connection.on_lost()


class _LeanTls(SSLProtocol):
    """TLS with a small buffer for each connection; asyncio's takes 256 KiB."""

    max_size = 8 * 1024

    def __init__(self, http: LimitedHttp, context: ssl.SSLContext, connection: BrowserConnection) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            loop,
            http,
            context,
            waiter=None,  # type: ignore[arg-type]  # nobody waits: the connection has its own deadline
            server_side=True,
            ssl_shutdown_timeout=_TLS_SHUTDOWN_S,
        )
        self._connection_of_ours = connection

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._connection_of_ours.on_lost()


class _Listener:
    """Accepts connections, and starts each of them when its first byte arrives."""

    def __init__(
        self,
        door: socket.socket,
        limits: ConnectionLimits,
        times: PageTimes,
        make: _ProtocolMaker,
    ) -> None:
        self._door = door
        self._limits = limits
        self._times = times
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._turns = FairYield()
        self._open: set[BrowserConnection] = set()
        self._waiting: dict[BrowserConnection, None] = {}
        self._handshakes: dict[BrowserConnection, float] = {}
        self._next: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        self._door.setblocking(False)
        self._door.listen(_BACKLOG)
        self._loop.add_reader(self._door, self._accept)

    def close(self) -> None:
        """Stop accepting, and close connections that have not started."""
        self._loop.remove_reader(self._door)
        self._door.close()
        for connection in tuple(self._open):
            if not connection.has_begun:
                connection.close()

    def _accept(self) -> None:
        for _ in range(_ACCEPT_AT_A_TIME):
            try:
                accepted, address = self._door.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_ROOM:
                    raise
                _log.warning("no room for another connection", problem=error.strerror)
                if not self._limits.make_room():
                    self._loop.remove_reader(self._door)
                    self._loop.call_later(_RETRY_S, self._accept_again)
                return
            self._take(accepted, str(address[0]))

    def _accept_again(self) -> None:
        if self._door.fileno() >= 0:
            self._loop.add_reader(self._door, self._accept)

    def _take(self, accepted: socket.socket, address: str) -> None:
        connection = BrowserConnection(accepted, self._times, self._on_established, self._on_gone)
        try:
            connection.visit = self._limits.admit(address, connection.close)
        except PeerFault as fault:
            _log.debug("browser refused", problem=str(fault))
            connection.close()
            return
        accepted.setblocking(False)
        with contextlib.suppress(OSError):
            prepare(accepted)
        self._open.add(connection)
        connection.wait_for_first_byte(self._spoke)

    def _spoke(self, connection: BrowserConnection) -> None:
        self._waiting[connection] = None
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        """Start connections in the order of their first bytes, while fewer than the limit are in a handshake.

        At the limit, the oldest handshake is dropped, but not before its guaranteed time is over: a flood of
        silent clients must not displace a browser that responds.
        """
        while self._waiting:
            if len(self._handshakes) >= MOST_HANDSHAKES:
                oldest, since = next(iter(self._handshakes.items()))
                left_s = since + self._times.handshake_s - self._loop.time()
                if left_s > 0:
                    self._next = self._next or self._loop.call_later(left_s, self._look_again)
                    return
                del self._handshakes[oldest]
                oldest.close()
                continue
            connection = next(iter(self._waiting))
            del self._waiting[connection]
            self._handshakes[connection] = self._loop.time()
            task = self._loop.create_task(self._begin(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _look_again(self) -> None:
        self._next = None
        self._begin_waiting()

    async def _begin(self, connection: BrowserConnection) -> None:
        await self._turns.wait()
        if connection in self._handshakes:
            # Its guaranteed time starts only now.
            del self._handshakes[connection]
            self._handshakes[connection] = self._loop.time()
        await connection.begin(lambda: self._make(connection))

    def _on_established(self, connection: BrowserConnection) -> None:
        self._handshakes.pop(connection, None)
        self._begin_soon()

    def _on_gone(self, connection: BrowserConnection) -> None:
        self._open.discard(connection)
        self._waiting.pop(connection, None)
        self._handshakes.pop(connection, None)
        self._begin_soon()

    def _begin_soon(self) -> None:
        if self._waiting:
            self._loop.call_soon(self._begin_waiting)


def redirect_response(head: bytes, port: int) -> bytes:
    """Return the response to a plain HTTP request, which redirects it to HTTPS."""
    request, host = _REQUEST.match(head), _HOST.search(head)
    if request is None or host is None:
        return b"HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (
            len(_WORDS), _WORDS,
        )  # fmt: skip
    place = b"" if port == _HTTPS else b":%d" % port
    return (
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s%s\r\n"
        b"Content-Length: 0\r\nConnection: close\r\n\r\n" % (host[1], place, request[1])
    )


@contextlib.asynccontextmanager
async def redirect_to_https(at: Address | None, port: int) -> AsyncIterator[None]:
    """Redirect browsers from ``at`` to the same page over HTTPS within the block, unless ``at`` is None.

    Raises Unavailable if the address is in use.
    """
    if at is None:
        yield
        return
    limits = ConnectionLimits(SystemClock(), _LIMITS)

    async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername") or ("gone",)
        try:
            visit = limits.admit(str(peer[0]), writer.transport.abort)
        except PeerFault:
            writer.close()
            return
        try:
            async with asyncio.timeout(_PATIENCE_S):
                writer.write(redirect_response(await reader.readuntil(b"\r\n\r\n"), port))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # Empty and oversized requests get no response.
        finally:
            visit.leave()
            writer.close()

    try:
        server = await asyncio.start_server(_answer, at.host, at.port, limit=LONGEST_HEAD)
    except OSError as error:
        raise Unavailable(f"{at}: {error.strerror or error}; choose another --redirect") from error
    async with server:
        yield
