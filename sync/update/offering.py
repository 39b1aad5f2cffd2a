"""The seam between the hub's lines and what the station knows of new versions."""

from typing import Protocol

from saloon.sync.entry import TerminalId
from saloon.sync.update.about import About
from saloon.sync.update.messages import UpdateTold


class Offering(Protocol):
    """Who knows what terminals run and what they are offered. Called on the event loop; must not block."""

    @property
    def about(self) -> About:
        """The program of the station itself."""

    def introduced(self, terminal: TerminalId, about: About | None) -> None:
        """A terminal has said what it runs; None for one that does not say."""

    def told(self, terminal: TerminalId, told: UpdateTold) -> None:
        """How far a terminal is with a version."""

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        """Bytes of a payload; none where it is not offered any more. Raises Unavailable."""
