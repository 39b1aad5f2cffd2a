"""What two ends of a session say to each other, and how it lies on a stream of bytes.

Each message is MessagePack behind its length in four bytes, most significant first.
"""

import enum
import struct
from typing import Annotated, Final

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.entry import Epoch, Head
from saloon.sync.update.about import About
from saloon.sync.update.messages import UpdateMessage, UpdateOffer

VERSION = 1
LONGEST = 256 * 1024
"""Bytes of the longest message; a longer one is a fault of the peer."""

_LENGTH = struct.Struct(">I")
_LATEST_MS: Final = 2**53


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """The first message of each end.

    sending: the durable end of its own stream. holding: what it durably has of the other's.
    about: which program it runs; None of an end that does not say, and is told nothing of new versions.
    at_ms: what its wall clock shows, since 1970, for a board without one; 0 of an end that does not say.
    """

    version: int
    sending: Head
    holding: Head | None
    about: About | None = None
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=_LATEST_MS)] = 0


class Entries(_Message, frozen=True, tag="entries"):
    """Entries of the sender's stream, verbatim, from a sequence number on."""

    epoch: Epoch
    first: int
    raws: tuple[bytes, ...]


class Ack(_Message, frozen=True, tag="ack"):
    """All entries up to this one are durable at the receiver."""

    epoch: Epoch
    seq: int
    hash: bytes


class Beat(_Message, frozen=True, tag="beat"):
    """Nothing to say, still here."""


class Cause(enum.Enum):
    """Why somebody was turned away, for machines and other languages."""

    OTHER = ""
    REVOKED = "revoked"
    TOKEN = "token"  # noqa: S105 (a word on the wire)
    """The token of a provisioning file is not valid, or not any more."""
    NO_CODE = "no-code"
    """The station shows no code now, or its code was tried already."""
    WRONG_CODE = "wrong-code"
    REFUSED = "refused"
    """The judge refused a terminal at a cable."""
    NO_CABLE = "no-cable"
    """Only a terminal at a cable may ask without a token or code."""


class Farewell(_Message, frozen=True, tag="farewell"):
    """Why the sender closes the connection, in plain English. forked: the two journals disagree."""

    reason: str
    forked: bool = False
    cause: Cause = Cause.OTHER


class EnrolMe(_Message, frozen=True, tag="enrol-me"):
    """A terminal without a known key asks to be known. certificate: PEM."""

    token: str
    certificate: str


class JoinByCable(_Message, frozen=True, tag="join-cable"):
    """A terminal at a cable asks the judge to be known. certificate: PEM. commitment: to its number."""

    certificate: str
    commitment: bytes


class JoinByCode(_Message, frozen=True, tag="join-code"):
    """A terminal asks to be known by the code that the station shows. certificate: PEM."""

    certificate: str
    nonce: bytes


class StationNonce(_Message, frozen=True, tag="station-nonce"):
    """The number that the station drew for this meeting."""

    nonce: bytes


class TerminalNonce(_Message, frozen=True, tag="terminal-nonce"):
    """The number that a terminal at a cable committed itself to."""

    nonce: bytes


class CodeProof(_Message, frozen=True, tag="code-proof"):
    """That the sender knows the code: of the terminal first, and only then of the station."""

    proof: bytes


class Enrolled(_Message, frozen=True, tag="enrolled"):
    """The station knows the certificate from now on; connect again with it.

    addresses: where the station can be found, ``host:port``; none for those of the provisioning file.
    """

    addresses: tuple[str, ...] = ()


Enrolling = EnrolMe | JoinByCable | JoinByCode | StationNonce | TerminalNonce | CodeProof | Enrolled
"""What is said before a terminal is known; it has no place in a session."""

Message = Hello | Entries | Ack | Beat | Farewell | Enrolling | UpdateMessage


class TurnedAway(PeerFault):
    """The other end said farewell. cause: why, where it has a name."""

    def __init__(self, reason: str, cause: Cause) -> None:
        self.cause = cause
        super().__init__(reason)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Message)


def message_bytes(message: Message) -> bytes:
    """A message as it lies on the stream."""
    body = _encoder.encode(_without_silence(message))
    return _LENGTH.pack(len(body)) + body


def _without_silence(message: Message) -> Message | tuple[object, ...]:
    """A message without last fields that say nothing: an end of an earlier version knows no such."""
    match message:
        case Hello():
            return _hello_words(message)
        case UpdateOffer(again=False):
            return ("update-offer", message.head)
        case _:
            return message


def _hello_words(hello: Hello) -> tuple[object, ...]:
    """What it says, without an end that says nothing: an end of an earlier version said no more."""
    words = ("hello", hello.version, hello.sending, hello.holding, hello.about, hello.at_ms)
    if hello.at_ms:
        return words
    return words[:-2] if hello.about is None else words[:-1]


class MessageReader:
    """Cuts a stream of bytes into messages; never holds more than one message that is too short."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[Message, ...]:
        """The messages that are complete with these bytes. Raises PeerFault for what is none."""
        self._buffer += data
        found: list[Message] = []
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
                found.append(_decoder.decode(body))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise PeerFault(f"no message: {error}") from error
        return tuple(found)

    def held(self) -> int:
        """Bytes that wait for their message's end."""
        return len(self._buffer)
