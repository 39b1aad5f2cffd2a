"""The interface between the hub's lines and the station's store of new versions."""

from typing import Protocol

from saloon.sync.protocol.entry import TerminalId
from saloon.sync.update.about import About
from saloon.sync.update.messages import UpdateReported


class Offering(Protocol):
    """The versions that terminals run and are offered. Called on the event loop; must not block."""

    @property
    def about(self) -> About:
        """The program of the station itself."""

    def introduced(self, terminal: TerminalId, about: About | None) -> None:
        """Note the program that a terminal runs; None for a terminal that does not report it."""

    def told(self, terminal: TerminalId, told: UpdateReported) -> None:
        """Note a terminal's progress with a version."""

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        """Return bytes of a payload; none if it is no longer offered. Raises Unavailable."""
