"""Journal entries as bytes, and the hash chain over them, as used by journals and proof packs."""

import hashlib

import msgspec

GENESIS = bytes(32)
"""The previous hash of the first entry in a chain."""


class ClockReading(msgspec.Struct, frozen=True, array_like=True):
    """A reading of the clocks, for display only; order comes from sequence numbers.

    boot: number of times that the writer has started.
    monotonic_ms: milliseconds since that start.
    wall_ms: milliseconds since 1970.
    trusted: whether the wall clock was set by the network, the station or a battery-backed clock.
    """

    boot: int
    monotonic_ms: int
    wall_ms: int
    trusted: bool


class Content(msgspec.Struct, frozen=True, array_like=True):
    """An entry's content as MessagePack: a clock reading and the body (itself MessagePack)."""

    clock: ClockReading
    body: msgspec.Raw


def chained_hash(previous: bytes, raw: bytes) -> bytes:
    """Return the SHA-256 hash of the previous hash and an entry's bytes."""
    return hashlib.sha256(previous + raw).digest()


_decoder = msgspec.msgpack.Decoder(Content)


def content_of(raw: bytes) -> Content:
    """Decode an entry's bytes.

    Raises ``msgspec.DecodeError`` for invalid bytes, or RecursionError if they are nested too deeply.
    """
    return _decoder.decode(raw)
