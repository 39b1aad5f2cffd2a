"""The terminal's end of an enrolment by token, cable or code. Sans-I/O, inside TLS.

The station's certificate is taken from TLS, but only trusted, and pinned, once ``is_done`` is true.
"""

from collections.abc import Callable, Sequence

from base.errors import PeerFault, Unavailable
from sync.enrolment.agreement import (
    NONCE_BYTES,
    Parties,
    check_code,
    commitment,
    is_same,
    station_proof,
    terminal_proof,
)
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
        """Return whether the station has enrolled this terminal and has proven itself as required."""
        return self._enrolled is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The station's addresses, as reported by itself."""
        return self._enrolled.addresses if self._enrolled is not None else ()

    def receive(self, data: bytes, now_ms: int) -> tuple[Outcome, ...]:
        """Process bytes. Nothing is returned; the properties show the result.

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
        """Send a heartbeat. Raises Unavailable if the station has been silent for too long."""
        if now_ms - self._heard_ms >= SILENCE_MS:
            raise Unavailable(f"nothing heard for {SILENCE_MS // 1000} s")
        if now_ms - self._spoke_ms >= BEAT_MS:
            self._say(Beat(), now_ms)

    def next_deadline_ms(self) -> int:
        """Return the time at which ``advance`` must be called next."""
        return min(self._heard_ms + SILENCE_MS, self._spoke_ms + BEAT_MS)

    def _answers(self, message: Message) -> Sequence[Message]:
        """Return the replies to a message from the station."""
        if not isinstance(message, Enrolled) or not self._is_proven():
            raise PeerFault(f"unexpected answer to an enrolment: {type(message).__name__}")
        self._enrolled = message
        return ()

    def _is_proven(self) -> bool:
        """Return whether the station may confirm the enrolment at this point."""
        return True


class ByToken(EnrolmentClient):
    """Enrolment with the one-time token of a provisioning file. ``certificate`` is the terminal's, PEM."""

    def __init__(self, token: str, certificate: str, now_ms: int) -> None:
        super().__init__(EnrolByToken(token, certificate), now_ms)


class EnrolmentSecrets:
    """The terminal's half of the shared facts.

    certificate: its own, PEM and DER.
    nonce: 32 random bytes.
    station: returns the station's certificate (DER), once TLS is up.
    """

    def __init__(
        self, certificate: str, own: bytes, nonce: bytes, station: Callable[[], bytes | None]
    ) -> None:
        self.certificate = certificate
        self.own = own
        self.nonce = nonce
        self._station = station

    def with_nonce(self, nonce: bytes) -> Parties:
        """Combine both halves. Raises PeerFault for a nonce of wrong length, or no station certificate."""
        station = self._station()
        if station is None or len(nonce) != NONCE_BYTES:
            raise PeerFault("the station did not say who it is")
        return Parties(station, self.own, nonce, self.nonce)


class ByCable(EnrolmentClient):
    """Enrolment by a judge who compares ``check_code`` (empty at first) with the station's."""

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

    Once ``parties`` is set, derive a key from it and the code, which is slow; then call ``prove``.
    """

    def __init__(self, meeting: EnrolmentSecrets, now_ms: int) -> None:
        super().__init__(JoinByCode(meeting.certificate, meeting.nonce), now_ms)
        self._meeting = meeting
        self.parties: Parties | None = None
        self._key = b""
        self._proven = False

    @property
    def is_tried(self) -> bool:
        """Return whether the proof has been sent, which uses up the only attempt."""
        return bool(self._key)

    def prove(self, key: bytes, now_ms: int) -> None:
        """Send the proof made with the key of code and parties."""
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
