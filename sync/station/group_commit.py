"""Group commit: entries that arrive from any connection during a commit become part of the next one.

Each caller is notified once its entries are durable, never earlier. The entries of one connection, its lane,
become durable in order or not at all: after a refusal nothing more of that lane is stored, because later
entries would leave a gap.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

from base.errors import Unavailable
from sync.protocol.entry import Entry, EntryStore, Quarantined

_log = structlog.get_logger()
_GATHER_S = 0.002
_LARGEST = 512
_RETRY_S = 1.0
_QUIET_S = 0.2
"""The pause (s) between entries in which the store may run a checkpoint."""


class CommitOwner(Protocol):
    """The receiver of notifications about stored entries."""

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        """Handle entries that are new and durable."""

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        """Handle entries that contradict stored ones; both are kept."""


class CommitLane:
    """The entries of one connection. ``refusal`` is the reason why no more are stored, or empty."""

    def __init__(self) -> None:
        self.refusal = ""


@dataclass(frozen=True, eq=False)
class _Waiting:
    lane: CommitLane
    entries: tuple[Entry, ...]
    future: asyncio.Future[bool]

    def refuse(self, problem: str) -> None:
        self.lane.refusal = self.lane.refusal or problem
        if not self.future.done():
            self.future.set_exception(Unavailable(problem))


class GroupCommit:
    """A worker that commits the entries of all connections to the store."""

    def __init__(self, store: EntryStore, owner: CommitOwner) -> None:
        self._store = store
        self._owner = owner
        self._waiting: list[_Waiting] = []
        self._wake = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start committing; requires a running event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Finish the commit in progress. The remaining entries are not stored and not acknowledged."""
        self._stopping.set()
        self._wake.set()
        if self._task is not None:
            await self._task
            # Let the notifications of the last commit be delivered.
            await asyncio.sleep(0)

    async def durable(self, lane: CommitLane, entries: tuple[Entry, ...]) -> bool:
        """Wait until these entries are durable, and return False if they contradict stored ones.

        Raises Unavailable on a disk error, after which nothing may be acknowledged.
        """
        if lane.refusal:
            raise Unavailable(lane.refusal)
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(lane, entries, future))
        self._wake.set()
        return await future

    async def _run(self) -> None:
        # ``_wake`` may be cleared after ``stop`` has set it.
        while not self._stopping.is_set():
            await self._woken()
            if self._stopping.is_set():
                return
            if sum(len(one.entries) for one in self._waiting) < _LARGEST:
                await asyncio.sleep(_GATHER_S)
            batch = _drop_refused_lanes(self._next_batch())
            if not batch:
                continue
            try:
                await self._commit(batch)
            except Unavailable as error:
                _log.error("the station's disk refuses", problem=str(error))
                await self._refuse_all(batch, str(error))
            except Exception:  # noqa: BLE001
                _log.exception("a commit failed by an internal error; committing each connection separately")
                await self._commit_one_by_one(batch)

    async def _woken(self) -> None:
        """Wait for entries, and use quiet moments for the store's maintenance."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_QUIET_S):
                await self._wake.wait()
                return
        with contextlib.suppress(Unavailable):
            await asyncio.to_thread(self._store.checkpoint)
        await self._wake.wait()

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        new, bad = await asyncio.to_thread(
            self._store.insert_remote, [entry for one in batch for entry in one.entries]
        )
        # Notify the owner first; the next commit runs in the meantime.
        loop = asyncio.get_running_loop()
        if new:
            loop.call_soon(_notify_owner, lambda: self._owner.entries_stored(new))
        if bad:
            loop.call_soon(_notify_owner, lambda: self._owner.on_quarantine(bad))
        wrong = {(q.entry.stream, q.entry.epoch) for q in bad}
        for one in batch:
            if not one.future.done():
                agreed = not wrong or not any((e.stream, e.epoch) in wrong for e in one.entries)
                one.future.set_result(agreed)

    async def _commit_one_by_one(self, batch: Sequence[_Waiting]) -> None:
        for one in batch:
            try:
                await self._commit(_drop_refused_lanes([one]))
            except Exception as error:  # noqa: BLE001
                _log.exception("entries cannot be stored", stream=one.entries[0].stream)
                one.refuse(f"these entries cannot be stored: {error}")

    async def _refuse_all(self, batch: Sequence[_Waiting], problem: str) -> None:
        # Refuse waiting entries too, as they may follow refused ones and must be sent again in order.
        for one in (*batch, *self._waiting):
            one.refuse(problem)
        self._waiting.clear()
        self._wake.clear()
        # Pause before trying again, as a full disk is still full.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_RETRY_S):
                await self._stopping.wait()

    def _next_batch(self) -> list[_Waiting]:
        size = taken = 0
        for one in self._waiting:
            if taken and size + len(one.entries) > _LARGEST:
                break
            size += len(one.entries)
            taken += 1
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        if not self._waiting:
            self._wake.clear()
        return batch


def _drop_refused_lanes(batch: Sequence[_Waiting]) -> list[_Waiting]:
    for one in batch:
        if one.lane.refusal:
            one.refuse(one.lane.refusal)
    return [one for one in batch if not one.lane.refusal]


def _notify_owner(tell: Callable[[], None]) -> None:
    """Call the owner and only log its errors, since the entries are durable anyway."""
    try:
        tell()
    except Exception:  # noqa: BLE001
        _log.exception("handling stored entries failed")
