"""The interface of every wire: bytes in, bytes out, and a descriptor to wait on.

TCP is a reliable stream by itself; a serial line becomes one with the link.
"""

from typing import Protocol

from sync.link.counters import Counters


class Port(Protocol):
    """One end of a wire, which never blocks.

    Every method may raise ``Unavailable`` when the wire is gone; after that only ``close`` and ``open`` may
    be called. A port alone doesn't guarantee delivery: bytes may arrive late, wrong, or not at all.
    """

    def open(self) -> None:
        """Open the wire, or start connecting if that takes time. A port must not be opened twice."""

    def close(self) -> None:
        """Release the wire; harmless if it is not open."""

    def fileno(self) -> int:
        """Return the descriptor to wait on. Raises Unavailable if there is none."""

    def read(self) -> bytes:
        """Return the bytes that have arrived, at most 64 KiB, or empty if there are none."""

    def write(self, data: bytes) -> int:
        """Write bytes to the wire, and return how many were accepted (0 when it is full)."""

    def wants_write(self) -> bool:
        """Return whether the owner should also wait for the wire to become writable.

        By default, that is useless: a tty, for example, is writable long before its line has room.
        """
        return False


class StreamPort(Port, Protocol):
    """A reliable stream of bytes. After ``Unavailable``, its owner closes and reopens it.

    By default it has neither timers nor a link, like TCP.
    """

    def advance(self, now_ms: int) -> None:
        """Run the timers of the wire, such as retransmission. May raise Unavailable."""
        del now_ms

    def next_deadline_ms(self) -> int | None:
        """Return when ``advance`` must be called next, or None if no timer is running."""
        return None

    def was_reset(self) -> bool:
        """Return whether the other end restarted since the last call, as the layer above must then too."""
        return False

    def counters(self) -> Counters | None:
        """Return the link's counters since the port was created, or None over TCP."""
        return None
