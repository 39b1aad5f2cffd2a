"""A lookup of a host's addresses that blocks nobody: a name server may take half a minute."""

import contextlib
import socket
import threading

import msgspec

from saloon.base.errors import Unavailable


class Endpoint(msgspec.Struct, frozen=True):
    """An address to connect to: the family of a socket and its address."""

    family: int
    address: tuple[str | int | bytes, ...]


class Lookup:
    """A query to the system's resolver, on a thread of its own. host: a name."""

    def __init__(self, host: str, port: int) -> None:
        self._ours, theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._found: tuple[Endpoint, ...] | None = None
        self._problem = ""
        threading.Thread(target=self._ask, args=(host, port, theirs), name="lookup", daemon=True).start()

    def fileno(self) -> int:
        """Return a file that is readable when the answer is there."""
        return self._ours.fileno()

    def found(self) -> tuple[Endpoint, ...] | None:
        """Return the addresses, in the resolver's order; None while the lookup runs. Raises Unavailable."""
        if self._problem:
            raise Unavailable(self._problem)
        return self._found

    def close(self) -> None:
        """Stop waiting; the thread ends by itself."""
        self._ours.close()

    def _ask(self, host: str, port: int, theirs: socket.socket) -> None:
        with theirs:
            try:
                self._found = endpoints(host, port)
            except OSError as error:
                self._problem = error.strerror or str(error)
            # Closing is the signal, so that nothing is sent to a caller that has stopped waiting.


def endpoints(host: str, port: int, *, numeric: bool = False) -> tuple[Endpoint, ...]:
    """Return a host's addresses; may block. numeric: only if the host is an address. Raises OSError."""
    flags = socket.AI_NUMERICHOST if numeric else 0
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return tuple(Endpoint(family, tuple(address)) for family, _, _, _, address in rows)


def numeric_endpoints(host: str, port: int) -> tuple[Endpoint, ...]:
    """Return the endpoint of a numeric address; none for a name. Never blocks."""
    with contextlib.suppress(OSError, UnicodeError):
        return endpoints(host, port, numeric=True)
    return ()
