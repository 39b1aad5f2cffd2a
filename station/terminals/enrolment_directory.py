"""The enrolments as the hub asks for them."""

import asyncio
from collections.abc import Sequence

import structlog

from base.errors import Unavailable
from station.enrolment.enrolments import Enrolments
from station.hall.station_context import StationContext
from station.store.database import DatabaseDamaged
from station.terminals import service as terminals
from sync.enrolment.agreement import AskJudge, CodeTried
from sync.enrolment.station_side import StrangerRefused
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause
from sync.tls.certificates import fingerprint_of_pem

_log = structlog.get_logger()


class EnrolmentDirectory:
    """The enrolments for the hub (``KnownTerminals``), which also notifies the service of new ones."""

    def __init__(
        self, enrolments: Enrolments, context: StationContext, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._enrolments = enrolments
        self._context = context
        self._loop = loop
        self._new: dict[TerminalId, str] = {}

    def certificates(self) -> Sequence[str]:
        """Return the certificates of all terminals that may connect."""
        known = self._context.terminals
        there = {terminal.terminal for terminal in known}
        # A terminal may reconnect before the service has read its enrolment.
        new = [certificate for terminal, certificate in self._new.items() if terminal not in there]
        return (*(terminal.certificate for terminal in known if not terminal.revoked), *new)

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses at which terminals find the station."""
        return self._context.addresses

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        """Enrol a terminal by a token, which is then used up. Called on a worker thread."""
        try:
            terminal = self._enrolments.enrol(token, certificate, self._context.playing)
        except DatabaseDamaged as error:
            # A stranger learns about faults in its certificate, but nothing about our database.
            raise Unavailable(str(error)) from error
        if terminal is not None:
            self._new[terminal] = certificate
            self._loop.call_soon_threadsafe(self._on_enrolled, terminal, certificate)
        return terminal

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        """Check a terminal's proof of a code. See KnownTerminals."""
        proof = await self._context.newcomers.try_code(tried, place)
        self._on_enrolled(fingerprint_of_pem(tried.certificate, "enrolment"), tried.certificate)
        return proof

    async def ask_judge(self, request: AskJudge, place: str) -> None:
        """Wait for the judge's decision on a terminal. See KnownTerminals.

        Accept a terminal that is known already, as the first answer was lost.
        """
        terminal = fingerprint_of_pem(request.certificate, "enrolment")
        known = any(one.terminal == terminal and not one.revoked for one in self._context.terminals)
        if not known and not await self._context.newcomers.at_cable(request, place):
            raise StrangerRefused("the judge has refused this terminal", CloseCause.REFUSED)
        self._on_enrolled(terminal, request.certificate)

    def _on_enrolled(self, terminal: TerminalId, certificate: str) -> None:
        _log.info("terminal enrolled", terminal=terminal)
        self._new[terminal] = certificate
        self._context.spawn(terminals.on_enrolled(self._context, terminal))
