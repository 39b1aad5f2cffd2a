"""The hub's events for the office: entries that arrived, changed links, new terminals."""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog

from saloon.base.errors import Unavailable
from saloon.station.services.arrivals import arrived
from saloon.station.services.station_context import StationContext
from saloon.station.services.terminals import terminals, troubles
from saloon.station.store.database import DatabaseDamaged
from saloon.station.terminals.enrolments import Enrolments
from saloon.sync.enrolment.questions import AskJudge, CodeTried
from saloon.sync.enrolment.station_side import StrangerRefused
from saloon.sync.enrolment.trust import fingerprint_of_pem
from saloon.sync.protocol.entry import Entry, TerminalId
from saloon.sync.protocol.messages import CloseCause
from saloon.sync.protocol.store import Quarantined

_log = structlog.get_logger()


class HubEventHandler:
    """The hub's owner (``sync.hub.HubOwner``). All methods run on the event loop and do not block."""

    def __init__(self, desk: StationContext) -> None:
        self._desk = desk
        desk.show(partial(arrived, desk))

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        """Fold and show entries of terminals, which are durable."""
        self._desk.folds.received(entries)

    def quarantined(self, quarantined: Sequence[Quarantined]) -> None:
        """Alarm the judge about entries that disagree with stored ones."""
        for bad in quarantined:
            _log.error("entry in quarantine", stream=bad.entry.stream, seq=bad.entry.seq, problem=bad.problem)
            self._desk.alarm_of(bad.entry.stream, bad.problem)
        self._desk.feed.publish("terminals")

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        """Record that a terminal is connected by this wire, or disconnected (None)."""
        _log.info("link changed", terminal=terminal, wire=wire)
        self._desk.links.changed(terminal, wire)
        if wire is None:
            self._desk.updates.left(terminal)
        self._desk.link_shown(terminal)

    def heard(self, terminal: TerminalId, *, owes: int) -> None:
        """Record a message of a terminal and the number of its entries that are still missing."""
        if self._desk.links.heard(terminal, owes):
            self._desk.link_shown(terminal)
            if self._desk.links.is_caught_up(terminal):
                self._desk.spawn(terminals.on_caught_up(self._desk))

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Raise an alarm of a terminal for the judge."""
        _log.error("alarm", terminal=terminal, problem=problem)
        self._desk.spawn(troubles.raise_fork(self._desk, terminal, problem))
        self._desk.link_shown(terminal)

    def bus_alarm(self, device: str, problem: str) -> None:
        """Set the alarm of a shared pair of wires for the judge; an empty text clears it."""
        if problem:
            _log.error("alarm of a pair of wires", device=device, problem=problem)
        self._desk.links.bus_alarm(device, problem)
        self._desk.feed.publish("terminals")


class EnrolmentDirectory:
    """The enrolments as the hub sees them (``introduction.KnownTerminals``); the office hears of each one."""

    def __init__(self, enrolments: Enrolments, desk: StationContext, loop: asyncio.AbstractEventLoop) -> None:
        self._enrolments = enrolments
        self._desk = desk
        self._loop = loop
        self._new: dict[TerminalId, str] = {}

    def certificates(self) -> Sequence[str]:
        """Return the certificates of all terminals that may connect."""
        known = self._desk.terminals
        there = {terminal.terminal for terminal in known}
        # A terminal may be back before the office has read of its enrolment.
        new = [certificate for terminal, certificate in self._new.items() if terminal not in there]
        return (*(terminal.certificate for terminal in known if not terminal.revoked), *new)

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses at which terminals find the station."""
        return self._desk.addresses

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        """Use a token up; called in a worker thread."""
        try:
            terminal = self._enrolments.enrol(token, certificate)
        except DatabaseDamaged as error:
            # A stranger learns of a fault in its certificate, and nothing about our database.
            raise Unavailable(str(error)) from error
        if terminal is not None:
            self._new[terminal] = certificate
            self._loop.call_soon_threadsafe(self._enrolled, terminal, certificate)
        return terminal

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        """Check a terminal's proof of a code. See KnownTerminals."""
        proof = await self._desk.newcomers.try_code(tried, place)
        self._enrolled(fingerprint_of_pem(tried.certificate, "enrolment"), tried.certificate)
        return proof

    async def ask_judge(self, asked: AskJudge, place: str) -> None:
        """Wait for the judge's verdict on a terminal. See KnownTerminals.

        One that is known already is accepted at once: the first answer was lost.
        """
        terminal = fingerprint_of_pem(asked.certificate, "enrolment")
        known = any(one.terminal == terminal and not one.revoked for one in self._desk.terminals)
        if not known and not await self._desk.newcomers.at_cable(asked, place):
            raise StrangerRefused("the judge has refused this terminal", CloseCause.REFUSED)
        self._enrolled(terminal, asked.certificate)

    def _enrolled(self, terminal: TerminalId, certificate: str) -> None:
        _log.info("terminal enrolled", terminal=terminal)
        self._new[terminal] = certificate
        self._desk.spawn(terminals.on_enrolled(self._desk))
