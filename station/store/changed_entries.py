"""Find stored entries that a failing disk has altered, by their hash chains and SQLite's index."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from base.errors import BadData
from station.store.streams import TERMINALS, EntryRow, Key, StoredEntry
from sync.protocol.entry import GENESIS, Entry, Epoch, Head, StreamId, chained_hash

_COUNTS: Final = """
    SELECT stream, epoch, count(*) AS found FROM entries INDEXED BY sqlite_autoindex_entries_1
    GROUP BY stream, epoch
"""
_MOVED: Final = """
    SELECT arrival, stream, epoch, seq FROM entries AS stored NOT INDEXED
    WHERE NOT EXISTS (
        SELECT 1 FROM entries AS known INDEXED BY sqlite_autoindex_entries_1
        WHERE known.stream = stored.stream AND known.epoch = stored.epoch AND known.seq = stored.seq
            AND known.arrival = stored.arrival
    )
"""
_PLACES: Final = "SELECT arrival, stream FROM entries INDEXED BY sqlite_autoindex_entries_1"
_OWN_CHANGED: Final = "the stored bytes have changed, as on a failing disk; restore the last backup"
_TWO_AT_ONE_PLACE: Final = f"two have one place: {_OWN_CHANGED}"
FLIPPED: Final = "the stored bytes have changed: the disk is failing"


class _Chain(msgspec.Struct, gc=False):
    """The verified part of an epoch. ``end`` is the hash of its last entry."""

    stream: StreamId
    epoch: Epoch
    seq: int = 0
    end: bytes = GENESIS
    is_broken: bool = False


class ChainCheck:
    """Checks stored entries, in order of arrival, against their hash chains."""

    def __init__(self) -> None:
        self._chains: dict[Key, _Chain] = {}
        self._latest: dict[StreamId, _Chain] = {}
        self._changed: dict[Key, Entry] = {}

    @property
    def changed(self) -> tuple[Entry, ...]:
        """Return the first altered entry of each broken epoch of a terminal."""
        return tuple(self._changed.values())

    @property
    def counts(self) -> Mapping[Key, int]:
        return {key: chain.seq for key, chain in self._chains.items()}

    @property
    def heads(self) -> tuple[Head, ...]:
        return tuple(Head(chain.stream, chain.epoch, chain.seq, chain.end) for chain in self._chains.values())

    @property
    def whole_to(self) -> Mapping[Key, int]:
        """Return the last unaltered sequence number of each broken epoch of a terminal."""
        return {key: self._chains[key].seq for key in self._changed}

    def passes(self, key: Key, first: int, last: int, before: bytes, end: bytes) -> bool:
        """Skip entries that were verified before, and return whether they continue their chain.

        before, end: the hashes before the first and after the last of them.
        """
        chain = self._latest[key[0]] = self._chains.setdefault(key, _Chain(*key))
        if chain.is_broken or (chain.seq + 1, chain.end) != (first, before):
            chain.is_broken = True
            self._changed.setdefault(key, Entry(*key, first, b"", end))
            return False
        chain.seq, chain.end = last, end
        return True

    def unchanged(self, rows: Iterable[EntryRow]) -> list[StoredEntry]:
        """Check the next rows, and return the entries before the first altered one of each epoch.

        Raises BadData for an altered entry of the station itself, which only a backup could replace.
        """
        latest, entries = self._latest, []
        for arrival, stream, epoch, seq, raw, hashed, _ in rows:
            chain = latest.get(stream)
            if chain is None or chain.epoch != epoch:
                chain = latest[stream] = self._chains.setdefault((stream, epoch), _Chain(stream, epoch))
            if seq == chain.seq + 1 and hashed == chained_hash(chain.end, raw) and not chain.is_broken:
                chain.seq, chain.end = seq, hashed
                # The chain's strings replace the equal ones that the driver has made for this row.
                entries.append(StoredEntry(arrival, chain.stream, chain.epoch, seq, raw))
                continue
            if not stream.startswith(TERMINALS):
                raise BadData(f"{stream}, entry {seq}", _OWN_CHANGED)
            chain.is_broken = True
            self._changed.setdefault((stream, epoch), Entry(stream, epoch, seq, raw, hashed))
        return entries


def indexed_counts(connection: Connection) -> Mapping[Key, int]:
    """Return the number of entries in each epoch according to SQLite's index."""
    rows = connection.exec_driver_sql(_COUNTS)
    return {(StreamId(row.stream), Epoch(row.epoch)): row.found for row in rows}


def reindex_entries(connection: Connection) -> tuple[tuple[Key, int], ...]:
    """Rebuild SQLite's index of the entries, and find entries whose key was altered.

    Return the terminals' epochs with such entries, each with the last sequence number before them. Raises
    BadData if one is the station's, or now has the key of another entry.
    """
    moved = {row.arrival: row for row in connection.exec_driver_sql(_MOVED)}
    places = {arrival: [row.stream] for arrival, row in moved.items()}
    for arrival, stream in connection.exec_driver_sql(_PLACES):
        if arrival in places:
            places[arrival].append(stream)
    if not all(any(stream.startswith(TERMINALS) for stream in both) for both in places.values()):
        raise BadData("the station's own entries", _OWN_CHANGED)
    try:
        connection.exec_driver_sql("REINDEX entries")
    except IntegrityError as error:
        raise BadData("the entries of the database", _TWO_AT_ONE_PLACE) from error
    return tuple(
        ((StreamId(row.stream), Epoch(row.epoch)), row.seq - 1) for row in moved.values() if row.seq > 0
    )
