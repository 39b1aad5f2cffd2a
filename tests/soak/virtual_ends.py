"""The ends of a simulated TCP connection as programs see them: asyncio's transport, a terminal's port."""

import asyncio
from collections.abc import Callable

from base.errors import Unavailable
from sync.ports.port import StreamPort
from tests.soak.virtual_loop import Host, VirtualLoop
from tests.soak.virtual_net import End, Network

_READ = 64 * 1024
_HIGH = 64 * 1024


class _Socket:
    """The methods that ``ports.tcp.prepare`` calls on a socket."""

    def setsockopt(self, *_: int) -> None:
        """Do nothing, as the simulated network has these timers anyway."""


class VirtualTransport(asyncio.Transport):
    """The station's end of a connection, on which asyncio's own streams run."""

    def __init__(self, loop: VirtualLoop, host: Host, end: End, protocol: asyncio.Protocol) -> None:
        super().__init__({"peername": (end.peer.machine, 1), "socket": _Socket()})
        self._loop = loop
        self._host = host
        self._end = end
        self._protocol = protocol
        self._unsent = bytearray()
        self._closing = False
        self._paused_writing = False
        end.receiver = self
        with loop.on(host):
            protocol.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing or self._end.is_over:
            return
        self._unsent += data
        self._flush()
        if len(self._unsent) > _HIGH and not self._paused_writing:
            self._paused_writing = True
            self._protocol.pause_writing()

    def close(self) -> None:
        """Send the rest and close."""
        if self._closing:
            return
        self._closing = True
        self._end.close()
        self._loop.call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        self.close()

    def is_closing(self) -> bool:
        return self._closing

    def pause_reading(self) -> None:
        self._end.paused = True

    def resume_reading(self) -> None:
        self._end.resume()

    def get_write_buffer_size(self) -> int:
        return len(self._unsent)

    def can_write_eof(self) -> bool:
        return False

    def came(self, data: bytes) -> None:
        if self._host.is_up and not self._closing:
            with self._loop.on(self._host):
                self._protocol.data_received(data)

    def ended(self, error: str) -> None:
        if not self._host.is_up or self._closing:
            return
        with self._loop.on(self._host):
            if error:
                self._closing = True
                self._protocol.connection_lost(OSError(error))
            else:
                self._protocol.eof_received()

    def may_write(self) -> None:
        if not self._host.is_up:
            return
        self._flush()
        if self._paused_writing and len(self._unsent) <= _HIGH // 4:
            self._paused_writing = False
            self._protocol.resume_writing()

    def _flush(self) -> None:
        del self._unsent[: self._end.send(bytes(self._unsent))]


class VirtualPort(StreamPort):
    """A terminal's end of a connection to the station. ``woken`` is called when there is something to do."""

    def __init__(self, network: Network, name: str, woken: Callable[[], None]) -> None:
        self._network = network
        self._name = name
        self._woken = woken
        self._end: End | None = None
        self._arrived = bytearray()
        self._problem: str | None = None

    def open(self) -> None:
        self._arrived.clear()
        self._problem = None
        self._end = self._network.connect(self._name, self)

    def close(self) -> None:
        if self._end is not None:
            self._end.close()
            self._end = None

    def vanish(self) -> None:
        """Drop the connection, as the terminal's power has failed."""
        if self._end is not None:
            self._end.vanish()
            self._end = None

    def fileno(self) -> int:
        return 0

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable at the end."""
        if self._end is None:
            raise Unavailable("tcp: not connected")
        data = bytes(self._arrived[:_READ])
        del self._arrived[:_READ]
        if not data and self._problem is not None:
            raise Unavailable(f"tcp: {self._problem or 'the other end has closed'}")
        return data

    def write(self, data: bytes) -> int:
        if self._end is None or self._problem:
            raise Unavailable(f"tcp: {self._problem or 'not connected'}")
        return self._end.send(data)

    def came(self, data: bytes) -> None:
        self._arrived += data
        self._woken()

    def ended(self, error: str) -> None:
        self._problem = error
        self._woken()

    def may_write(self) -> None:
        self._woken()
