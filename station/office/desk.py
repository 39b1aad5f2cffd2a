"""What all of the office's work shares: the store, the folds, who follows, and one writer at a time."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec
import structlog

from saloon.core.errors import BadData, Refused, Unavailable
from saloon.core.orders import Order
from saloon.core.terms import GameId
from saloon.core.tournament.state import TournamentState
from saloon.station import settings as facts
from saloon.station.clock import Clock, reading
from saloon.station.enrolments import EnrolledTerminal, Enrolments
from saloon.station.office.changes import ChangeFeed
from saloon.station.office.links import Links
from saloon.station.office.orders import Hall, orders_due
from saloon.station.office.published import published_tables
from saloon.station.office.tellings import Standing, standing
from saloon.station.projections import Projections, Touched
from saloon.station.settings import Settings
from saloon.station.store import Store
from saloon.sync.entry import Entry, StreamId, TerminalId, content_bytes
from saloon.sync.line import orders_of

_log = structlog.get_logger()
_FOR_THE_CALLER = (Refused, BadData, KeyError)
_encoder = msgspec.msgpack.Encoder()
_Result = TypeVar("_Result")


class OrderPost(Protocol):
    """Who carries orders to the terminals: the hub."""

    async def orders_appended(self, terminal: TerminalId) -> None:
        """New orders for a terminal are durable."""

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        """Close a terminal's line."""


@dataclass(frozen=True)
class Parts:
    """What a station is made of. certificate: its own, PEM."""

    store: Store
    enrolments: Enrolments
    settings: Settings
    clock: Clock
    certificate: str


class Desk:
    """Shared by the functions of the office; used on one event loop.

    Whoever decides holds ``lock`` from reading the state to applying what became durable, so
    that decisions follow one another. addresses: where terminals find the station, ``host:port``,
    the best first. retry_s: how soon what the disk refused is tried again. coming: the judge who answered
    the call of a game, while it rings; forgotten when the station starts anew.
    """

    def __init__(self, parts: Parts, *, retry_s: float = 1.0) -> None:
        self.parts = parts
        self._retry_s = retry_s
        self.lock = asyncio.Lock()
        self.projections = Projections()
        self.addresses: tuple[str, ...] = ()
        self.terminals: tuple[EnrolledTerminal, ...] = ()
        self.feed = ChangeFeed()
        self.links = Links(parts.clock.monotonic_ms)
        self.coming: dict[GameId, str] = {}
        self._boot = 0
        self._pin = ""
        self._post: OrderPost | None = None
        self._failures = 0
        self._arriving: list[Entry] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._retry: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Check and fold all that is stored. Raises BadData for a damaged database."""
        store = self.parts.store
        for bad in await asyncio.to_thread(store.verify):
            _log.error("a stored entry has changed", stream=bad.entry.stream, entry=bad.entry.seq)
        self._boot = await asyncio.to_thread(self.parts.settings.count_start)
        pin = await asyncio.to_thread(self.parts.settings.get, facts.JUDGE_PIN)
        self._pin = pin or ""
        await self.read_terminals()
        await self._rebuild()
        for quarantined in await asyncio.to_thread(store.quarantined):
            self.alarm_of(quarantined.entry.stream, quarantined.problem)

    def connect(self, post: OrderPost) -> None:
        """From now on orders travel."""
        self._post = post

    def spawn(self, work: Coroutine[Any, Any, _Result]) -> "asyncio.Task[_Result]":
        """Work that goes on whoever waits for it; an error of it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def to_the_end(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Work that is not left half done when the browser that asked for it goes away."""
        return await asyncio.shield(self.spawn(work))

    def again(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something until the disk allows it; what is pending already is not doubled."""
        if self._retry is None or self._retry.done():
            self._retry = asyncio.get_running_loop().create_task(_until_done(work, self._retry_s))

    async def close(self) -> None:
        """Wait for what still runs; what waits for the disk is found anew at the next start."""
        if self._retry is not None:
            self._retry.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def append(self, bodies: Sequence[tuple[StreamId, msgspec.Struct]]) -> tuple[Touched, ...]:
        """Make bodies durable as entries of own streams, all or none, and apply them. Needs the lock.

        Raises Unavailable; then nothing has changed as far as anybody is told.
        """
        clock = reading(self.parts.clock, self._boot)
        contents = [(stream, content_bytes(clock, _encoder.encode(body))) for stream, body in bodies]
        return self.projections.apply_all(await asyncio.to_thread(self.parts.store.append_all, contents))

    async def caught_up(self) -> None:
        """Read all anew if a transaction failed: it may be stored although it was called a failure.

        Needs the lock. Raises Unavailable while the database is away.
        """
        if self._failures != self.parts.store.failures:
            await self._rebuild()

    def received(self, entries: Sequence[Entry]) -> tuple[Touched, ...]:
        """Apply entries of terminals that are durable now."""
        if self._arriving is not None:
            self._arriving.extend(entries)
        return self.projections.apply_all(entries)

    async def read_terminals(self) -> None:
        """Read anew who is enrolled."""
        self.terminals = await asyncio.to_thread(self.parts.enrolments.terminals)

    async def keep_pin(self, hashed: str) -> None:
        """Remember the judges' PIN (argon2)."""
        await asyncio.to_thread(self.parts.settings.set, facts.JUDGE_PIN, hashed)
        self._pin = hashed

    async def give_orders(self) -> None:
        """Write the orders that are due, and send them. Needs the lock."""
        published = published_tables(self.tournament_states())
        hall = Hall(self.projections, published, self.standing(), self._pin)
        due = [
            (terminal.terminal, order)
            for terminal in self.terminals
            if self._is_known_well(terminal.terminal)
            for order in orders_due(terminal, hall)
        ]
        await self.order(due)

    async def order(self, orders: Sequence[tuple[TerminalId, Order]]) -> None:
        """Write these orders, and send them. Needs the lock."""
        if not orders:
            return
        await self.append([(orders_of(terminal), order) for terminal, order in orders])
        for terminal in {terminal for terminal, _ in orders}:
            if self._post is not None:
                await self._post.orders_appended(terminal)

    def standing(self) -> Standing:
        """The terminal at each table."""
        return standing(self.terminals)

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        """Close a terminal's line, if it has one."""
        if self._post is not None:
            self._post.hang_up(terminal, reason)

    def tournament_states(self) -> tuple[TournamentState, ...]:
        """All tournaments, oldest first."""
        return tuple(track.state for track in self.projections.tournaments.values())

    def alarm_of(self, stream: StreamId, problem: str) -> None:
        """Show what is wrong with a stream at its terminal."""
        self.links.alarm(TerminalId(stream.partition("/")[2]), problem)

    def _is_known_well(self, terminal: TerminalId) -> bool:
        """After a backup was restored, a terminal first says what it has; then it is told what it misses."""
        old = self.projections.epochs_of_orders.get(terminal, set()) - {self.parts.store.own_epoch()}
        return not old or self.links.is_caught_up(terminal)

    async def _rebuild(self) -> None:
        store = self.parts.store
        failures = store.failures
        self._arriving = []
        try:
            fresh = await asyncio.to_thread(_folded, store)
            problems = [*fresh[1], *fresh[0].apply_all(self._arriving)]
        finally:
            self._arriving = None
        self.projections = fresh[0]
        self._failures = failures
        for touched in problems:
            if touched.problem:
                _log.error("an entry cannot be read", problem=touched.problem)
                if touched.terminal is not None:
                    self.links.alarm(touched.terminal, touched.problem)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, Unavailable):
            _log.warning("the station's disk refuses", problem=str(error))
        elif error is not None and not isinstance(error, _FOR_THE_CALLER):
            _log.error("an error of ours", exc_info=error)


async def _until_done(work: Callable[[], Coroutine[Any, Any, None]], pause_s: float) -> None:
    while True:
        await asyncio.sleep(pause_s)
        try:
            await work()
        except Unavailable as error:
            _log.warning("the station's disk still refuses", problem=str(error))
        else:
            return


def _folded(store: Store) -> tuple[Projections, tuple[Touched, ...]]:
    projections = Projections()
    problems = (projections.apply(found.entry) for found in store.arrived())
    return projections, tuple(touched for touched in problems if touched.problem)
