"""A TCP connection as a port: never blocking, and soon aware of a dead other end."""

import contextlib
import errno
import socket

from saloon.core.errors import Unavailable

_READ = 65536
_DEAD_AFTER_MS = 15_000
_KEEPALIVE_S = 5


class TcpPort:
    """The terminal's end of a TCP connection. host, port: of the station."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket: socket.socket | None = None
        self._connecting = False

    def open(self) -> None:
        """Begin to connect. Raises Unavailable when the name is unknown or the network is down."""
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(*self._address, type=socket.SOCK_STREAM)[
                0
            ]
            self._socket = socket.socket(family, kind, protocol)
            self._socket.setblocking(False)
            prepare(self._socket)
            code = self._socket.connect_ex(address)
        except OSError as error:
            self.close()
            raise Unavailable(f"{self._name()}: {error}") from error
        if code not in {0, errno.EINPROGRESS}:
            self.close()
            raise Unavailable(f"{self._name()}: {errno.errorcode.get(code, code)}")
        self._connecting = code != 0

    def close(self) -> None:
        """Let go of the connection; harmless when it is not open."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
            self._socket = None

    def fileno(self) -> int:
        """The socket's descriptor. Raises Unavailable when it is closed."""
        return self._open().fileno()

    def read(self) -> bytes:
        """What has arrived. Raises Unavailable when the other end has closed."""
        connection = self._open()
        self._check_connected(connection)
        if self._connecting:
            return b""
        try:
            data = connection.recv(_READ)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise Unavailable(f"{self._name()}: {error}") from error
        if not data:
            raise Unavailable(f"{self._name()}: the other end has closed")
        return data

    def write(self, data: bytes) -> int:
        """Hand bytes to the connection; how many it took."""
        connection = self._open()
        self._check_connected(connection)
        if self._connecting:
            return 0
        try:
            return connection.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Unavailable(f"{self._name()}: {error}") from error

    def wants_write(self) -> bool:
        """While the connection is being made, writable means made."""
        return self._connecting

    def _check_connected(self, connection: socket.socket) -> None:
        if not self._connecting:
            return
        code = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise Unavailable(f"{self._name()}: {errno.errorcode.get(code, code)}")
        with contextlib.suppress(OSError):
            connection.getpeername()
            self._connecting = False

    def _open(self) -> socket.socket:
        if self._socket is None:
            raise Unavailable(f"{self._name()}: not connected")
        return self._socket

    def _name(self) -> str:
        return f"tcp {self._address[0]}:{self._address[1]}"


def prepare(connection: socket.socket) -> None:
    """Small messages at once, and a dead other end noticed in 15 s instead of 15 min."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _KEEPALIVE_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _KEEPALIVE_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_AFTER_MS)
