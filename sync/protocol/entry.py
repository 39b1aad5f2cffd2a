"""Journal entries: bytes with a position in a stream and a hash chained to the previous one.

``EntryStore`` is the interface of the station's store.
"""

from collections.abc import Sequence
from typing import NewType, Protocol

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
    "table_stream",
]

LONGEST_ENTRY = 240 * 1024
"""The most bytes of an entry, which then fits into a message with room to spare."""

StreamId = NewType("StreamId", str)
"""A stream's id: ``table/<terminal>`` by terminals, ``orders/…`` and ``tournament/…`` by the station."""

TerminalId = NewType("TerminalId", str)
"""A terminal, identified by the fingerprint of its certificate (32 hex digits)."""

Epoch = NewType("Epoch", str)
"""One life of a journal: 16 random hex digits."""


def table_stream(terminal: TerminalId) -> StreamId:
    return StreamId(f"table/{terminal}")


def orders_of(terminal: TerminalId) -> StreamId:
    return StreamId(f"orders/{terminal}")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """An entry as stored and sent. Its bytes are never encoded again, as that could change its hash."""

    stream: StreamId
    epoch: Epoch
    seq: int
    raw: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, array_like=True):
    """The durable end of a stream: the last sequence number, 0 if it is empty, and its hash."""

    stream: StreamId
    epoch: Epoch
    seq: int
    hash: bytes


_encoder = msgspec.msgpack.Encoder()


def content_bytes(clock: ClockReading, body: bytes) -> bytes:
    """Encode an entry from a clock reading and a MessagePack body. Raises OurFault if it is too long."""
    raw = _encoder.encode(Content(clock, msgspec.Raw(body)))
    if len(raw) > LONGEST_ENTRY:
        raise OurFault(f"an entry of {len(raw)} bytes; {LONGEST_ENTRY} are allowed")
    return raw


class Quarantined(msgspec.Struct, frozen=True):
    """An entry that contradicts the one stored under its number; both are kept."""

    entry: Entry
    problem: str


class EntryStore(Protocol):
    """Durable streams. Calls block, so they belong on a worker thread, and may raise Unavailable.

    The store's own streams share one epoch, created with the store. Each received stream has its own epochs.
    """

    def head(self, stream: StreamId) -> Head | None:
        """Return the head of a stream's newest epoch, or None if it has no entries."""

    def own_epoch(self) -> Epoch:
        """Return the epoch of the streams written by this store."""

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Append entries to one of the store's own streams, in one commit."""

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries of several streams in one commit.

        Return the new entries, and those that contradict stored ones. Entries that are stored already are
        in neither.
        """

    def checkpoint(self) -> None:
        """Run maintenance on the disk, which takes a while, so it is called at quiet moments."""

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """Return up to ``count`` entries of a stream's newest epoch after a sequence number, in order."""

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """Return the chained hash after an entry of the newest epoch; GENESIS for 0, None if missing."""
