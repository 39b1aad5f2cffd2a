"""The reader of a session's messages: any bytes give messages or a fault of the peer."""

from base.errors import PeerFault
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    EnrolByToken,
    Enrolled,
    Entries,
    Farewell,
    Hello,
    Message,
    MessageReader,
    message_bytes,
)

_LENGTH = 4
_HEAD = Head(StreamId("table/1"), Epoch("5" * 16), 7, GENESIS)
SEEDS = tuple(
    message_bytes(message)
    for message in (
        Hello(1, _HEAD, None),
        Hello(1, _HEAD, _HEAD),
        Entries(_HEAD.epoch, 1, (b"", b"x" * 40)),
        Ack(_HEAD.epoch, 7, GENESIS),
        Beat(),
        Farewell("over", forked=True),
        EnrolByToken("token", "-----BEGIN"),
        Enrolled(),
    )
)


def one_input(data: bytes) -> None:
    """Feed the bytes whole and in pieces with equal results, and encode accepted messages to the same bytes.

    After a fault nothing is accepted, not even from the same piece.
    """
    in_pieces = read(MessageReader(), data, 7)
    at_once = read(MessageReader(), data, len(data) or 1)
    assert in_pieces[: len(at_once)] == at_once
    for message in in_pieces:
        assert MessageReader().feed(message_bytes(message)) == (message,)


def read(reader: MessageReader, data: bytes, size: int) -> tuple[Message, ...]:
    """Return the messages before the first fault."""
    messages: list[Message] = []
    for at in range(0, len(data), size):
        try:
            messages.extend(reader.feed(data[at : at + size]))
        except PeerFault:
            break
        assert reader.pending_bytes() <= LONGEST + _LENGTH
    return tuple(messages)
