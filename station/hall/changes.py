"""A numbered feed of changes that live pages follow."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import msgspec

from core.terms import TableNo


class Change(msgspec.Struct, frozen=True):
    """A change to something that pages show.

    number: increases by one with each change.
    table: the table whose card changed, or None if the change concerns the whole tournament.
    what: ``table``, ``tournament``, ``terminals``, ``calls``, ``messages``, ``desk``, ``screens`` or
        ``station``.
    """

    number: int
    what: str
    table: TableNo | None = None


_KEPT = 1_000
_EVERYTHING = ("tournament", "terminals", "calls")
"""The changes that make a page reload everything after it has missed some."""
_OF_NO_TABLE = frozenset({"calls", "messages", "desk", "screens"})
"""Changes that affect no table's card. A call is also published as a change of its table."""


class ChangeFeed:
    """The most recent changes, for any number of followers on one event loop."""

    def __init__(self) -> None:
        self._kept: deque[Change] = deque(maxlen=_KEPT)
        self._number = 0
        self._news = asyncio.Event()
        self.is_closed = False

    def close(self) -> None:
        """End all iterations: streams to open pages must not hold up the station's shutdown."""
        self.is_closed = True
        self._news.set()

    @property
    def number(self) -> int:
        return self._number

    def publish(self, what: str, table: TableNo | None = None) -> None:
        """Notify all followers of a change (see ``Change``)."""
        self._number += 1
        self._kept.append(Change(self._number, what, table))
        news, self._news = self._news, asyncio.Event()
        news.set()

    def tables_changed_since(self, number: int) -> frozenset[TableNo] | None:
        """Return the tables that changed after this number, or None if every table may have."""
        if not self._kept or self._kept[0].number > number + 1:
            return None
        tables = set[TableNo]()
        for change in reversed(self._kept):
            if change.number <= number:
                break
            if change.table is not None:
                tables.add(change.table)
            elif change.what not in _OF_NO_TABLE:
                return None
        return frozenset(tables)

    def changes(self) -> AsyncIterator[Change]:
        """Iterate over each change from now on. A follower that missed too many must reload everything."""
        return self._changes(self._number)

    async def _changes(self, seen: int) -> AsyncIterator[Change]:
        while not self.is_closed:
            news = self._news
            if self._kept and self._kept[0].number > seen + 1:
                seen = self._number
                for what in _EVERYTHING:
                    yield Change(seen, what)
            for change in tuple(self._kept):
                if change.number > seen:
                    seen = change.number
                    yield change
            if seen == self._number:
                await news.wait()

    def batches(self, rest_s: float) -> AsyncIterator[tuple[Change, ...]]:
        """Iterate over changes without duplicates, in batches ``rest_s`` apart; see also ``changes``."""
        return self._batches(self._number, rest_s)

    async def _batches(self, seen: int, rest_s: float) -> AsyncIterator[tuple[Change, ...]]:
        clock, rests_until = asyncio.get_running_loop().time, 0.0
        while True:
            news = self._news
            if seen == self._number:
                await news.wait()
            if self.is_closed:
                return
            await asyncio.sleep(max(0.0, rests_until - clock()))
            rests_until = clock() + rest_s
            number = self._number
            if self._kept[0].number > seen + 1:
                yield tuple(Change(number, what) for what in _EVERYTHING)
            else:
                latest = {(one.what, one.table): one for one in self._kept if one.number > seen}
                yield tuple(latest.values())
            seen = number
