"""A journal entry: bytes with a position in a stream and a hash chained to the previous one."""

from typing import NewType

import msgspec

from base.errors import OurFault
from core.entry_chain import GENESIS, ClockReading, Content, chained_hash, content_of

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
"""Size limit of an entry in bytes, so that it fits into a message with room to spare."""

StreamId = NewType("StreamId", str)
"""A stream's id: ``table/<terminal>`` by terminals, ``orders/…`` and ``tournament/…`` by the station."""

TerminalId = NewType("TerminalId", str)
"""A terminal, identified by the fingerprint of its certificate (32 hex digits)."""

Epoch = NewType("Epoch", str)
"""One life of a journal: 16 random hex digits, tied to the board."""


def orders_of(terminal: TerminalId) -> StreamId:
    return StreamId(f"orders/{terminal}")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """An entry as stored and sent; its bytes are never encoded again."""

    stream: StreamId
    epoch: Epoch
    seq: int
    raw: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, array_like=True):
    """The durable end of a stream: the last sequence number (0 if it is empty) and its hash."""

    stream: StreamId
    epoch: Epoch
    seq: int
    hash: bytes


_encoder = msgspec.msgpack.Encoder()


def content_bytes(clock: ClockReading, body: bytes) -> bytes:
    """Return the bytes of an entry with this clock reading and MessagePack body.

    Raises OurFault for one that doesn't fit into a message.
    """
    raw = _encoder.encode(Content(clock, msgspec.Raw(body)))
    if len(raw) > LONGEST_ENTRY:
        raise OurFault(f"an entry of {len(raw)} bytes; {LONGEST_ENTRY} are allowed")
    return raw
