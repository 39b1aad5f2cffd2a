"""The station's end of one terminal's connection: it stores entries, and sends orders and updates."""

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

import structlog

from base.clock import Clock
from base.errors import PeerFault, Unavailable
from sync.link.counters import Counters
from sync.protocol.entry import (
    GENESIS,
    Entry,
    EntryStore,
    Epoch,
    Head,
    StreamId,
    TerminalId,
    orders_of,
    table_stream,
)
from sync.protocol.messages import CloseCause
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from sync.station.group_commit import CommitLane, GroupCommit
from sync.station.handshake import Handshake
from sync.station.wires import loop_ms
from sync.update.bundle import About
from sync.update.messages import UpdateMessage, UpdateOffer, UpdatePiece, UpdateReported, UpdateWant

_log = structlog.get_logger()


class Offering(Protocol):
    """The versions that terminals run and are offered. Called on the event loop; must not block."""

    @property
    def about(self) -> About:
        """The station's own program."""

    def on_introduction(self, terminal: TerminalId, about: About | None) -> None:
        """Record the program that a terminal runs, or None if the terminal does not report it."""

    def on_progress(self, terminal: TerminalId, progress: UpdateReported) -> None:
        """Record a terminal's progress with a version."""

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        """Return bytes of a payload, or none if it is no longer offered. Raises Unavailable."""


class BundleServer:
    """A sender of a bundle's pieces to one terminal. A new request replaces an unanswered one."""

    def __init__(self, terminal: TerminalId, offering: Offering) -> None:
        self._terminal = terminal
        self._offering = offering
        self._wanted: UpdateWant | None = None
        self._is_sending = False

    def on_introduction(self, about: About | None) -> None:
        self._offering.on_introduction(self._terminal, about)

    def on_message(self, message: UpdateMessage) -> UpdateWant | None:
        """Process a message from the terminal, and return the request to answer now, if any.

        Raises PeerFault for a message that only a station may send.
        """
        match message:
            case UpdateReported():
                self._offering.on_progress(self._terminal, message)
                return None
            case UpdateWant():
                self._wanted = message
                return None if self._is_sending else message
            case UpdateOffer() | UpdatePiece():
                raise PeerFault(f"a terminal must not send {type(message).__name__}")
            case _:
                assert_never(message)

    async def piece(self, wanted: UpdateWant, quiet: Awaitable[object]) -> UpdatePiece | None:
        """Return the piece requested last, once the line is quiet, or None on a disk error."""
        self._is_sending = True
        try:
            await quiet
            wanted = self._wanted or wanted
            data = await self._offering.piece(wanted.digest, wanted.offset, wanted.length)
        except Unavailable as error:
            _log.error("a version cannot be read", problem=str(error))
            return None
        finally:
            self._is_sending = False
        return UpdatePiece(wanted.digest, wanted.offset, data)


_LOOK_S = 1.0
_ALL_ORDERS = 1_000_000
_FAREWELL_S = 1.0
_CANNOT_STORE = "the station cannot store anything right now"


class TerminalSessionOwner(Protocol):
    """The receiver of a session's events."""

    def on_message(self, terminal: TerminalId, *, owes: int) -> None:
        """Handle the arrival of a message from a terminal.

        ``owes`` is the number of its entries that are not durable here yet.
        """

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Alert the judge to a problem with a terminal."""


class OrdersOutbox:
    """A terminal's orders, as sent by a session."""

    def __init__(self, stream: StreamId, epoch: Epoch, entries: Sequence[Entry]) -> None:
        self._stream = stream
        self._epoch = epoch
        self._raws = [entry.raw for entry in entries]
        self._hashes = [GENESIS, *(entry.hash for entry in entries)]

    def add(self, entries: Sequence[Entry]) -> None:
        """Add new durable orders."""
        for entry in entries:
            if entry.seq == len(self._hashes):
                self._raws.append(entry.raw)
                self._hashes.append(entry.hash)

    def head(self) -> Head:
        return Head(self._stream, self._epoch, len(self._raws), self._hashes[-1])

    def hash_at(self, seq: int) -> bytes | None:
        """Return the chained hash after an order; GENESIS for 0, None if missing."""
        return self._hashes[seq] if 0 <= seq < len(self._hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        return tuple(self._raws[seq : seq + count])


@dataclass(frozen=True)
class SessionParts:
    """The parts of one connection."""

    handshake: Handshake
    session: Session
    outbox: OrdersOutbox
    bundle_server: BundleServer | None = None


async def open_terminal_session(
    terminal: TerminalId,
    handshake: Handshake,
    store: EntryStore,
    clock: Clock,
    offering: Offering | None = None,
) -> SessionParts:
    """Prepare the session with an authenticated terminal, which gets its wall time from ``clock``."""
    stream, orders = table_stream(terminal), orders_of(terminal)
    written = await asyncio.to_thread(store.entries, orders, 0, _ALL_ORDERS)
    held = await asyncio.to_thread(store.head, stream)
    outbox = OrdersOutbox(orders, store.own_epoch(), written)
    about = None if offering is None else offering.about
    bundle_server = None if offering is None else BundleServer(terminal, offering)
    session = Session(outbox, stream, held, loop_ms(), about, at_ms=clock.wall_ms())
    return SessionParts(handshake, session, outbox, bundle_server)


class TerminalSession:
    """A session with one terminal, until the wire is gone.

    ``has_room`` returns whether entries that have arrived may be stored now.
    """

    def __init__(
        self,
        terminal: TerminalId,
        parts: SessionParts,
        commit: GroupCommit,
        owner: TerminalSessionOwner,
        has_room: Callable[[TerminalId, Sequence[Entry]], bool],
    ) -> None:
        self._terminal = terminal
        self._wire = parts.handshake.wire
        self._tls = parts.handshake.tls
        self._early = parts.handshake.early
        self._session = parts.session
        self._outbox = parts.outbox
        self._bundle_server = parts.bundle_server
        self._commit = commit
        self._lane = CommitLane()
        self._owner = owner
        self._has_room = has_room
        self._acks: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()
        self._ended = ""
        self._cause = CloseCause.OTHER
        self._disagrees = False
        self._owes: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._quiet = asyncio.Event()
        """Set while no order is waiting for an acknowledgement."""

    async def run(self) -> None:
        """Run the session. Raises PeerFault or Unavailable when it ends."""
        me = self._task = asyncio.current_task()
        try:
            await self._exchange()
        except asyncio.CancelledError:
            # After ``hang_up`` the session just ends; any other cancellation means the whole task.
            if me is None or not self._ended or me.uncancel():
                raise
        finally:
            self._task = None
            for ack in tuple(self._acks):
                ack.cancel()
        await self.leave(self._ended, self._cause)

    async def _exchange(self) -> None:
        if not self._ended:
            await self._act_on(self._session.receive(self._early, loop_ms()))
        while not self._ended:
            await self._push()
            data = await self._wire.read(_LOOK_S)
            if data:
                await self._act_on(self._session.receive(self._tls.from_wire(data), loop_ms()))
                self._report_heard(self._owes)
            self._session.advance(loop_ms())

    def counters(self) -> Counters | None:
        return self._wire.counters()

    def last_order(self) -> int:
        return self._outbox.head().seq

    def add_orders(self, entries: Sequence[Entry]) -> None:
        """Send new durable orders."""
        self._outbox.add(entries)
        if self._session.unacknowledged:
            self._quiet.clear()
        self._session.on_append(loop_ms())
        self._later(self._push_if_there())

    def offer(self, offered: UpdateOffer) -> None:
        """Offer a version to the terminal, or withdraw the offer."""
        if self._session.is_greeted:
            self._session.say_of_update(offered, loop_ms())
            self._later(self._push_if_there())

    def hang_up(self, reason: str, cause: CloseCause = CloseCause.OTHER) -> None:
        """End the connection now, and store nothing that arrives later."""
        self._ended, self._cause = reason, cause
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def leave(self, reason: str, cause: CloseCause = CloseCause.OTHER) -> None:
        """Send the reason for closing the connection, and wait for the terminal to close, at most 1 s.

        Closing a connection on which unread bytes arrive could discard the reason on its way.
        """
        self._session.farewell(reason, loop_ms(), forked=self._disagrees, cause=cause)
        with contextlib.suppress(TimeoutError, Unavailable):
            async with asyncio.timeout(_FAREWELL_S):
                await self._push()
                while True:
                    await self._wire.read(_FAREWELL_S)

    def _later(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._acks.add(task)
        task.add_done_callback(self._acks.discard)

    async def _push(self) -> None:
        async with self._writing:
            plain = self._session.outgoing()
            if plain:
                self._tls.send(plain)
            data = self._tls.to_wire()
            if data:
                await self._wire.write(data)

    async def _push_if_there(self) -> None:
        # ``run`` notices a wire that is gone.
        with contextlib.suppress(Unavailable):
            await self._push()

    async def _act_on(self, outcomes: Sequence[Outcome]) -> None:
        arrived: list[Entry] = []
        for outcome in outcomes:
            match outcome:
                case StoreEntries(stream, epoch, first, raws, hashes):
                    numbered = zip(itertools.count(first), raws, hashes, strict=False)
                    arrived += (Entry(stream, epoch, seq, raw, digest) for seq, raw, digest in numbered)
                case Acknowledged():
                    if not self._session.unacknowledged:
                        self._quiet.set()
                case PeerOwes():
                    self._report_heard(outcome.entries)
                    if self._bundle_server is not None:
                        self._bundle_server.on_introduction(self._session.peer_about)
                case Forked():
                    self._owner.alarm(self._terminal, f"{outcome.problem} (entry {outcome.seq})")
                    self._disagrees = True
                    await self.leave(outcome.problem)
                    raise PeerFault(outcome.problem)
                case OfUpdate():
                    self._of_update(outcome.message)
                case _:
                    assert_never(outcome)
        if arrived:
            # All entries from one read of the wire become durable in one go, with one ack.
            self._later(self._store_and_ack(tuple(arrived)))

    def _of_update(self, message: UpdateMessage) -> None:
        if self._bundle_server is None:
            raise PeerFault("an unexpected message about a new version")
        wanted = self._bundle_server.on_message(message)
        if wanted is not None:
            self._later(self._send_piece(self._bundle_server, wanted))

    async def _send_piece(self, bundle_server: BundleServer, wanted: UpdateWant) -> None:
        piece = await bundle_server.piece(wanted, self._quiet.wait())
        if piece is not None and not self._ended:
            self._session.say_of_update(piece, loop_ms())
            await self._push_if_there()

    def _report_heard(self, owes: int | None) -> None:
        """Report that the terminal was heard. ``owes`` counts the entries that aren't stored here."""
        self._owes = owes
        if owes is not None:
            self._owner.on_message(self._terminal, owes=owes)

    async def _store_and_ack(self, entries: tuple[Entry, ...]) -> None:
        if self._ended:
            return
        if not self._has_room(self._terminal, entries):
            # Storing later entries would leave a gap; the terminal keeps them all and connects again.
            self._ended = self._lane.refusal = "too many entries within an hour; the rest later"
            return
        try:
            agreed = await self._commit.durable(self._lane, entries)
        except Unavailable:
            # Details are only in the station's log: terminals need not know where the database is.
            self._ended = _CANNOT_STORE
            return
        if agreed and not self._ended:
            last = entries[-1]
            self._session.on_stored(Head(last.stream, last.epoch, last.seq, last.hash), loop_ms())
            # They are durable now, even if another connection stored them.
            self._report_heard(max(0, (self._owes or 0) - len(entries)))
            await self._push_if_there()
        elif not agreed:
            self._disagrees = True
            self._ended = "entries of this terminal disagree with stored ones"
