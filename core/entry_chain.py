"""Entries as bytes, and the hash that chains each to the one before: journals and proof packs alike."""

import hashlib

import msgspec

GENESIS = bytes(32)
"""The hash before the first link of a chain."""


class ClockReading(msgspec.Struct, frozen=True, array_like=True):
    """A reading of the clocks, for people; order comes from sequence numbers only.

    boot: how often the writer started. monotonic_ms: since that start. wall_ms: since 1970.
    trusted: the wall clock was set by the network, the station or a battery.
    """

    boot: int
    monotonic_ms: int
    wall_ms: int
    trusted: bool


class Content(msgspec.Struct, frozen=True, array_like=True):
    """An entry's bytes as MessagePack: a clock reading and the body (MessagePack too)."""

    clock: ClockReading
    body: msgspec.Raw


def chained_hash(previous: bytes, raw: bytes) -> bytes:
    """SHA-256 over the hash before and an entry's bytes; 32 bytes."""
    return hashlib.sha256(previous + raw).digest()


_decoder = msgspec.msgpack.Decoder(Content)


def content_of(raw: bytes) -> Content:
    """Read an entry's bytes.

    Raises ``msgspec.DecodeError``, or RecursionError where they are too deep, for bytes that are no content.
    """
    return _decoder.decode(raw)
