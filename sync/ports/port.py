"""The interface of every wire: bytes in, bytes out, and a file to wait on."""

from typing import Protocol


class Port(Protocol):
    """One end of a wire, never blocking.

    Every method may raise ``Unavailable`` when the wire is gone; after that only ``close`` and ``open`` may
    be called. Nothing is promised about the bytes: they may come late, wrong, or not at all; TCP and the link
    above a serial line correct that.
    """

    def open(self) -> None:
        """Open the wire; start connecting where that takes time. Opening it twice is an error."""

    def close(self) -> None:
        """Release the wire; harmless when it is not open."""

    def fileno(self) -> int:
        """Return the file descriptor to wait on. Raises ``Unavailable`` while there is none."""

    def read(self) -> bytes:
        """Return the bytes that have arrived, at most 64 KiB; empty when there are none."""

    def write(self, data: bytes) -> int:
        """Write bytes to the wire; return how many it accepted (0 when it is full)."""

    def wants_write(self) -> bool:
        """Return whether the owner should also wait for the wire to become writable.

        False where that means nothing: a tty is writable long before its line has room.
        """
