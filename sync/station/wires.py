"""Wires on the station's event loop: bytes in, bytes out, over any transport."""

import asyncio
import contextlib
from typing import Protocol

from base.errors import Unavailable
from sync.link.counters import Counters
from sync.ports.port import StreamPort

_READ = 65536
_LONGEST_WAIT_MS = 1_000


class Wire(Protocol):
    """A connection to one terminal."""

    kind: str
    """The transport: ``tcp``, ``serial`` or ``bus``."""
    address: str = ""
    """The network address, by which connections are limited, or empty for a cable."""

    async def read(self, wait_s: float) -> bytes:
        """Return the bytes received within ``wait_s``, possibly none. Raises Unavailable at the end."""

    async def write(self, data: bytes) -> None:
        """Send all of the bytes. Raises Unavailable."""

    async def close(self) -> None:
        """Close the connection."""

    def counters(self) -> Counters | None:
        """Return the link's counters, or None over TCP."""
        return None


class TcpWire(Wire):
    """An accepted TCP connection."""

    kind = "tcp"

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A connection that is already gone has no peer name.
        peer = writer.get_extra_info("peername") or ("gone",)
        self.address = str(peer[0])
        self._reader = reader
        self._writer = writer

    async def read(self, wait_s: float) -> bytes:
        """Implement ``Wire.read``."""
        try:
            async with asyncio.timeout(wait_s):
                data = await self._reader.read(_READ)
        except TimeoutError:
            return b""
        except OSError as error:
            raise Unavailable(f"tcp: {error}") from error
        if not data:
            raise Unavailable("tcp: the terminal has closed")
        return data

    async def write(self, data: bytes) -> None:
        """Implement ``Wire.write``."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError as error:
            raise Unavailable(f"tcp: {error}") from error

    async def close(self) -> None:
        with contextlib.suppress(OSError):
            self._writer.close()


class SerialWire(Wire):
    """A serial line with its link."""

    kind = "serial"

    def __init__(self, port: StreamPort) -> None:
        self._port = port
        self._stirred = asyncio.Event()
        self._fd = -1

    def open(self) -> None:
        """Open the device. Raises Unavailable."""
        self._port.open()
        self._fd = self._port.fileno()
        asyncio.get_running_loop().add_reader(self._fd, self._stirred.set)

    async def read(self, wait_s: float) -> bytes:
        """Implement ``Wire.read``."""
        end_ms = loop_ms() + int(wait_s * 1000)
        while True:
            self._stirred.clear()
            self._port.advance(loop_ms())
            data = self._port.read()
            if self._port.was_reset():
                raise Unavailable("serial: the terminal restarted")
            if data or loop_ms() >= end_ms:
                return data
            await self._wait(end_ms)

    async def write(self, data: bytes) -> None:
        """Implement ``Wire.write``."""
        while data:
            taken = self._port.write(data)
            data = data[taken:]
            self._port.advance(loop_ms())
            if data:
                await self._wait(loop_ms() + _LONGEST_WAIT_MS)
                self._stirred.clear()
        # The reader's deadline may be too late now: wake it.
        self._stirred.set()

    async def close(self) -> None:
        """Implement ``Wire.close``."""
        if self._fd >= 0:
            asyncio.get_running_loop().remove_reader(self._fd)
            self._fd = -1
        self._port.close()

    def counters(self) -> Counters | None:
        return self._port.counters()

    async def _wait(self, end_ms: int) -> None:
        deadline = self._port.next_deadline_ms()
        until = min(end_ms, deadline) if deadline is not None else end_ms
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0, until - loop_ms()) / 1000):
                await self._stirred.wait()


def loop_ms() -> int:
    """Return the time of the running event loop, which may be simulated, in milliseconds."""
    return int(asyncio.get_running_loop().time() * 1000)
