"""The context that the station's services share: store, projections, change feed and lock."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

import msgspec
import structlog

from base.clock import Clock
from base.errors import BadData, Refused, Unavailable
from core.game.orders import Order
from core.terms import GameId, TableNo
from core.tournament.state.tournament import TournamentState
from station.enrolment.enrolments import EnrolledTerminal, Enrolments
from station.enrolment.sign_in_links import SignInLinks, SignInSettings, read_secret, read_sign_in
from station.enrolment.terminal_pins import TerminalPins, read_pins
from station.hall.authoritative_log import Standing, authoritative_log, terminals_by_table
from station.hall.changes import ChangeFeed
from station.hall.links import Links
from station.hall.local_projections import LocalProjections, SharedProjections
from station.hall.published import PublishedTables
from station.projections.alarms import TableCall, quarantine_subject
from station.projections.cards import NewTerminal
from station.projections.game_logs import GameTrack
from station.projections.projections import AffectedState, Projections
from station.store.changed_entries import ChainCheck
from station.store.game_index import RUN_CHANGED
from station.store.settings import Settings
from station.store.store import ConcurrentWrite, Store
from station.updates.update_store import UpdateStore
from station.updates.updates import Updates
from sync.link.counters import Counters
from sync.protocol.entry import ClockReading, Entry, StreamId, TerminalId, content_bytes, orders_of

_log = structlog.get_logger()
_FOR_THE_CALLER = (Refused, BadData, KeyError)
_TRIES = 20
_encoder = msgspec.msgpack.Encoder()
_Result = TypeVar("_Result")
_Parameters = ParamSpec("_Parameters")


class OrderSender(Protocol):
    """The hub, as the services use it to reach the terminals."""

    async def orders_appended(self, terminal: TerminalId) -> None:
        """Send a terminal its new orders, which are stored already."""

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        """Close a terminal's connection."""

    def counters(self, terminal: TerminalId) -> Counters | None:
        """Return the counters of a terminal's cable link, or None without a cable."""

    async def import_entries(self, entries: tuple[Entry, ...]) -> bool:
        """Store a parcel's entries and notify the service; return False if they conflict with stored ones."""


@dataclass(frozen=True)
class StationParts:
    """The parts of a station. ``folder`` is its data, None for a program that serves no pages."""

    store: Store
    enrolments: Enrolments
    settings: Settings
    clock: Clock
    certificate: str
    folder: Path | None = None


class WaitingTerminal(NamedTuple):
    """An unknown terminal at a cable that waits for the judge to accept or refuse it."""

    newcomer: NewTerminal
    certificate: str
    verdict: asyncio.Future[bool]


class StationContext:
    """The context shared by the station's services. Used on one event loop.

    A decision holds ``lock`` from reading the state until its entries are applied, so that decisions are made
    one at a time.

    own_addresses: the addresses of this process, if several stations share the database.
    addresses: the addresses at which terminals find the station, ``host:port``, best first.
    ringing: the calls that were open when entries last arrived, by game; None before the first.
    is_away: whether the database does not respond.
    is_giving_soon: whether giving the due orders is pending.
    unwatched: terminals on phones and tablets that no browser displays now.
    playing: the tables that were playing when orders were last given.
    waiting: unknown terminals at cables, by check code.
    find_pages: returns the address of the pages for players' phones, or an empty string.
    retry_s: the delay before retrying after a disk failure.
    """

    def __init__(self, parts: StationParts, *, retry_s: float = 1.0) -> None:
        self.parts = parts
        self._retry_s = retry_s
        self.lock = asyncio.Lock()
        self.folds: LocalProjections | SharedProjections = (
            SharedProjections(parts.store, self._on_arrival, self.spawn)
            if parts.store.is_shared
            else LocalProjections(parts.store, self._on_arrival)
        )
        self.own_addresses: tuple[str, ...] = ()
        self.addresses: tuple[str, ...] = ()
        self.terminals: tuple[EnrolledTerminal, ...] = ()
        self.terminals_by_id: Mapping[TerminalId, EnrolledTerminal] = {}
        self.terminals_by_table: Standing = {}
        self.feed = ChangeFeed()
        self.links = Links(parts.clock.monotonic_ms)
        self.ringing: dict[GameId, TableCall] | None = None
        self.is_away = False
        self.is_giving_soon = False
        self.unwatched = frozenset[TerminalId]()
        self.playing = frozenset[TableNo]()
        self.waiting: dict[str, WaitingTerminal] = {}
        update_store = None if parts.folder is None else UpdateStore(parts.folder / "updates")
        self.updates = Updates(
            update_store, parts.clock.monotonic_ms, self._spares_first, self._version_shown
        )
        self.find_pages: Callable[[], str] = str
        self.sign_in = SignInSettings()
        self.secret = b""
        """The secret for links and badges; the same for all stations on one database."""
        self._boot = 0
        self.pins = TerminalPins()
        self.post: OrderSender | None = None
        self._on_entries_folded: Callable[[Sequence[Entry], Sequence[AffectedState]], None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._retry: asyncio.Task[None] | None = None
        self.published = PublishedTables(self.tournament_states)
        self.indexing: asyncio.Task[None] | None = None
        """The task that checks and indexes old games after a start."""
        self._asked_again = False

    async def open(self) -> None:
        """Check and fold all stored entries. Raises BadData for a damaged database."""
        store = self.parts.store
        self._boot = await asyncio.to_thread(self.parts.settings.count_start)
        self.secret = await asyncio.to_thread(read_secret, self.parts.settings)
        await self.read_facts()
        check = ChainCheck()
        problems = await self.folds.open(check)
        withdrawn = await asyncio.to_thread(store.withdraw, check)
        if withdrawn:
            # Some of them were folded, as only the index knew that they had moved.
            problems = await self.folds.open()
        self.show_problems(problems)
        for bad in withdrawn:
            _log.error("a stored entry has changed", stream=bad.entry.stream, entry=bad.entry.seq)
        for quarantined in await asyncio.to_thread(store.quarantined_entries):
            if quarantine_subject(quarantined.entry) not in self.projections.seen:
                self.alarm_of(quarantined.entry.stream, quarantined.problem)
        for alarm in self.projections.raised.values():
            if alarm.subject not in self.projections.seen:
                self.links.alarm(alarm.terminal, alarm.problem)
        self.indexing = self.spawn(self._index_games())

    @property
    def projections(self) -> Projections:
        return self.folds.projections

    def connect(self, post: OrderSender) -> None:
        self.post = post

    def on_folded(self, callback: Callable[[Sequence[Entry], Sequence[AffectedState]], None]) -> None:
        self._on_entries_folded = callback

    def spawn(self, work: Coroutine[Any, Any, _Result]) -> "asyncio.Task[_Result]":
        """Start a task that continues even if nobody waits for it, and logs any error."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    async def run_to_completion(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Run work to its end, even if the browser that requested it disconnects."""
        return await asyncio.shield(self.spawn(work))

    def retry_until_done(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start work soon, and retry it until the disk works. Does nothing if that is pending already."""
        self._asked_again = True
        if self._retry is None or self._retry.done():
            self._retry = asyncio.get_running_loop().create_task(self._until_done(work))

    async def close(self) -> None:
        """Wait for running work. Work that waits for the disk is found again at the next start."""
        for task in (self._retry, self.indexing):
            if task is not None:
                task.cancel()
        while self._tasks:
            ending = tuple(self._tasks)
            await asyncio.gather(*ending, return_exceptions=True)
            # Awaiting finished tasks need not yield, so their callbacks may not have run.
            self._tasks.difference_update(ending)

    async def decide_with_retry(self, work: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        """Run ``work``, and repeat it if another station has stored a decision meanwhile. Needs the lock.

        ``work`` reads the state and then appends at most once. Raises what ``work`` raises, and Unavailable
        while the database does not respond.
        """
        for _ in range(_TRIES):
            await self.catch_up()
            try:
                return await work()
            except ConcurrentWrite:
                continue
        raise Unavailable("the other stations decide all the time; try again")

    async def append(self, bodies: Sequence[tuple[StreamId, msgspec.Struct]]) -> None:
        """Append bodies as entries of the station's streams, all or none, and fold them.

        Needs the lock. Raises Unavailable, after which nobody sees a change, and ConcurrentWrite if another
        station has decided meanwhile (see ``decide_with_retry``).
        """
        clock = read_clocks(self.parts.clock, self._boot)
        await self.folds.append(
            [(stream, content_bytes(clock, _encoder.encode(body))) for stream, body in bodies]
        )

    async def catch_up(self) -> None:
        """Fold entries that another station, or a transaction reported as failed, has stored.

        Needs the lock, except on a shared store. Raises Unavailable.
        """
        before = self.projections
        self.show_problems(await self.folds.catch_up())
        if self.projections is not before:
            # An order whose commit was reported as failed counts as given, so it must be sent as well.
            for terminal in self.terminals:
                await self.send_orders(terminal.terminal)
        if self.parts.store.is_shared:
            await self.read_facts()

    async def read_facts(self) -> tuple[object, ...]:
        """Reload the terminals, their PINs and the sign-in settings, and return them for comparison."""
        self.pins = await asyncio.to_thread(read_pins, self.parts.settings)
        self.sign_in = await asyncio.to_thread(read_sign_in, self.parts.settings)
        await self.read_terminals()
        return self.terminals, self.pins, self.sign_in

    def sign_in_links(self) -> SignInLinks:
        """Return the links with which players can sign in by phone now."""
        pages = (self.sign_in.address or self.find_pages()) if self.sign_in.is_on else ""
        return SignInLinks(pages, self.secret)

    async def read_terminals(self) -> None:
        """Reload the enrolled terminals."""
        self.terminals = await asyncio.to_thread(self.parts.enrolments.terminals)
        self.terminals_by_id = {known.terminal: known for known in self.terminals}
        self.terminals_by_table = terminals_by_table(self.terminals)

    async def order(self, orders: Sequence[tuple[TerminalId, Order]]) -> None:
        """Append and send these orders. Needs the lock."""
        if not orders:
            return
        await self.append([(orders_of(terminal), order) for terminal, order in orders])
        for terminal in {terminal for terminal, _ in orders}:
            await self.send_orders(terminal)

    async def send_orders(self, terminal: TerminalId) -> None:
        """Send a terminal its stored orders, if it is connected here."""
        if self.post is not None:
            await self.post.orders_appended(terminal)

    def terminal_at(self, table: TableNo) -> EnrolledTerminal | None:
        terminal = self.terminals_by_table.get(table)
        return None if terminal is None else self.terminals_by_id.get(terminal)

    def log_of(self, game: GameId) -> GameTrack | None:
        """Return the log of a game that counts, or None if no terminal has reported it."""
        return authoritative_log(game, self.projections, self.terminals_by_table)

    def terminals_having(self, game: GameId) -> tuple[TerminalId, ...]:
        """Return the terminals that have a game and may connect."""
        folds, connectable = self.projections, {one.terminal for one in self.terminals if not one.revoked}
        return tuple(
            terminal
            for terminal in folds.games.terminals(game)
            if terminal in connectable and not folds.handovers.is_relieved(game, terminal)
        )

    def counters(self, terminal: TerminalId) -> Counters | None:
        return None if self.post is None else self.post.counters(terminal)

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        if self.post is not None:
            self.post.hang_up(terminal, reason)

    def tournament_states(self) -> tuple[TournamentState, ...]:
        """Return all tournaments, oldest first."""
        return tuple(track.state for track in self.projections.tournaments.values())

    def alarm_of(self, stream: StreamId, problem: str) -> None:
        self.links.alarm(TerminalId(stream.partition("/")[2]), problem)

    def publish_link(self, terminal: TerminalId) -> None:
        """Publish that a terminal's link has changed."""
        self.feed.publish("terminals")
        known = self.terminals_by_id.get(terminal)
        if known is not None and known.table is not None:
            self.feed.publish("table", known.table)

    def _spares_first(self) -> tuple[TerminalId, ...]:
        known = sorted(self.terminals, key=lambda one: (one.table is not None, one.table or 0))
        return tuple(one.terminal for one in known if not one.revoked)

    def _version_shown(self, terminal: TerminalId | None) -> None:
        if terminal is None:
            self.feed.publish("terminals")
        else:
            self.publish_link(terminal)

    def _on_arrival(self, entries: Sequence[Entry], touched: Sequence[AffectedState]) -> None:
        if self._on_entries_folded is not None:
            self._on_entries_folded(entries, touched)

    async def _index_games(self) -> None:
        if not isinstance(self.folds, LocalProjections):
            return
        try:
            changed = await self.folds.index_games()
        except (BadData, OSError) as error:
            _log.error("old games cannot be checked or indexed", problem=str(error))
            return
        for entry in changed:
            _log.error("a stored entry has changed", stream=entry.stream, entry=entry.seq)
            self.alarm_of(entry.stream, RUN_CHANGED)

    def show_problems(self, problems: Sequence[AffectedState]) -> None:
        """Log entries that cannot be read, and show them as alarms of their terminals."""
        for touched in problems:
            if touched.problem:
                _log.error("an entry cannot be read", problem=touched.problem)
                if touched.terminal is not None:
                    self.links.alarm(touched.terminal, touched.problem)

    async def _until_done(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while self._asked_again:
            await asyncio.sleep(self._retry_s)
            self._asked_again = False
            try:
                await work()
            except Unavailable as error:
                _log.warning("the disk or the database still fails", problem=str(error))
                self._asked_again = True

    def _on_task_done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, Unavailable):
            _log.warning("the station's disk refuses", problem=str(error))
        elif error is not None and not isinstance(error, _FOR_THE_CALLER):
            _log.error("an error of ours", exc_info=error)


class _Service(Protocol):
    _context: StationContext


_AnyService = TypeVar("_AnyService", bound=_Service)


def uninterrupted(
    method: Callable[Concatenate[_AnyService, _Parameters], Coroutine[Any, Any, _Result]],
) -> Callable[Concatenate[_AnyService, _Parameters], Coroutine[Any, Any, _Result]]:
    """Make a service's method run to its end, even if the browser that requested it disconnects."""

    @wraps(method)
    async def _run(service: _AnyService, /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        return await service._context.run_to_completion(method(service, *args, **kwargs))  # noqa: SLF001

    return _run


def read_clocks(clock: Clock, boot: int) -> ClockReading:
    """Read both clocks for an entry. ``boot`` is how often the station has started on this database."""
    return ClockReading(boot, clock.monotonic_ms(), clock.wall_ms(), trusted=True)
