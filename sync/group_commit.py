"""Many connections, one commit: what arrives while a commit runs goes into the next one.

Each waiting party is told when its entries are durable, never before.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import structlog

from saloon.core.errors import Unavailable
from saloon.sync.entry import Entry
from saloon.sync.store import EntryStore, Quarantined

_log = structlog.get_logger()
_GATHER_S = 0.002
_LARGEST = 256
_RETRY_S = 1.0


class CommitOwner(Protocol):
    """Who is told what was stored."""

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        """These entries are new and durable."""

    def quarantined(self, quarantined: Sequence[Quarantined]) -> None:
        """These entries disagree with stored ones; both are kept."""


class GroupCommit:
    """Commits what connections hand in, together, in a worker thread."""

    def __init__(self, store: EntryStore, owner: CommitOwner) -> None:
        self._store = store
        self._owner = owner
        self._waiting: list[tuple[tuple[Entry, ...], asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to commit; needs a running event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Finish what runs; what was not committed was not acknowledged either."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def durable(self, entries: tuple[Entry, ...]) -> bool:
        """Wait until these entries are on the disk; False where they disagree with stored ones.

        Raises Unavailable when the disk refuses: then nothing may be acknowledged.
        """
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entries, future))
        self._wake.set()
        return await future

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(_GATHER_S)
            batch = self._next_batch()
            try:
                new, bad = await asyncio.to_thread(
                    self._store.insert_remote, [entry for entries, _ in batch for entry in entries]
                )
            except Unavailable as error:
                _log.error("the station's disk refuses", problem=str(error))
                # What waits may follow on what was refused: it must come again, in order.
                _refuse([*batch, *self._waiting], error)
                self._waiting.clear()
                self._wake.clear()
                await asyncio.sleep(_RETRY_S)
                continue
            if new:
                self._owner.entries_stored(new)
            if bad:
                self._owner.quarantined(bad)
            wrong = {(q.entry.stream, q.entry.epoch) for q in bad}
            for entries, future in batch:
                if not future.done():
                    future.set_result(not any((e.stream, e.epoch) in wrong for e in entries))

    def _next_batch(self) -> list[tuple[tuple[Entry, ...], asyncio.Future[bool]]]:
        size = taken = 0
        for entries, _ in self._waiting:
            if taken and size + len(entries) > _LARGEST:
                break
            size += len(entries)
            taken += 1
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        if not self._waiting:
            self._wake.clear()
        return batch


def _refuse(batch: Sequence[tuple[tuple[Entry, ...], asyncio.Future[bool]]], error: Unavailable) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(Unavailable(str(error)))
