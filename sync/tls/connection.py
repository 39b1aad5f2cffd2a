"""A connection: a stream of bytes, TLS, and a protocol inside. Used at both ends, on every wire."""

from typing import Protocol

from sync.protocol.session import Outcome
from sync.tls.trust import TlsStream


class PeerProtocol(Protocol):
    """The protocol inside a connection, after the TLS handshake."""

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process the other end's plain bytes and return the outcomes."""

    def outgoing(self) -> bytes:
        """Return the plain bytes to send now."""

    def advance(self, now_ms: int) -> None:
        """Run the timers."""

    def next_deadline_ms(self) -> int | None:
        """Return the time at which ``advance`` must be called next."""


class Connection:
    """TLS bytes on one side, a session (or an enrolment) on the other; sans-I/O.

    The owner moves bytes: ``from_wire`` in, ``to_wire`` out, and buffers what ``to_wire`` returns
    until the wire has accepted it.
    """

    def __init__(self, tls: TlsStream, saying: PeerProtocol) -> None:
        self._tls = tls
        self._saying = saying
        tls.start()

    def from_wire(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process wire bytes and return the outcomes for the owner. Raises PeerFault; close then."""
        plain = self._tls.from_wire(data)
        return self._saying.receive(plain, now_ms) if plain else ()

    def to_wire(self) -> bytes:
        """Return the wire bytes to send now."""
        plain = self._saying.outgoing()
        if plain:
            self._tls.send(plain)
        return self._tls.to_wire()

    def advance(self, now_ms: int) -> None:
        """Run the timers. Raises Unavailable if the other end has been silent for too long."""
        self._saying.advance(now_ms)

    def next_deadline_ms(self) -> int | None:
        """Return the time at which ``advance`` must be called next."""
        return self._saying.next_deadline_ms()
