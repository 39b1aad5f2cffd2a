"""An entry of a journal: bytes with a place in a stream and a hash that chains it to the previous one."""

from typing import NewType

import msgspec

from saloon.base.errors import OurFault
from saloon.core.entry_chain import GENESIS, ClockReading, Content, chained_hash, content_of

__all__ = [
    "GENESIS",
    "LONGEST_ENTRY",
    "ClockReading",
    "Content",
    "Entry",
    "Epoch",
    "Head",
    "StreamId",
    "TerminalId",
    "chained_hash",
    "content_bytes",
    "content_of",
    "orders_of",
]

LONGEST_ENTRY = 240 * 1024
"""The most bytes of an entry: a message must hold it with room to spare."""

StreamId = NewType("StreamId", str)
"""A stream's id: ``table/<terminal>`` up, ``orders/<terminal>`` and ``tournament/<id>`` by the station."""

TerminalId = NewType("TerminalId", str)
"""A terminal, named by the fingerprint of its certificate (32 hex digits)."""

Epoch = NewType("Epoch", str)
"""One life of a journal: 16 hex digits made with it and bound to the board."""


def orders_of(terminal: TerminalId) -> StreamId:
    """Return the stream of a terminal's orders."""
    return StreamId(f"orders/{terminal}")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One entry as stored and sent: its bytes are kept verbatim, never encoded again."""

    stream: StreamId
    epoch: Epoch
    seq: int
    raw: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, array_like=True):
    """The durable end of a stream: the last sequence number (0 for none) and its hash."""

    stream: StreamId
    epoch: Epoch
    seq: int
    hash: bytes


_encoder = msgspec.msgpack.Encoder()


def content_bytes(clock: ClockReading, body: bytes) -> bytes:
    """Return the bytes of an entry with this clock reading and this MessagePack body.

    Raises OurFault for one that no message can hold.
    """
    raw = _encoder.encode(Content(clock, msgspec.Raw(body)))
    if len(raw) > LONGEST_ENTRY:
        raise OurFault(f"an entry of {len(raw)} bytes; {LONGEST_ENTRY} are allowed")
    return raw
