"""What every wire must offer: bytes in, bytes out, and a file to wait on."""

from typing import Protocol


class Port(Protocol):
    """One end of a wire, never blocking.

    Every method may raise ``Unavailable`` when the wire is gone; after that only ``close`` and
    ``open`` may be called. Nothing is promised about the bytes: they may come late, wrong, or
    not at all; TCP and the link above a serial line mend that.
    """

    def open(self) -> None:
        """Take hold of the wire; starts connecting where that takes time. Twice is an error."""

    def close(self) -> None:
        """Let go of the wire; harmless when it is not open."""

    def fileno(self) -> int:
        """The file descriptor to wait on; raises ``Unavailable`` while there is none."""

    def read(self) -> bytes:
        """What has arrived, at most 64 KiB; empty when nothing has."""

    def write(self, data: bytes) -> int:
        """Hand bytes to the wire; returns how many it took (0 when it is full)."""

    def wants_write(self) -> bool:
        """Whether the owner should also wait for the wire to become writable.

        Never while that says nothing: a tty is writable long before its line has room.
        """
