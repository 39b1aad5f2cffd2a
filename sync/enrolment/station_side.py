"""The station's end of an enrolment, inside TLS; sans-I/O.

It returns questions for others to decide: is this token or code valid, does the judge agree? The answer is
passed to ``welcome`` or ``turn_away``.
"""

from msgspec.structs import replace

from base.errors import BadData, PeerFault
from sync.enrolment.agreement import (
    NONCE_BYTES,
    AskJudge,
    CodeTried,
    Parties,
    Question,
    TokenShown,
    check_code,
    commitment,
    is_same,
)
from sync.protocol.messages import (
    Beat,
    CloseCause,
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
)
from sync.protocol.session import BEAT_MS
from sync.tls.certificates import check_certificate, der_of

_LONGEST_REQUEST = 16 * 1024


class EnrolmentServer(MessageExchange):
    """The enrolment of one unknown terminal. Only one at a cable may ask the judge."""

    def __init__(self, station: bytes, nonce: bytes, *, by_cable: bool) -> None:
        super().__init__(_LONGEST_REQUEST)
        self._station = station
        self._nonce = nonce
        self._by_cable = by_cable
        self._request: Message | None = None
        self._is_asked = False

    def receive(self, data: bytes, now_ms: int) -> Question | None:
        """Return the question to decide, at most one per terminal. Raises PeerFault to refuse it."""
        for message in self._reader.feed(data):
            question = self._on_message(message, now_ms)
            if question is not None:
                self._is_asked = True
                return question
        return None

    def advance(self, now_ms: int) -> None:
        if now_ms - self._spoke_ms >= BEAT_MS:
            self._say(Beat(), now_ms)

    def welcome(self, addresses: tuple[str, ...], now_ms: int, proof: bytes = b"") -> None:
        """Confirm that the terminal is durably enrolled. ``proof`` is the station's if a code was tried."""
        if proof:
            self._say(CodeProof(proof), now_ms)
        self._say(Enrolled(addresses), now_ms)

    def turn_away(self, reason: str, cause: CloseCause, now_ms: int) -> None:
        self._say(Farewell(reason, cause=cause), now_ms)

    def _on_message(self, message: Message, now_ms: int) -> Question | None:
        if isinstance(message, Beat) and self._request is not None:
            return None
        if self._is_asked:
            raise PeerFault("only one request is allowed")
        if self._request is None:
            return self._on_request(message, now_ms)
        match self._request, message:
            case JoinByCable(), TerminalNonce():
                return self._open_commitment(self._request, message)
            case JoinByCode(), CodeProof():
                parties = self._parties(self._request.certificate, self._request.nonce)
                return CodeTried(self._request.certificate, parties, message.proof)
            case _:
                raise PeerFault(f"{type(message).__name__} is not allowed here")

    def _on_request(self, message: Message, now_ms: int) -> Question | None:
        match message:
            case EnrolByToken():
                pass
            case JoinByCable():
                if not self._by_cable:
                    raise StrangerRefused("only a terminal at a cable may ask the judge", CloseCause.NO_CABLE)
            case JoinByCode():
                if len(message.nonce) != NONCE_BYTES:
                    raise PeerFault("a number of the wrong length")
            case _:
                raise PeerFault("a terminal without a certificate may only enrol")
        # From here on only our own encoding is used, without any text around the certificate.
        try:
            message = replace(message, certificate=check_certificate(message.certificate, "the certificate"))
        except BadData as error:
            raise StrangerRefused(str(error), CloseCause.OTHER) from error
        self._request, self._spoke_ms = message, now_ms
        if isinstance(message, EnrolByToken):
            return TokenShown(message.token, message.certificate)
        self._say(StationNonce(self._nonce), now_ms)
        return None

    def _open_commitment(self, request: JoinByCable, message: TerminalNonce) -> AskJudge:
        parties = self._parties(request.certificate, message.nonce)
        kept = commitment(parties.terminal, message.nonce)
        if len(message.nonce) != NONCE_BYTES or not is_same(request.commitment, kept):
            raise PeerFault("the terminal changed its number")
        return AskJudge(request.certificate, check_code(parties))

    def _parties(self, certificate: str, nonce: bytes) -> Parties:
        return Parties(self._station, der_of(certificate), self._nonce, nonce)


class StrangerRefused(PeerFault):
    """A refusal whose reason is sent to the terminal before the connection closes."""

    def __init__(self, reason: str, cause: CloseCause) -> None:
        self.cause = cause
        super().__init__(reason)
