"""Keep the projections up to date with the store.

A single station folds its own entries at once. One of several stations reads all entries in order of arrival,
no matter which station stored them, so that all stations reach the same state.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from base.errors import BadData, Unavailable
from core.terms import GameId
from station.projections.projections import AffectedState, Projections
from station.store.changed_entries import FLIPPED, ChainCheck
from station.store.game_index import GameRun, PutOff
from station.store.store import ArrivedEntry, Store
from station.store.streams import StoredEntry, terminal_of
from sync.protocol.entry import Entry, Head, StreamId

_Result = TypeVar("_Result")
_AT_ONCE = 256
_REST_S = 0.02
"""The pause between checks of old entries, as a newly started station has more urgent work."""
_WORTH_INDEXING = 2_000
"""The number of skipped steps from which an index saves time at the next start."""

Shown = Callable[[Sequence[Entry], Sequence[AffectedState]], None]
"""A callback for folded entries."""


class LocalProjections:
    """Projections for a station that is alone on its database."""

    def __init__(self, store: Store, on_folded: Shown) -> None:
        self._store = store
        self._on_folded = on_folded
        self.projections = Projections()
        self._failures = 0
        self._arriving: list[Entry] | None = None
        self._read: _Reading | None = None

    async def open(self, check: ChainCheck | None = None) -> tuple[AffectedState, ...]:
        """Fold all stored entries except indexed games, and return those that cannot be read.

        ``check`` is given all entries and collects altered ones, which are left out. Raises BadData for an
        altered entry of the station itself.
        """
        failures, chain_check = self._store.failures, check or ChainCheck()
        self._arriving = []
        try:
            fresh, problems, self._read = await asyncio.to_thread(_fold_indexed, self._store, chain_check)
            if check is None:
                # Only at the start are games indexed, and altered entries withdrawn for terminals to send
                # again.
                self._read = None
                changed = (terminal_of(entry.stream) for entry in chain_check.changed)
                problems += tuple(AffectedState(terminal=one, problem=FLIPPED) for one in changed)
            problems += tuple(touched for touched in fresh.apply_all(self._arriving) if touched.problem)
        finally:
            self._arriving = None
        self.projections = fresh
        self._failures = failures
        return problems

    async def append(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[AffectedState, ...]:
        """Store entries of the station's streams, all or none, and fold them. Raises Unavailable."""
        return self.projections.apply_all(await asyncio.to_thread(self._store.append_all, contents))

    def on_entries(self, entries: Sequence[Entry]) -> None:
        """Fold entries that the hub has stored, and pass them on."""
        if self._arriving is not None:
            self._arriving.extend(entries)
        self._on_folded(entries, self.projections.apply_all(entries))

    async def index_games(self) -> tuple[Entry, ...]:
        """Check the games that ``open`` skipped, and index the others that the next start can skip.

        Return altered entries of terminals, which the next start withdraws. Raises OSError, and BadData for
        an altered entry of the station, which prevents the next start too.
        """
        read, self._read = self._read, None
        if read is None:
            return ()
        check = ChainCheck()
        if any(isinstance(step, GameRun) for game in read.games.values() for step in game):
            try:
                chunks, count = self._store.checked_chunks(check), 1
                while count:
                    count = await _in_thread(partial(next, chunks, 0))
                    await asyncio.sleep(_REST_S)
            except BadData:
                self._store.forget_index()
                raise
        if check.changed:
            self._store.forget_index()
        elif read.worth_indexing:
            await _in_thread(partial(self._store.index_games, read.arrival, read.heads, read.games))
        return check.changed

    async def catch_up(self) -> tuple[AffectedState, ...]:
        """Read everything again after a failed transaction, because it may have been stored after all."""
        return await self.open() if self._failures != self._store.failures else ()


class SharedProjections:
    """Projections for one of several stations on a database."""

    def __init__(
        self, store: Store, on_folded: Shown, spawn: Callable[[Coroutine[Any, Any, object]], object]
    ) -> None:
        self._store = store
        self._on_folded = on_folded
        self._spawn = spawn
        self.projections = Projections()
        self._seen = 0
        self._reading = asyncio.Lock()
        self._is_asked = False

    async def open(self, check: ChainCheck | None = None) -> tuple[AffectedState, ...]:
        """Fold all stored entries, and return those that cannot be read."""
        self.projections, problems = await asyncio.to_thread(_fold_store, self._store, check)
        self._seen = self.projections.position
        return problems

    async def append(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[AffectedState, ...]:
        """Store entries of the station's streams, all or none, and fold them. Raises Unavailable.

        Raises ConcurrentWrite if another station has stored an entry that is not folded here yet.
        """
        append = partial(self._store.append_all, contents, decided_on=self._seen)
        written = await asyncio.to_thread(append)
        try:
            return await self.catch_up()
        except Unavailable:
            # It is durable, even if the database has failed since, and must be reported as such.
            return self.projections.apply_all(written)

    def on_entries(self, _entries: Sequence[Entry]) -> None:
        """Start reading the store, because entries must be folded in order of arrival."""
        self.look()

    def look(self) -> None:
        """Start folding new entries of all stations, unless that is pending already."""
        if not self._is_asked:
            self._is_asked = True
            self._spawn(self.catch_up())

    async def catch_up(self) -> tuple[AffectedState, ...]:
        """Fold all entries that were stored since the last call. Raises Unavailable."""
        async with self._reading:
            # From here on, a request may concern entries that this reading no longer sees.
            self._is_asked = False
            arrived = await asyncio.to_thread(lambda: tuple(self._store.entries_after(self._seen)))
            touched: list[AffectedState] = []
            for at in range(0, len(arrived), _AT_ONCE):
                touched += self._fold(arrived[at : at + _AT_ONCE])
                await asyncio.sleep(0)
        return tuple(touched)

    def _fold(self, arrived: Sequence[ArrivedEntry]) -> tuple[AffectedState, ...]:
        entries = [one.entry for one in arrived]
        touched = self.projections.apply_all(entries)
        self._seen = arrived[-1].arrival
        self._on_folded(entries, touched)
        return touched


class _Reading(NamedTuple):
    """The games that a reading of the store skipped. It ended at ``arrival`` and ``heads``."""

    arrival: int
    heads: Sequence[Head]
    games: Mapping[GameId, Sequence[PutOff]]

    @property
    def worth_indexing(self) -> bool:
        steps = sum(isinstance(step, StoredEntry) for game in self.games.values() for step in game)
        return steps >= _WORTH_INDEXING


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    """Run work in a thread and wait for its end even if cancelled, as the database is closed next."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    finally:
        await asyncio.wait((running,))


def _fold_indexed(
    store: Store, check: ChainCheck
) -> tuple[Projections, tuple[AffectedState, ...], _Reading | None]:
    """Return the projections, their problems, and the skipped games unless an entry was altered."""
    projections = Projections(store.steps_of)
    problems = projections.read_all(store.entries_to_fold(check))
    read = _Reading(projections.position, check.heads, projections.games.put_off_games)
    return projections, problems, None if check.changed else read


def _fold_store(store: Store, check: ChainCheck | None) -> tuple[Projections, tuple[AffectedState, ...]]:
    projections = Projections()
    return projections, projections.read_all(store.stored_entries(check))
