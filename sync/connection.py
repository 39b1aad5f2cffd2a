"""One connection: a stream of bytes, TLS on it, and what is said inside. Used at both ends, on every wire."""

from typing import Protocol

from saloon.sync.session import Outcome
from saloon.sync.trust import TlsStream


class Saying(Protocol):
    """What is said inside a connection once TLS is up."""

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """What the other end's plain bytes mean."""

    def outgoing(self) -> bytes:
        """The plain bytes to send now."""

    def advance(self, now_ms: int) -> None:
        """Let timers run."""

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next."""


class Connection:
    """TLS bytes on one side, a session (or an enrolment) on the other; sans-I/O.

    The owner moves bytes: ``from_wire`` in, ``to_wire`` out, and keeps what ``to_wire`` gave
    until the wire has taken it.
    """

    def __init__(self, tls: TlsStream, saying: Saying) -> None:
        self._tls = tls
        self._saying = saying
        tls.start()

    def from_wire(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """What wire bytes mean for the owner. Raises PeerFault: close then."""
        plain = self._tls.from_wire(data)
        return self._saying.receive(plain, now_ms) if plain else ()

    def to_wire(self) -> bytes:
        """Wire bytes to send now."""
        plain = self._saying.outgoing()
        if plain:
            self._tls.send(plain)
        return self._tls.to_wire()

    def advance(self, now_ms: int) -> None:
        """Let timers run. Raises Unavailable after too long a silence."""
        self._saying.advance(now_ms)

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next."""
        return self._saying.next_deadline_ms()
