"""An entry of a journal: bytes with a place in a stream and a hash that chains it to the one before."""

import hashlib
from typing import NewType

import msgspec

from saloon.core.errors import OurFault

LONGEST_ENTRY = 240 * 1024
"""Bytes of an entry: a message must hold it with room to spare."""

StreamId = NewType("StreamId", str)
"""Who writes: ``table/<terminal>`` up, ``orders/<terminal>`` and ``tournament/<id>`` by the station."""

TerminalId = NewType("TerminalId", str)
"""A terminal, named by the fingerprint of its certificate (32 hex digits)."""

Epoch = NewType("Epoch", str)
"""One life of a journal: 16 hex digits made with it and bound to the board."""

GENESIS = bytes(32)
"""The hash before the first entry of an epoch."""


class ClockReading(msgspec.Struct, frozen=True, array_like=True):
    """What the clocks said, for people; order comes from sequence numbers only.

    boot: how often the writer started. monotonic_ms: since that start. wall_ms: since 1970.
    trusted: the wall clock was set by the network, the station or a battery.
    """

    boot: int
    monotonic_ms: int
    wall_ms: int
    trusted: bool


class Content(msgspec.Struct, frozen=True, array_like=True):
    """What an entry's bytes hold, as MessagePack: a clock reading and the body (MessagePack too)."""

    clock: ClockReading
    body: msgspec.Raw


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


def chained_hash(previous: bytes, raw: bytes) -> bytes:
    """SHA-256 over the hash before and an entry's bytes; 32 bytes."""
    return hashlib.sha256(previous + raw).digest()


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Content)


def content_bytes(clock: ClockReading, body: bytes) -> bytes:
    """The bytes of an entry with this clock reading and this MessagePack body.

    Raises OurFault for one that no message can hold.
    """
    raw = _encoder.encode(Content(clock, msgspec.Raw(body)))
    if len(raw) > LONGEST_ENTRY:
        raise OurFault(f"an entry of {len(raw)} bytes; {LONGEST_ENTRY} are allowed")
    return raw


def content_of(raw: bytes) -> Content:
    """What an entry's bytes hold. Raises ``msgspec.DecodeError`` for bytes that are no content."""
    return _decoder.decode(raw)
