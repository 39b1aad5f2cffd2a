"""Finds out who is at the other end of a wire, before anything it says is believed."""

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from saloon.core.errors import BadData, PeerFault
from saloon.sync.entry import TerminalId
from saloon.sync.messages import Enrolled, EnrolMe, Farewell, MessageReader, message_bytes
from saloon.sync.trust import TlsStream, fingerprint_of_new, fingerprint_of_pem, station_context
from saloon.sync.wires import Wire

_LOOK_S = 1.0
_LONGEST_REQUEST = 16 * 1024


class KnownTerminals(Protocol):
    """What a line must know of enrolment."""

    def certificates(self) -> Sequence[str]:
        """The PEM certificates of all enrolled terminals."""

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        """Take a token and remember the certificate; None for a token that is not valid."""


class Pins(msgspec.Struct, frozen=True):
    """Whom the station believes now, and the TLS context that does so."""

    terminals: frozenset[TerminalId]
    context: ssl.SSLContext


class PinBoard:
    """The pins of the enrolled certificates, made anew only when these change.

    identity: files of the station's key and certificate.
    """

    def __init__(self, identity: tuple[Path, Path], known: KnownTerminals) -> None:
        self._identity = identity
        self._known = known
        self._certificates: tuple[str, ...] | None = None
        self._pins: Pins | None = None

    def pins(self) -> Pins:
        """The pins now."""
        certificates = tuple(self._known.certificates())
        if self._pins is None or certificates != self._certificates:
            terminals = frozenset(fingerprint_of_pem(pem, "enrolled") for pem in certificates)
            self._pins = Pins(terminals, station_context(*self._identity, certificates))
            self._certificates = certificates
        return self._pins


class Introduction:
    """The beginning of a connection: TLS, and for strangers an enrolment and nothing else.

    unknown_bytes: how much the other end may send before it is known. What has been said behind
    the handshake already is left in ``early``.
    """

    def __init__(self, wire: Wire, pins: Pins, known: KnownTerminals, unknown_bytes: int) -> None:
        self.wire = wire
        self.tls = TlsStream(pins.context, is_station=True)
        self.early = b""
        self._pins = pins
        self._known = known
        self._left = unknown_bytes

    async def terminal(self) -> TerminalId | None:
        """Who is at the other end; None after an enrolment, which ends the connection.

        Raises PeerFault for a wrong certificate or token, Unavailable when the wire ends.
        """
        while not self.tls.is_up:
            self.early += await self._step()
        terminal = self.tls.peer()
        if terminal is None:
            await self._enrol()
        elif terminal not in self._pins.terminals:
            # TLS also believes what an enrolled key has signed; we do not.
            raise PeerFault("the certificate is not one that was enrolled")
        return terminal

    async def _step(self) -> bytes:
        try:
            data = await self.wire.read(_LOOK_S)
            self._left -= len(data)
            if self._left < 0:
                raise PeerFault("too many bytes from somebody unknown")
            return self.tls.from_wire(data) if data else b""
        finally:
            answer = self.tls.to_wire()
            if answer:
                await self.wire.write(answer)

    async def _enrol(self) -> None:
        reader = MessageReader(_LONGEST_REQUEST)
        messages = reader.feed(self.early)
        while not messages:
            messages = reader.feed(await self._step())
        request = messages[0]
        if not isinstance(request, EnrolMe):
            raise PeerFault("a terminal without a certificate may only enrol")
        problem = await self._taken_in(request)
        self.tls.send(message_bytes(Farewell(problem) if problem else Enrolled()))
        await self.wire.write(self.tls.to_wire())
        if problem:
            raise PeerFault(problem)

    async def _taken_in(self, request: EnrolMe) -> str:
        """Enrol; the problem in words, empty for none."""
        try:
            _ = fingerprint_of_new(request.certificate, "the certificate")
        except BadData as error:
            return str(error)
        if await asyncio.to_thread(self._known.enrol, request.token, request.certificate) is None:
            return "the token of the provisioning file is not valid (any more); download a new file"
        return ""
