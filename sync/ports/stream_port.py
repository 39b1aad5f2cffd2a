"""A port whose bytes are reliable, with its own timers: the base of a session.

TCP is one already (its timers are the kernel's); a serial line becomes one under the link.
"""

from typing import Protocol

from saloon.sync.link.counters import Counters
from saloon.sync.ports.port import Port


class StreamPort(Port, Protocol):
    """A reliable stream of bytes. After ``Unavailable`` its owner closes and reopens it."""

    def advance(self, now_ms: int) -> None:
        """Run the timers of the wire: retransmission, keep-alive. May raise Unavailable."""

    def next_deadline_ms(self) -> int | None:
        """Return the time at which ``advance`` must be called next; None for never."""

    def was_reset(self) -> bool:
        """Return whether the other end started again since the last call: the layer above must do so too."""

    def counters(self) -> Counters | None:
        """Return the link's counts since the port was made; None if there is no link of ours."""


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
        """Do nothing: the kernel keeps the timers."""

    def next_deadline_ms(self) -> int | None:
        """Return None: there is no deadline."""
        return None

    def was_reset(self) -> bool:
        """Return False: a new peer is a new connection."""
        return False

    def counters(self) -> None:
        """Return None: the kernel keeps its own counts."""
        return
