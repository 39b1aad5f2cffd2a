"""An index of the games that need not be read at startup: their places, and the hashes around them.

A start reads all stored entries, but rarely needs the games of past years. The index is a file beside
SQLite's database, and may be lost or outdated without harm: it is used only if every stream still contains
the entry that was its last when the index was made, and no other entry had arrived by then.
"""

import hashlib
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final

import msgspec

from base import __version__
from base.whole_file import write_whole
from core.terms import GameId
from station.store.changed_entries import ChainCheck
from station.store.streams import EntryRow, Key, StoredEntry
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId

_FORMAT: Final = f"1 {__version__}"
"""The format, and the version that made the index, as another version may skip other games."""
_DIGEST_BYTES: Final = 32
RUN_CHANGED: Final = (
    "the stored bytes of an old game have changed: the disk is failing; restart the station "
    "to fetch them again"
)
_BETWEEN: Final = "SELECT * FROM entries WHERE stream = ? AND epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq"
_HASH: Final = "SELECT hash FROM entries WHERE stream = ? AND epoch = ? AND seq = ? AND arrival <= ?"
_COUNT: Final = "SELECT count(*) FROM entries INDEXED BY sqlite_autoindex_entries_1 WHERE arrival <= ?"
_arrival = itemgetter(0)


class GameRun(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Consecutive steps of one game in a stream.

    first, last: the sequence numbers of its ends.
    arrival, until: the arrival numbers of its ends.
    before, end: the chained hashes before the first and after the last step.
    """

    game: GameId
    stream: StreamId
    epoch: Epoch
    first: int
    last: int
    arrival: int
    until: int
    before: bytes
    end: bytes


PutOff = StoredEntry | GameRun
"""A skipped step of a game, or a run of them."""


class GameIndex(msgspec.Struct, frozen=True, array_like=True):
    """The runs of all games that a start has skipped.

    heads: the heads of all streams when the index was made.
    arrival: the last arrival number then.
    """

    program: str
    arrival: int
    heads: tuple[Head, ...]
    runs: tuple[GameRun, ...]


_decode = msgspec.msgpack.Decoder(GameIndex).decode


def read_index(path: Path) -> GameIndex | None:
    """Return the index in a file, or None if it is missing, damaged or made by another version."""
    try:
        content = path.read_bytes()
        digest, body = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        index = _decode(body) if hashlib.sha256(body).digest() == digest else None
    except (OSError, msgspec.DecodeError):
        return None
    return index if index is not None and index.program == _FORMAT else None


def write_index(path: Path, index: GameIndex) -> None:
    """Write an index. Raises OSError."""
    body = msgspec.msgpack.encode(index)
    write_whole(path, hashlib.sha256(body).digest() + body)


def is_of(database: sqlite3.Connection, index: GameIndex) -> bool:
    """Return whether an index was made from the first entries of this database.

    It was not if withdrawn entries have arrived again, or the database is an older copy.
    """
    (count,) = database.execute(_COUNT, (index.arrival,)).fetchone()
    return count == sum(head.seq for head in index.heads) and all(
        _hash_at(database, (head.stream, head.epoch), head.seq, index.arrival) == head.hash
        for head in index.heads
    )


def indexed_games(
    database: sqlite3.Connection,
    arrival: int,
    heads: Sequence[Head],
    games: Mapping[GameId, Iterable[PutOff]],
) -> GameIndex:
    """Return an index of games, given the heads of all streams at an arrival number."""
    runs: list[GameRun] = []
    for game, steps in games.items():
        for piece in _pieces(steps):
            if isinstance(piece, GameRun):
                runs.append(piece)
                continue
            first, last = piece[0], piece[-1]
            key = (first.stream, first.epoch)
            before, end = (_hash_at(database, key, seq, arrival) for seq in (first.seq - 1, last.seq))
            runs.append(GameRun(game, *key, first.seq, last.seq, first.arrival, last.arrival, before, end))
    runs.sort(key=attrgetter("arrival"))
    return GameIndex(_FORMAT, arrival, tuple(heads), tuple(runs))


def rows_outside(database: sqlite3.Connection, index: GameIndex) -> list[EntryRow]:
    """Return the rows that an index covers but that are in none of its runs, in order of arrival."""
    runs = defaultdict[Key, list[GameRun]](list)
    for run in index.runs:
        runs[run.stream, run.epoch].append(run)
    rows: list[EntryRow] = []
    for head in index.heads:
        key, after = (head.stream, head.epoch), 0
        for run in runs[key]:
            rows += _rows_between(database, key, after + 1, run.first - 1)
            after = run.last
        rows += _rows_between(database, key, after + 1, head.seq)
    rows.sort(key=_arrival)
    return rows


def merged(rows: Sequence[EntryRow], index: GameIndex, check: ChainCheck) -> Iterator[PutOff]:
    """Yield the runs of an index and the unaltered entries of other rows, in order of arrival.

    rows: the rows of ``rows_outside``.
    """
    at = 0
    for run in index.runs:
        begin, at = at, bisect_left(rows, run.arrival, at, key=_arrival)
        if at > begin:
            yield from check.unchanged(rows[begin:at])
        if check.passes((run.stream, run.epoch), run.first, run.last, run.before, run.end):
            yield run
    yield from check.unchanged(rows[at:])


def entries_of_runs(database: sqlite3.Connection, runs: Iterable[GameRun]) -> list[StoredEntry]:
    """Return the steps of runs in order of arrival, each run only up to its first altered step."""
    entries: list[StoredEntry] = []
    for run in runs:
        check, key = ChainCheck(), (run.stream, run.epoch)
        check.passes(key, 1, run.first - 1, GENESIS, run.before)
        entries += check.unchanged(_rows_between(database, key, run.first, run.last))
    entries.sort(key=attrgetter("arrival"))
    return entries


def _pieces(steps: Iterable[PutOff]) -> Iterator[GameRun | list[StoredEntry]]:
    piece: list[StoredEntry] = []
    for step in steps:
        last = piece[-1] if piece else None
        if isinstance(step, GameRun):
            yield step
        elif last and (last.stream, last.epoch, last.seq + 1) == (step.stream, step.epoch, step.seq):
            piece.append(step)
        else:
            if piece:
                yield piece
            piece = [step]
    if piece:
        yield piece


def _rows_between(database: sqlite3.Connection, key: Key, first: int, last: int) -> Sequence[EntryRow]:
    return database.execute(_BETWEEN, (*key, first, last)).fetchall() if first <= last else ()


def _hash_at(database: sqlite3.Connection, key: Key, seq: int, until: int) -> bytes:
    """Return the chained hash after an entry: GENESIS for 0, b"" if it had not arrived by ``until``."""
    row = (GENESIS,) if seq == 0 else database.execute(_HASH, (*key, seq, until)).fetchone()
    return b"" if row is None else bytes(row[0])
