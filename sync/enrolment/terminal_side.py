"""The terminal's end of an enrolment by token, cable or code, inside TLS.

The clients are sans-I/O; ``Attempt`` moves the bytes of one try over one route. The station's certificate is
taken from TLS, but is only trusted, and pinned, once ``is_done`` is true.
"""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from base.errors import PeerFault, Unavailable
from sync.enrolment.agreement import (
    NONCE_BYTES,
    Parties,
    check_code,
    code_key,
    commitment,
    is_same,
    station_proof,
    terminal_proof,
)
from sync.enrolment.provisioning import StationPart
from sync.ports.port import StreamPort
from sync.protocol.messages import (
    Beat,
    CodeProof,
    EnrolByToken,
    Enrolled,
    Farewell,
    JoinByCable,
    JoinByCode,
    Message,
    MessageExchange,
    StationNonce,
    TerminalNonce,
    TurnedAway,
)
from sync.protocol.session import BEAT_MS, SILENCE_MS, Outcome
from sync.tls.certificates import der_of, pem_of
from sync.tls.trust import Connection, TlsStream, stranger_context

_LONGEST_ANSWER = 16 * 1024


class EnrolmentClient(MessageExchange):
    """The common part of the three ways to enrol; a ``PeerProtocol``. ``first`` is the request."""

    def __init__(self, first: Message, now_ms: int) -> None:
        super().__init__(_LONGEST_ANSWER)
        self._say(first, now_ms)
        self._heard_ms = now_ms
        self._enrolled: Enrolled | None = None

    @property
    def is_done(self) -> bool:
        """Return whether the station has enrolled this terminal, and has proven its identity as required."""
        return self._enrolled is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        return self._enrolled.addresses if self._enrolled is not None else ()

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process the station's bytes. There are no outcomes; the properties show the result.

        Raises TurnedAway for a refusal, PeerFault for an unexpected message.
        """
        self._heard_ms = now_ms
        for message in self._reader.feed(data):
            match message:
                case Beat():
                    pass
                case Farewell():
                    raise TurnedAway(message.reason, message.cause)
                case _:
                    for answer in self._answers(message):
                        self._say(answer, now_ms)
        return ()

    def advance(self, now_ms: int) -> None:
        """Send a heartbeat if it is due. Raises Unavailable if the station has been silent for too long."""
        if now_ms - self._heard_ms >= SILENCE_MS:
            raise Unavailable(f"nothing heard for {SILENCE_MS // 1000} s")
        if now_ms - self._spoke_ms >= BEAT_MS:
            self._say(Beat(), now_ms)

    def next_deadline_ms(self) -> int:
        return min(self._heard_ms + SILENCE_MS, self._spoke_ms + BEAT_MS)

    def _answers(self, message: Message) -> Sequence[Message]:
        if not isinstance(message, Enrolled) or not self._is_proven():
            raise PeerFault(f"unexpected answer to an enrolment: {type(message).__name__}")
        self._enrolled = message
        return ()

    def _is_proven(self) -> bool:
        """Return whether the station may confirm the enrolment at this point."""
        return True


class ByToken(EnrolmentClient):
    """Enrolment with the one-time token of a provisioning file. ``certificate`` is the terminal's, in PEM."""

    def __init__(self, token: str, certificate: str, now_ms: int) -> None:
        super().__init__(EnrolByToken(token, certificate), now_ms)


class EnrolmentSecrets(msgspec.Struct, frozen=True):
    """The terminal's half of the values that ``Parties`` combines.

    certificate: its own, in PEM.
    own: the same in DER.
    nonce: 32 random bytes.
    station_certificate: returns the station's certificate (DER) once TLS is up, else None.
    """

    certificate: str
    own: bytes
    nonce: bytes
    station_certificate: Callable[[], bytes | None]

    def with_nonce(self, nonce: bytes) -> Parties:
        """Combine both halves. Raises PeerFault if the station's nonce or certificate is not usable."""
        station = self.station_certificate()
        if station is None or len(nonce) != NONCE_BYTES:
            raise PeerFault("the station did not say who it is")
        return Parties(station, self.own, nonce, self.nonce)


class ByCable(EnrolmentClient):
    """Enrolment by a judge who compares ``check_code``, empty at first, with the station's."""

    def __init__(self, meeting: EnrolmentSecrets, now_ms: int) -> None:
        first = JoinByCable(meeting.certificate, commitment(meeting.own, meeting.nonce))
        super().__init__(first, now_ms)
        self._meeting = meeting
        self.check_code = ""

    def _answers(self, message: Message) -> Sequence[Message]:
        if isinstance(message, StationNonce) and not self.check_code:
            self.check_code = check_code(self._meeting.with_nonce(message.nonce))
            return (TerminalNonce(self._meeting.nonce),)
        return super()._answers(message)

    def _is_proven(self) -> bool:
        return bool(self.check_code)


class ByCode(EnrolmentClient):
    """Enrolment by the code that the station shows.

    Once ``parties`` is set, its owner derives a key from it and the code, which is slow, and calls ``prove``.
    """

    def __init__(self, meeting: EnrolmentSecrets, now_ms: int) -> None:
        super().__init__(JoinByCode(meeting.certificate, meeting.nonce), now_ms)
        self._meeting = meeting
        self.parties: Parties | None = None
        self._key = b""
        self._proven = False

    @property
    def is_tried(self) -> bool:
        """Return whether the proof has been sent, which uses up the code."""
        return bool(self._key)

    def prove(self, key: bytes, now_ms: int) -> None:
        """Send the proof that this end knows the key."""
        self._key = key
        self._say(CodeProof(terminal_proof(key)), now_ms)

    def _answers(self, message: Message) -> Sequence[Message]:
        if isinstance(message, StationNonce) and self.parties is None:
            self.parties = self._meeting.with_nonce(message.nonce)
            return ()
        if isinstance(message, CodeProof) and self._key and not self._proven:
            if not is_same(message.proof, station_proof(self._key)):
                raise PeerFault("this is not the station that shows the code")
            self._proven = True
            return ()
        return super()._answers(message)

    def _is_proven(self) -> bool:
        return self._proven


_GREETING_MS = 10_000
_LOOK_AT_KEY_MS = 40


_KeyMaker = Callable[[str, Parties], bytes]


class Attempt:
    """An enrolment attempt over one route, used by one thread.

    port: not open yet.
    certificate: the file of the terminal's certificate.
    code: empty to ask the judge at the cable.
    key_maker: the slow key derivation, which runs on a thread of its own.
    """

    def __init__(
        self, port: StreamPort, certificate: Path, code: str, now_ms: int, key_maker: _KeyMaker = code_key
    ) -> None:
        self._port = port
        self._code = code
        self._key_maker = key_maker
        self._since_ms = now_ms
        self._key: Future[bytes] | None = None
        self._worker = ThreadPoolExecutor(1, "code") if code else None
        self._tls = TlsStream(stranger_context(), is_station=False)
        own = certificate.read_text(encoding="ascii")
        meeting = EnrolmentSecrets(
            own, der_of(own), secrets.token_bytes(NONCE_BYTES), self._tls.peer_certificate
        )
        self._client = ByCode(meeting, now_ms) if code else ByCable(meeting, now_ms)
        self._connection = Connection(self._tls, self._client)
        self._is_open = False

    @property
    def check_code(self) -> str:
        """The check code for the judge to compare, or empty while there is none."""
        return self._client.check_code if isinstance(self._client, ByCable) else ""

    @property
    def is_tried(self) -> bool:
        """Return whether the code has been used up, whatever the result."""
        return isinstance(self._client, ByCode) and self._client.is_tried

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 if there is none."""
        try:
            return self._port.fileno() if self._is_open else -1
        except Unavailable:
            return -1

    def wants_write(self) -> bool:
        return self._is_open and (self._connection.has_unsent or self._port.wants_write())

    def next_deadline_ms(self, now_ms: int) -> int:
        """Return when ``turn`` must be called next."""
        deadlines = [self._connection.next_deadline_ms(), self._port.next_deadline_ms()]
        if not self._tls.is_up:
            deadlines.append(self._since_ms + _GREETING_MS)
        if self._key is not None:
            deadlines.append(now_ms + _LOOK_AT_KEY_MS)
        return min(at for at in deadlines if at is not None)

    def turn(self, now_ms: int) -> StationPart | None:
        """Move bytes, and return the station to pin, or None while in progress.

        Raises PeerFault or Unavailable.
        """
        if not self._is_open:
            self._port.open()
            self._is_open = True
        self._port.advance(now_ms)
        while data := self._port.read():
            self._connection.from_wire(data, now_ms)
            if self._client.is_done:
                certificate = self._tls.peer_certificate()
                if certificate is None:
                    raise PeerFault("the station did not say who it is")
                return StationPart(pem_of(certificate), self._client.addresses)
        if self._port.was_reset():
            raise Unavailable("the station restarted")
        if not self._tls.is_up and now_ms - self._since_ms > _GREETING_MS:
            raise Unavailable("the station did not answer")
        self._derive(now_ms)
        self._connection.advance(now_ms)
        self._connection.push(self._port.write)
        self._port.advance(now_ms)
        return None

    def close(self) -> None:
        """Release the wire; the attempt can't be continued."""
        self._port.close()
        self._is_open = False
        if self._worker is not None:
            self._worker.shutdown(wait=False)

    def _derive(self, now_ms: int) -> None:
        client = self._client
        if not isinstance(client, ByCode) or client.is_tried or client.parties is None:
            return
        if self._key is None:
            assert self._worker is not None  # created along with the code
            self._key = self._worker.submit(self._key_maker, self._code, client.parties)
        elif self._key.done():
            client.prove(self._key.result(), now_ms)
            self._key = None
