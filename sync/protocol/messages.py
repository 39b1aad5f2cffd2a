"""The messages of sessions and enrolments, and their encoding on a stream of bytes.

Each message is MessagePack, preceded by its length in four bytes, most significant first.
"""

import enum
import struct
from typing import Annotated, Final

import msgspec

from base.errors import PeerFault
from sync.protocol.entry import Epoch, Head
from sync.update.bundle import About
from sync.update.messages import UpdateMessage, UpdateOffer

VERSION = 1
LONGEST = 256 * 1024
"""The most bytes of a message; sending a longer one is a fault of the peer."""

_LENGTH = struct.Struct(">I")
_LATEST_MS: Final = 2**53


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """The first message from each end.

    sending: durable head of the sender's own stream.
    holding: head of the receiver's stream as stored by the sender.
    about: the program it runs. No new versions are offered to a sender that omits it.
    at_ms: its wall clock in ms since 1970, from which a board that has no clock can set its time; 0 if
        omitted.
    """

    version: int
    sending: Head
    holding: Head | None
    about: About | None = None
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=_LATEST_MS)] = 0


class Entries(_Message, frozen=True, tag="entries"):
    """Entries of the sender's stream, unmodified, from a sequence number on."""

    epoch: Epoch
    first: int
    raws: tuple[bytes, ...]


class Ack(_Message, frozen=True, tag="ack"):
    """An acknowledgement that all entries up to this one are durable at the receiver."""

    epoch: Epoch
    seq: int
    hash: bytes


class Beat(_Message, frozen=True, tag="beat"):
    """A heartbeat, sent when there is nothing else to send."""


class CloseCause(enum.Enum):
    """A machine-readable reason for closing a connection."""

    OTHER = ""
    REVOKED = "revoked"
    TOKEN = "token"  # noqa: S105 (a word on the wire)
    """The token of a provisioning file is invalid, or was used up."""
    NO_CODE = "no-code"
    """The station shows no code at the moment, or the code has already been tried."""
    WRONG_CODE = "wrong-code"
    REFUSED = "refused"
    """The judge refused a terminal at a cable."""
    NO_CABLE = "no-cable"
    """A terminal that has neither token nor code may only ask by cable."""


class Farewell(_Message, frozen=True, tag="farewell"):
    """The reason why the sender closes the connection, in English.

    ``forked`` is True if the two journals disagree.
    """

    reason: str
    forked: bool = False
    cause: CloseCause = CloseCause.OTHER


class EnrolByToken(_Message, frozen=True, tag="enrol-me"):
    """A request to enrol with the token of a provisioning file. ``certificate`` is the terminal's, in PEM."""

    token: str
    certificate: str


class JoinByCable(_Message, frozen=True, tag="join-cable"):
    """A request to enrol from a terminal at a cable, which commits itself to a nonce by its hash."""

    certificate: str
    commitment: bytes


class JoinByCode(_Message, frozen=True, tag="join-code"):
    """A request to enrol with the code that the station shows. ``certificate`` is the terminal's, in PEM."""

    certificate: str
    nonce: bytes


class StationNonce(_Message, frozen=True, tag="station-nonce"):
    """The station's random number for this enrolment."""

    nonce: bytes


class TerminalNonce(_Message, frozen=True, tag="terminal-nonce"):
    """The nonce to which a terminal at a cable has committed itself."""

    nonce: bytes


class CodeProof(_Message, frozen=True, tag="code-proof"):
    """A proof that the sender knows the code; the terminal sends its proof first."""

    proof: bytes


class Enrolled(_Message, frozen=True, tag="enrolled"):
    """A confirmation that the terminal is enrolled; it must reconnect with its certificate.

    ``addresses`` are the station's, as ``host:port``; if empty, those of the provisioning file remain valid.
    """

    addresses: tuple[str, ...] = ()


Enrolling = EnrolByToken | JoinByCable | JoinByCode | StationNonce | TerminalNonce | CodeProof | Enrolled
"""The messages of an enrolment, which are invalid in a session."""

Message = Hello | Entries | Ack | Beat | Farewell | Enrolling | UpdateMessage


class TurnedAway(PeerFault):
    """The other end closed the connection with a farewell."""

    def __init__(self, reason: str, cause: CloseCause) -> None:
        self.cause = cause
        super().__init__(reason)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Message)


def message_bytes(message: Message) -> bytes:
    body = _encoder.encode(_without_silence(message))
    return _LENGTH.pack(len(body)) + body


def _without_silence(message: Message) -> Message | tuple[object, ...]:
    match message:
        case Hello(at_ms=0):
            words = ("hello", message.version, message.sending, message.holding)
            return words if message.about is None else (*words, message.about)
        case UpdateOffer(again=False):
            return ("update-offer", message.head)
        case _:
            return message


class MessageReader:
    """A parser that splits a stream into messages and buffers at most one incomplete message."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[Message, ...]:
        """Return the messages that these bytes complete. Raises PeerFault for an invalid one."""
        self._buffer += data
        messages: list[Message] = []
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > self._longest:
                raise PeerFault(f"a message of {length} bytes; {self._longest} are allowed")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                break
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            try:
                messages.append(_decoder.decode(body))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise PeerFault(f"an invalid message: {error}") from error
        return tuple(messages)

    def pending_bytes(self) -> int:
        return len(self._buffer)


class MessageExchange:
    """One end of an exchange of messages, which queues those to send; sans-I/O."""

    def __init__(self, longest: int) -> None:
        self._reader = MessageReader(longest)
        self._out = bytearray()
        self._spoke_ms = 0

    def pending_bytes(self) -> int:
        return self._reader.pending_bytes()

    def outgoing(self) -> bytes:
        """Return and remove the bytes to send now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _say(self, message: Message, now_ms: int) -> None:
        self._out += message_bytes(message)
        self._spoke_ms = now_ms
