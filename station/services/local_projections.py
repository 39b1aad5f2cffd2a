"""The folds of all entries, kept up to date with the store.

Alone, a station folds what it stored itself, at once. Among others it reads everything in order of arrival,
no matter which station stored it: so all stations fold the same.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from saloon.base.errors import BadData, Unavailable
from saloon.core.terms import GameId
from saloon.station.store.changed_entries import FLIPPED, ChainCheck
from saloon.station.store.game_index import GameRun, PutOff
from saloon.station.store.projections import AffectedState, Projections
from saloon.station.store.store import ArrivedEntry, Store
from saloon.station.store.streams import StoredEntry, terminal_of
from saloon.sync.protocol.entry import Entry, Head, StreamId

_Result = TypeVar("_Result")
_AT_ONCE = 256
_REST_S = 0.02
"""Between two looks at old entries: a station that has just started has more urgent work."""
_WORTH_INDEXING = 2_000
"""Steps that a start has read and put off; to read them again takes less than to look at them here."""

Shown = Callable[[Sequence[Entry], Sequence[AffectedState]], None]
"""A callback for entries that were folded."""


class FollowedProjections(Protocol):
    """Folds that follow the store. Used on one event loop."""

    projections: Projections

    async def open(self, check: ChainCheck | None = None) -> tuple[AffectedState, ...]:
        """Fold all that is stored; return the entries that cannot be read.

        check: sees all entries; changed ones are left out. Raises BadData for a
        changed entry of the station.
        """

    async def append(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[AffectedState, ...]:
        """Store entries of the station's streams, all or none, and fold them. Raises Unavailable.

        Raises ConcurrentWrite if another station has decided since these folds were caught up.
        """

    def on_entries(self, entries: Sequence[Entry]) -> None:
        """Handle entries that the hub has stored."""

    async def catch_up(self) -> tuple[AffectedState, ...]:
        """Fold what is stored and not folded yet; return what cannot be read. Raises Unavailable."""


class LocalProjections:
    """Folds for the only station of a database. shown: called with entries that the hub stored."""

    def __init__(self, store: Store, shown: Shown) -> None:
        self._store = store
        self._shown = shown
        self.projections = Projections()
        self._failures = 0
        self._arriving: list[Entry] | None = None
        self._read: _Reading | None = None

    async def open(self, check: ChainCheck | None = None) -> tuple[AffectedState, ...]:
        """Fold all that is stored but the games of the index; return the entries that cannot be read."""
        failures, found = self._store.failures, check or ChainCheck()
        self._arriving = []
        try:
            fresh, problems, self._read = await asyncio.to_thread(_fold_indexed, self._store, found)
            if check is None:
                # Only a start indexes games, and withdraws changed entries for their terminals to send again.
                self._read = None
                changed = (terminal_of(entry.stream) for entry in found.changed)
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
        """Fold and show entries that the hub has stored."""
        if self._arriving is not None:
            self._arriving.extend(entries)
        self._shown(entries, self.projections.apply_all(entries))

    async def index_games(self) -> tuple[Entry, ...]:
        """Index the games that the last ``open`` need not have read; check those that it did not read.

        Return a terminal's changed entries: the next start reads all of them, and withdraws these. Raises
        BadData for those that stop a start, and OSError.
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
        """Read everything again if a transaction failed: it may be stored in spite of the failure."""
        return await self.open() if self._failures != self._store.failures else ()


class SharedProjections:
    """Folds for one of several stations.

    shown: called with all that was folded. spawn: starts background work.
    """

    def __init__(
        self, store: Store, shown: Shown, spawn: Callable[[Coroutine[Any, Any, object]], object]
    ) -> None:
        self._store = store
        self._shown = shown
        self._spawn = spawn
        self.projections = Projections()
        self._seen = 0
        self._reading = asyncio.Lock()
        self._is_asked = False

    async def open(self, check: ChainCheck | None = None) -> tuple[AffectedState, ...]:
        """Fold all that is stored; return the entries that cannot be read."""
        self.projections, problems = await asyncio.to_thread(_fold_store, self._store, check)
        self._seen = self.projections.position
        return problems

    async def append(self, contents: Sequence[tuple[StreamId, bytes]]) -> tuple[AffectedState, ...]:
        """Store entries of the station's streams, all or none, and fold them.

        Raises Unavailable, ConcurrentWrite.
        """
        append = partial(self._store.append_all, contents, decided_on=self._seen)
        written = await asyncio.to_thread(append)
        try:
            return await self.catch_up()
        except Unavailable:
            # It is durable, even if the database failed since: nobody may hear the contrary.
            return self.projections.apply_all(written)

    def on_entries(self, _entries: Sequence[Entry]) -> None:
        """Start a look at the store for entries that the hub has stored; read them in order of arrival."""
        self.look()

    def look(self) -> None:
        """Start folding what was stored, here or elsewhere, unless that is already pending."""
        if not self._is_asked:
            self._is_asked = True
            self._spawn(self.catch_up())

    async def catch_up(self) -> tuple[AffectedState, ...]:
        """Fold what is stored and not folded yet. Raises Unavailable."""
        async with self._reading:
            # A request from now on may concern entries that this reading no longer sees.
            self._is_asked = False
            found = await asyncio.to_thread(lambda: tuple(self._store.entries_after(self._seen)))
            touched: list[AffectedState] = []
            for at in range(0, len(found), _AT_ONCE):
                touched += self._fold(found[at : at + _AT_ONCE])
                await asyncio.sleep(0)
        return tuple(touched)

    def _fold(self, found: Sequence[ArrivedEntry]) -> tuple[AffectedState, ...]:
        entries = [one.entry for one in found]
        touched = self.projections.apply_all(entries)
        self._seen = found[-1].arrival
        self._shown(entries, touched)
        return touched


class _Reading(NamedTuple):
    """The games that a reading of the store has put off. arrival, heads: the end of the reading."""

    arrival: int
    heads: Sequence[Head]
    games: Mapping[GameId, Sequence[PutOff]]

    @property
    def worth_indexing(self) -> bool:
        """Return whether an index would spare the next start much reading."""
        steps = sum(isinstance(step, StoredEntry) for game in self.games.values() for step in game)
        return steps >= _WORTH_INDEXING


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    """Run work in a thread; wait for its end even if cancelled, as the database is closed next."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    finally:
        await asyncio.wait((running,))


def _fold_indexed(
    store: Store, check: ChainCheck
) -> tuple[Projections, tuple[AffectedState, ...], _Reading | None]:
    """Return the folds of all that is stored, the problems, and what the reading put off if it is whole."""
    projections = Projections(store.steps_of)
    problems = projections.read_all(store.entries_to_fold(check))
    read = _Reading(projections.position, check.heads, projections.games.put_off_games)
    return projections, problems, None if check.changed else read


def _fold_store(store: Store, check: ChainCheck | None) -> tuple[Projections, tuple[AffectedState, ...]]:
    """Return the folds of all that is stored, and the problems."""
    projections = Projections()
    return projections, projections.read_all(store.stored_entries(check))
