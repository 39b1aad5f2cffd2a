"""The start of a connection: authenticate the other end before accepting data from it, or enrol it."""

import asyncio
import contextlib
import secrets
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol, assert_never

import msgspec

from base.errors import BadData, PeerFault
from sync.enrolment.agreement import AskJudge, CodeTried, Question, TokenShown
from sync.enrolment.station_side import EnrolmentServer, StrangerRefused
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause
from sync.station.limits import ConnectionStage
from sync.station.wires import Wire, loop_ms
from sync.tls.certificates import der_of, fingerprint_of_pem
from sync.tls.trust import TlsStream, pin_certificates, station_context

_BUDGET_S: Final = 0.005


class FairYield:
    """A scheduler that gives expensive steps only a few milliseconds of each round of the event loop.

    A handshake takes milliseconds of processor time. Hundreds of them at the same moment would delay the
    entries of all tables until the last one had ended.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._is_spent = False

    async def wait(self) -> None:
        """Wait until this round has time for another step."""
        loop = asyncio.get_running_loop()
        while self._is_spent:  # noqa: ASYNC110 (rounds of the loop are awaited)
            await asyncio.sleep(0)
        if not self._since:
            self._since = loop.time()
            loop.call_soon(self._renew)
        elif loop.time() - self._since >= _BUDGET_S:
            self._is_spent = True
            await self.wait()

    def _renew(self) -> None:
        self._since, self._is_spent = 0.0, False


UNUSABLE: Final = "its stored certificate can't be used, so it can't connect; revoke it and enrol it again"
"""The alarm about terminals in ``CertificatePins.unusable``."""
_LOOK_S = 1.0
_LOOK_AT_ANSWER_S = 0.1


class KnownTerminals(Protocol):
    """The enrolled terminals, their certificates, and the ways to enrol another."""

    def certificates(self) -> Sequence[str]:
        """Return the certificates (PEM) of all enrolled terminals."""

    def addresses(self) -> tuple[str, ...]:
        """Return the station's addresses for terminals, as ``host:port``."""

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        """Enrol a terminal and use up its token, or return None if the token is invalid. May block."""

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        """Check a terminal's proof of the code, enrol the terminal durably, and return the station's proof.

        ``place`` is where the terminal is. Raises StrangerRefused, after which the code is used up.
        """

    async def ask_judge(self, request: AskJudge, place: str) -> None:
        """Wait until the judge has accepted the terminal at a cable and it is durably enrolled.

        Cancelled if the terminal disconnects. Raises StrangerRefused.
        """


class CertificatePins(msgspec.Struct, frozen=True):
    """The terminals that the station trusts, and the TLS context that pins their certificates.

    ``station`` is the station's certificate (DER). OpenSSL can't load the certificates of ``unusable``
    terminals, which therefore can't connect.
    """

    terminals: frozenset[TerminalId]
    context: ssl.SSLContext
    station: bytes
    unusable: frozenset[TerminalId] = frozenset()


class PinnedCertificates:
    """The pins for all enrolled certificates, computed again only when these change.

    ``identity`` contains the files of the station's key and certificate.
    """

    def __init__(self, identity: tuple[Path, Path], known: KnownTerminals) -> None:
        self._identity = identity
        self._known = known
        self._certificates: tuple[str, ...] | None = None
        self._pins: CertificatePins | None = None

    def pins(self) -> CertificatePins:
        """Return the current pins."""
        certificates = tuple(self._known.certificates())
        if self._pins is None or certificates != self._certificates:
            context = station_context(*self._identity, ())
            bad = frozenset(pin_certificates(context, certificates))
            own = der_of(self._identity[1].read_text(encoding="ascii"))
            known = frozenset(fingerprint_of_pem(pem, "enrolled") for pem in certificates if pem not in bad)
            self._pins = CertificatePins(known, context, own, frozenset(_terminals_of(bad)))
            self._certificates = certificates
        return self._pins


def _terminals_of(certificates: Iterable[str]) -> Iterator[TerminalId]:
    for certificate in certificates:
        with contextlib.suppress(BadData):
            yield fingerprint_of_pem(certificate, "enrolled")


class Handshake:
    """The start of a connection: TLS and, for an unknown terminal, its enrolment.

    unknown_bytes: the most bytes accepted before the other end is identified.
    place: where the wire leads, for display.
    on_stage: called when the connection reaches another stage.
    turns: delays expensive steps while there are many.
    """

    def __init__(
        self,
        wire: Wire,
        pins: CertificatePins,
        known: KnownTerminals,
        unknown_bytes: int,
        *,
        place: str = "",
        on_stage: Callable[[ConnectionStage], None] = lambda _: None,
        turns: FairYield | None = None,
    ) -> None:
        self.wire = wire
        self.tls = TlsStream(pins.context, is_station=True)
        self.early = b""
        self._pins = pins
        self._known = known
        self._left = unknown_bytes
        self._place = place or wire.address
        self._on_stage = on_stage
        self._turns = turns

    async def run(self) -> TerminalId | None:
        """Identify the terminal at the other end, or enrol it and return None; the connection then ends.

        Raises PeerFault for a wrong certificate, token or code, Unavailable if the wire is gone.
        """
        while not self.tls.is_up:
            self.early += await self._step(_LOOK_S)
        terminal = self.tls.peer()
        if terminal is None:
            await self._enrol()
        elif terminal not in self._pins.terminals:
            # TLS also trusts certificates that an enrolled key has signed; we do not.
            raise PeerFault("the certificate is not one that was enrolled")
        return terminal

    async def _step(self, look_s: float) -> bytes:
        try:
            data = await self.wire.read(look_s)
            if data:
                self._on_stage(ConnectionStage.SPEAKING)
                if self._turns is not None and not self.tls.is_up:
                    await self._turns.wait()
                    self._on_stage(ConnectionStage.SPEAKING)
            self._left -= len(data)
            if self._left < 0:
                raise PeerFault("too many bytes before identification")
            return self.tls.from_wire(data) if data else b""
        finally:
            answer = self.tls.to_wire()
            if answer:
                await self.wire.write(answer)

    async def _enrol(self) -> None:
        server = EnrolmentServer(self._pins.station, secrets.token_bytes(32), by_cable=not self.wire.address)
        try:
            question = server.receive(self.early, loop_ms())
            while question is None:
                await self._say(server)
                question = server.receive(await self._step(_LOOK_S), loop_ms())
            self._on_stage(ConnectionStage.SERVED)
            proof = await self._answer(question, server)
            server.welcome(self._known.addresses(), loop_ms(), proof)
        except StrangerRefused as refused:
            server.turn_away(str(refused), refused.cause, loop_ms())
            raise
        finally:
            await self._say(server)

    async def _say(self, server: EnrolmentServer) -> None:
        self.tls.send(server.outgoing())
        data = self.tls.to_wire()
        if data:
            await self.wire.write(data)

    async def _answer(self, question: Question, server: EnrolmentServer) -> bytes:
        """Wait for the answer to a question while watching the wire. Raises StrangerRefused."""
        task = asyncio.ensure_future(self._answer_question(question))
        try:
            while not task.done():
                server.receive(await self._step(_LOOK_AT_ANSWER_S), loop_ms())
                server.advance(loop_ms())
                await self._say(server)
        finally:
            if not task.cancel() and not task.cancelled():
                # If the wire ends before the answer is read, retrieve its error to avoid a warning.
                task.exception()
        return await task

    async def _answer_question(self, question: Question) -> bytes:
        match question:
            case TokenShown():
                enrol = self._known.enrol
                try:
                    terminal = await asyncio.to_thread(enrol, question.token, question.certificate)
                except BadData as error:
                    raise StrangerRefused(str(error), CloseCause.OTHER) from error
                if terminal is None:
                    raise StrangerRefused(
                        "the token of the provisioning file is not valid (any more); download a new file",
                        CloseCause.TOKEN,
                    )
                return b""
            case AskJudge():
                await self._known.ask_judge(question, self._place)
                return b""
            case CodeTried():
                return await self._known.try_code(question, self._place)
            case _:
                assert_never(question)
