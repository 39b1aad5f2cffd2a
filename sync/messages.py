"""What two ends of a session say to each other, and how it lies on a stream of bytes.

Each message is MessagePack behind its length in four bytes, most significant first.
"""

import struct

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.entry import Epoch, Head

VERSION = 1
LONGEST = 256 * 1024
"""Bytes of the longest message; a longer one is a fault of the peer."""

_LENGTH = struct.Struct(">I")


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """The first message of each end.

    sending: the durable end of its own stream. holding: what it durably has of the other's.
    """

    version: int
    sending: Head
    holding: Head | None


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


class Farewell(_Message, frozen=True, tag="farewell"):
    """Why the sender closes the connection, in plain English. forked: the two journals disagree."""

    reason: str
    forked: bool = False


class EnrolMe(_Message, frozen=True, tag="enrol-me"):
    """A terminal without a known key asks to be known. certificate: PEM."""

    token: str
    certificate: str


class Enrolled(_Message, frozen=True, tag="enrolled"):
    """The station knows the certificate from now on; connect again with it."""


Message = Hello | Entries | Ack | Beat | Farewell | EnrolMe | Enrolled

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Message)


def message_bytes(message: Message) -> bytes:
    """A message as it lies on the stream."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


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
