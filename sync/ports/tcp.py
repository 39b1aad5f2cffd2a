"""A TCP connection as a port, with lookups on a thread and quick detection of dead peers."""

import contextlib
import errno
import os
import socket
import threading
from typing import Final

import msgspec

from base.errors import Unavailable
from base.system import watch_for_silence
from sync.ports.findings import Finding, NotReached
from sync.ports.port import StreamPort


class _Endpoint(msgspec.Struct, frozen=True):
    family: int
    address: tuple[str | int | bytes, ...]


class _Lookup:
    """A query to the system's resolver, on its own thread."""

    def __init__(self, host: str, port: int) -> None:
        self._ours, theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._endpoints: tuple[_Endpoint, ...] | None = None
        self._problem = ""
        threading.Thread(target=self._ask, args=(host, port, theirs), name="lookup", daemon=True).start()

    def fileno(self) -> int:
        return self._ours.fileno()

    def addresses(self) -> tuple[_Endpoint, ...] | None:
        """Return the addresses in the resolver's order, or None until it answers. Raises Unavailable."""
        if self._problem:
            raise Unavailable(self._problem)
        return self._endpoints

    def close(self) -> None:
        """Stop waiting for the lookup, whose thread ends by itself."""
        self._ours.close()

    def _ask(self, host: str, port: int, theirs: socket.socket) -> None:
        with theirs:
            try:
                self._endpoints = endpoints(host, port)
            except OSError as error:
                self._problem = error.strerror or str(error)
            # Closing is the signal, so that nothing is sent to a caller who no longer waits.


def endpoints(host: str, port: int, *, numeric: bool = False) -> tuple[_Endpoint, ...]:
    """Return a host's addresses. May block unless ``numeric``, which allows no names. Raises OSError."""
    flags = socket.AI_NUMERICHOST if numeric else 0
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return tuple(_Endpoint(family, tuple(address)) for family, _, _, _, address in rows)


_READ = 65536
_DEAD_AFTER_MS = 15_000
_KEEPALIVE_S = 5
_FINDINGS: Final = {
    errno.ECONNREFUSED: Finding.NO_STATION,
    errno.ENETUNREACH: Finding.NO_ROUTE,
    errno.ENETDOWN: Finding.NO_ROUTE,
    errno.EHOSTUNREACH: Finding.NO_ANSWER,
    errno.EHOSTDOWN: Finding.NO_ANSWER,
    errno.ETIMEDOUT: Finding.NO_ANSWER,
}


class TcpPort(StreamPort):
    """A terminal's TCP connection to ``host``, whose name is looked up on a thread.

    The addresses found are tried one after the other.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._lookup: _Lookup | None = None
        self._left: tuple[_Endpoint, ...] = ()
        self._socket: socket.socket | None = None
        self._connecting = self._is_full = False

    def open(self) -> None:
        """Start connecting. Raises Unavailable if the network is down."""
        try:
            self._left = endpoints(self._host, self._port, numeric=True)
        except (OSError, UnicodeError):
            self._lookup = _Lookup(self._host, self._port)
        else:
            self._connect_next()

    def close(self) -> None:
        """Release the connection; harmless if it is not open."""
        if self._lookup is not None:
            self._lookup.close()
            self._lookup = None
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
            self._socket = None
        self._connecting = self._is_full = False

    def fileno(self) -> int:
        """Return the descriptor to wait on. Raises Unavailable if the port is closed."""
        return self._lookup.fileno() if self._lookup is not None else self._open().fileno()

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable if the other end has closed."""
        if not self._is_up():
            return b""
        try:
            data = self._open().recv(_READ)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._unavailable(error) from error
        if not data:
            raise Unavailable(f"{self._name()}: the other end has closed")
        return data

    def write(self, data: bytes) -> int:
        """Write bytes to the connection, and return how many were accepted."""
        if not self._is_up():
            return 0
        try:
            taken = self._open().send(data)
        except BlockingIOError:
            taken = 0
        except OSError as error:
            raise self._unavailable(error) from error
        self._is_full = taken < len(data)
        return taken

    def wants_write(self) -> bool:
        """Return whether to wait for writability: while connecting, and after an incomplete write."""
        return self._connecting or self._is_full

    def _is_up(self) -> bool:
        """Advance the lookup and the connection, and return whether bytes can be sent."""
        if self._lookup is not None:
            self._take_addresses(self._lookup)
        if self._lookup is not None:
            return False
        connection = self._open()
        if not self._connecting:
            return True
        code = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            self._on_refusal(OSError(code, os.strerror(code)))
            return False
        with contextlib.suppress(OSError):
            connection.getpeername()
            self._connecting = False
        return not self._connecting

    def _take_addresses(self, lookup: _Lookup) -> None:
        try:
            addresses = lookup.addresses()
        except Unavailable as error:
            raise NotReached(Finding.NAME_UNKNOWN, f"{self._name()}: {error}", host=self._host) from error
        if addresses is not None:
            lookup.close()
            self._lookup, self._left = None, addresses
            self._connect_next()

    def _connect_next(self) -> None:
        endpoint, self._left = self._left[0], self._left[1:]
        try:
            self._socket = socket.socket(endpoint.family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            prepare(self._socket)
            code = self._socket.connect_ex(endpoint.address)
        except OSError as error:
            self._on_refusal(error)
            return
        if code not in {0, errno.EINPROGRESS}:
            self._on_refusal(OSError(code, os.strerror(code)))
            return
        self._connecting = code != 0

    def _on_refusal(self, error: OSError) -> None:
        self.close()
        if not self._left:
            raise self._unavailable(error) from error
        self._connect_next()

    def _open(self) -> socket.socket:
        if self._socket is None:
            raise Unavailable(f"{self._name()}: not connected")
        return self._socket

    def _unavailable(self, error: OSError) -> Unavailable:
        detail = f"{self._name()}: {error.strerror or error}"
        finding = _FINDINGS.get(error.errno or 0)
        return Unavailable(detail) if finding is None else NotReached(finding, detail)

    def _name(self) -> str:
        return f"tcp {self._host}:{self._port}"


def prepare(connection: socket.socket) -> None:
    """Send small messages at once, and detect a dead peer within 15 s instead of 15 min."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    watch_for_silence(connection, _KEEPALIVE_S, _DEAD_AFTER_MS)
