"""A crowd that holds connections to a station, as a process of its own.

``python -m tests.faults.hostile.besiegers PLAN.json`` opens what the plan names, opens again what the
station closes, and says on SIGTERM, in a line of JSON, how many it has opened.
"""

import contextlib
import resource
import select
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from sync.tls.trust import TlsStream, stranger_context

_LOOK_S = 0.1
_AGAIN_AT_A_TIME = 300
_PATIENCE_S = 3.0
_BODY = (
    b"POST /language HTTP/1.1\r\nHost: station\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 64000\r\n\r\nlanguage=" + b"x" * 60_000
)


class SiegePlan(msgspec.Struct, frozen=True):
    """The connections of a siege, and their addresses. pages, terminals: ports.

    idle: connections to the pages that say nothing, a half from one address. bodies: requests that stop in
    their body. half: handshakes that stop after the first message, a half of them at the terminals' port.
    """

    pages: int
    terminals: int
    idle: int = 5_000
    bodies: int = 60
    half: int = 1_000
    addresses: int = 300
    is_tls: bool = True


class Opened(msgspec.Struct):
    """The number of connections opened, including the first ones."""

    idle: int = 0
    bodies: int = 0
    half: int = 0


class Besiegers:
    """Holds what a plan names."""

    def __init__(self, plan: SiegePlan) -> None:
        self._plan = plan
        self._poll = select.epoll()
        self._held: dict[int, tuple[socket.socket, Callable[[int], socket.socket], int]] = {}
        self._hello = _client_hello()
        self.opened = Opened()

    def hold(self, until: Callable[[], bool]) -> None:
        """Open everything, and again what is closed."""
        plan = self._plan
        wanted: list[tuple[Callable[[int], socket.socket], int]] = []
        wanted += [(self._idle, number) for number in range(plan.idle)]
        wanted += [(self._half, number) for number in range(plan.half)]
        wanted += [(self._body, number) for number in range(plan.bodies)]
        while not until():
            for make, number in wanted[:_AGAIN_AT_A_TIME]:
                self._open(make, number)
            del wanted[:_AGAIN_AT_A_TIME]
            wanted += self._closed()
        for connection, _, _ in self._held.values():
            connection.close()

    def _open(self, make: Callable[[int], socket.socket], number: int) -> None:
        with contextlib.suppress(OSError):
            connection = make(number)
            self._held[connection.fileno()] = connection, make, number
            self._poll.register(connection.fileno(), select.EPOLLIN | select.EPOLLRDHUP)

    def _closed(self) -> list[tuple[Callable[[int], socket.socket], int]]:
        closed = []
        for number, event in self._poll.poll(_LOOK_S):
            connection, make, which = self._held[number]
            if event & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
                self._poll.unregister(number)
                del self._held[number]
                connection.close()
                closed.append((make, which))
            else:
                with contextlib.suppress(OSError):
                    connection.recv(65_536)
        return closed

    def _idle(self, number: int) -> socket.socket:
        self.opened.idle += 1
        return self._connected(number if number % 2 else 0, self._plan.pages)

    def _half(self, number: int) -> socket.socket:
        self.opened.half += 1
        port = self._plan.terminals if number % 2 else self._plan.pages
        connection = self._connected(number, port)
        connection.sendall(self._hello)
        return connection

    def _body(self, number: int) -> socket.socket:
        self.opened.bodies += 1
        connection = self._connected(number, self._plan.pages)
        if self._plan.is_tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = context.wrap_socket(connection)
        connection.sendall(_BODY)
        return connection

    def _connected(self, number: int, port: int) -> socket.socket:
        connection = socket.socket()
        connection.settimeout(_PATIENCE_S)
        which = number % self._plan.addresses
        connection.bind((f"127.20.{which // 250}.{which % 250 + 1}", 0))
        connection.connect(("127.0.0.1", port))
        return connection


def _client_hello() -> bytes:
    tls = TlsStream(stranger_context(), is_station=False)
    tls.start()
    return tls.to_wire()


def main() -> None:
    """Hold until SIGTERM."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    over: list[float] = []
    signal.signal(signal.SIGTERM, lambda *_: over.append(time.monotonic()))
    besiegers = Besiegers(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=SiegePlan))
    besiegers.hold(lambda: bool(over))
    sys.stdout.buffer.write(msgspec.json.encode(besiegers.opened) + b"\n")


if __name__ == "__main__":
    main()
