"""The interface of the hub's store: streams of entries that are durable when a call returns."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from sync.protocol.entry import Entry, Epoch, Head, StreamId


class Quarantined(msgspec.Struct, frozen=True):
    """An entry that contradicts one already stored under its number; both are kept."""

    entry: Entry
    problem: str


class EntryStore(Protocol):
    """Durable streams. Calls block and belong on a worker thread; all may raise Unavailable.

    Streams written by the store itself share one epoch, created with the store. Others are distinguished by
    epoch.
    """

    def head(self, stream: StreamId) -> Head | None:
        """Return the head of a stream's newest epoch, or None if it is empty."""

    def own_epoch(self) -> Epoch:
        """Return the epoch of the streams written by this store."""

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Append entries to one of the store's own streams, with the next sequence numbers, in one commit."""

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries, of several streams, in one commit.

        Return the new ones, and those that contradict stored ones. Repeated identical entries succeed
        and are in neither.
        """

    def checkpoint(self) -> None:
        """Run maintenance on the disk, which takes a while; called at quiet moments."""

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """Return up to ``count`` entries of a stream's newest epoch after a sequence number, in order."""

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """Return the chained hash after an entry of the newest epoch, GENESIS for 0, or None if missing."""
