"""A port whose bytes are reliable, with timers of its own: what a session runs on.

TCP is one already (its timers are the kernel's); a serial line becomes one under the link.
"""

from typing import Protocol

from saloon.sync.link.counters import Counters
from saloon.sync.ports.port import Port


class StreamPort(Port, Protocol):
    """A reliable stream of bytes. After ``Unavailable`` it is closed and opened again by its owner."""

    def advance(self, now_ms: int) -> None:
        """Let timers of the wire run: retransmission, keep-alive. May raise Unavailable."""

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next; None for never."""

    def was_reset(self) -> bool:
        """Whether the other end started anew since the last call: what lies above must start anew too."""

    def counters(self) -> Counters | None:
        """What the link has seen since the port was made; None where there is no link of ours."""


class PlainStream:
    """A port that is reliable by itself, without timers of ours: TCP."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self.open = port.open
        self.close = port.close
        self.fileno = port.fileno
        self.read = port.read
        self.write = port.write
        self.wants_write = port.wants_write

    def advance(self, now_ms: int) -> None:
        """Nothing: the kernel keeps the timers."""

    def next_deadline_ms(self) -> int | None:
        """Never."""
        return None

    def was_reset(self) -> bool:
        """Never: a new peer is a new connection."""
        return False

    def counters(self) -> None:
        """None: the kernel counts for itself."""
        return
