"""Find stored entries that a failing disk has changed: by their chains of hashes, and by SQLite's index."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from saloon.base.errors import BadData
from saloon.station.store.streams import TERMINALS, Key
from saloon.sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash

_NEVER_CONTINUED: Final = (-1, b"")
"""The end of a chain whose next entry would have the sequence number 0."""
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
FLIPPED: Final = "the stored bytes have changed: a failing disk"


class ChainCheck:
    """A check of stored entries, in order of arrival, against the chains of their hashes."""

    def __init__(self) -> None:
        self._ends: dict[Key, tuple[int, bytes]] = {}
        self._changed: dict[Key, Entry] = {}
        self._whole_to: dict[Key, int] = {}

    @property
    def changed(self) -> tuple[Entry, ...]:
        """The first entry of each terminal's epoch that breaks its chain."""
        return tuple(self._changed.values())

    @property
    def counts(self) -> Mapping[Key, int]:
        """The number of entries by epoch, where no chain is broken."""
        return {key: seq for key, (seq, _) in self._ends.items()}

    @property
    def whole_to(self) -> Mapping[Key, int]:
        """The last sequence number before the break, by each broken epoch of a terminal."""
        return self._whole_to

    def unchanged(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Return those of the next entries that are unchanged, as is all of their stream's epoch before them.

        Raises BadData for a changed entry of the station itself: only a backup has another copy.
        """
        ends, begun = self._ends, (0, GENESIS)
        changed = set[int]()
        for place, entry in enumerate(entries):
            key = (entry.stream, entry.epoch)
            seq, end = ends.get(key, begun)
            if entry.seq == seq + 1 and entry.hash == chained_hash(end, entry.raw):
                ends[key] = (entry.seq, entry.hash)
                continue
            if not entry.stream.startswith(TERMINALS):
                raise BadData(f"{entry.stream}, entry {entry.seq}", _OWN_CHANGED)
            self._changed.setdefault(key, entry)
            self._whole_to.setdefault(key, seq)
            ends[key] = _NEVER_CONTINUED
            changed.add(place)
        if not changed:
            return entries
        return [entry for place, entry in enumerate(entries) if place not in changed]


def indexed_counts(connection: Connection) -> Mapping[Key, int]:
    """Return the number of entries by epoch as SQLite's index has them."""
    rows = connection.exec_driver_sql(_COUNTS)
    return {(StreamId(row.stream), Epoch(row.epoch)): row.found for row in rows}


def reindex_entries(connection: Connection) -> tuple[tuple[Key, int], ...]:
    """Index SQLite's table again, as the index has changed entries at their old places.

    Return the epochs of a terminal's entries that were at another place, each with the sequence number before
    it. Raises BadData if such an entry is the station's, or has the place of another one.
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
