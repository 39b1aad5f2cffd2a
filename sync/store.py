"""What the station's store offers to the hub: streams of entries that are durable when a call returns."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from saloon.sync.entry import Entry, Epoch, Head, StreamId


class Quarantined(msgspec.Struct, frozen=True):
    """An entry that disagrees with one already stored under its number; both are kept."""

    entry: Entry
    problem: str


class EntryStore(Protocol):
    """Durable streams. Calls block and belong on a worker thread; all may raise Unavailable.

    Own streams have one epoch, made with the store. Others' streams are told apart by epoch.
    """

    def head(self, stream: StreamId) -> Head | None:
        """The end of a stream's newest epoch; None for no entry."""

    def own_epoch(self) -> Epoch:
        """The epoch of the streams that this store writes itself."""

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        """Give the next sequence numbers to entries of an own stream, in one commit."""

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        """Store received entries, of several streams, in one commit.

        The ones that are new now, and the ones that disagree with what is stored. The same
        bytes again are a success and neither.
        """

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        """At most so many entries of a stream's newest epoch behind a sequence number, in order."""

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        """The chained hash after an entry of the newest epoch; GENESIS for 0; None for a missing one."""
