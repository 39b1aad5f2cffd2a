"""The station's part in an update of one terminal: it sends the requested pieces one by one."""

from collections.abc import Awaitable
from typing import Protocol, assert_never

import structlog

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import TerminalId
from sync.update.messages import UpdateMessage, UpdateOffer, UpdatePiece, UpdateReported, UpdateWant
from sync.update.version import About

_log = structlog.get_logger()


class Offering(Protocol):
    """The versions that terminals run and are offered. Called on the event loop; must not block."""

    @property
    def about(self) -> About:
        """The station's own program."""

    def on_introduction(self, terminal: TerminalId, about: About | None) -> None:
        """Record the program that a terminal runs, or None for a terminal that does not report it."""

    def on_progress(self, terminal: TerminalId, progress: UpdateReported) -> None:
        """Record a terminal's progress with a version."""

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        """Return bytes of a payload, or empty if it is no longer offered. Raises Unavailable."""


class BundleServer:
    """A sender of pieces to one terminal. A new request replaces an unanswered one."""

    def __init__(self, terminal: TerminalId, offering: Offering) -> None:
        self._terminal = terminal
        self._offering = offering
        self._wanted: UpdateWant | None = None
        self._is_giving = False

    def on_introduction(self, about: About | None) -> None:
        """Record the program that the terminal runs."""
        self._offering.on_introduction(self._terminal, about)

    def on_message(self, message: UpdateMessage) -> UpdateWant | None:
        """Process a message from the terminal, and return the request to answer now.

        Raises PeerFault for a message that only a station may send.
        """
        match message:
            case UpdateReported():
                self._offering.on_progress(self._terminal, message)
                return None
            case UpdateWant():
                self._wanted = message
                return None if self._is_giving else message
            case UpdateOffer() | UpdatePiece():
                raise PeerFault(f"a terminal says {type(message).__name__}")
            case _:
                assert_never(message)

    async def piece(self, wanted: UpdateWant, quiet: Awaitable[object]) -> UpdatePiece | None:
        """Return the last requested piece once the line is quiet; None on a disk error."""
        self._is_giving = True
        try:
            await quiet
            wanted = self._wanted or wanted
            data = await self._offering.piece(wanted.digest, wanted.offset, wanted.length)
        except Unavailable as error:
            _log.error("a version cannot be read", problem=str(error))
            return None
        finally:
            self._is_giving = False
        return UpdatePiece(wanted.digest, wanted.offset, data)
