"""The station's server for terminals, on asyncio: many connections, one durable store.

Entries received on all connections are committed in batches, on a worker thread, and only then acknowledged.
A terminal is identified by its certificate. It may send its stream and receive its orders, nothing else.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import structlog

from base.clock import Clock, SystemClock
from base.errors import PeerFault, SaloonError, Unavailable
from sync.link.counters import Counters
from sync.ports.port import StreamPort
from sync.ports.tcp import prepare
from sync.protocol.entry import Entry, EntryStore, TerminalId, orders_of
from sync.protocol.messages import CloseCause
from sync.station.bus import BusOwner, BusSupervisor, StationBus
from sync.station.group_commit import CommitLane, CommitOwner, GroupCommit
from sync.station.handshake import (
    UNUSABLE,
    CertificatePins,
    FairYield,
    Handshake,
    KnownTerminals,
    PinnedCertificates,
)
from sync.station.limits import TOO_MUCH, ConnectionLimits, EntryQuota, LimitSettings, QuotaSettings
from sync.station.terminal_session import (
    Offering,
    TerminalSession,
    TerminalSessionOwner,
    open_terminal_session,
)
from sync.station.wires import SerialWire, TcpWire, Wire
from sync.update.messages import UpdateOffer

_log = structlog.get_logger()
_TELL_STRANGERS_MS = 60_000
_REOPEN_S = 0.25
"""The pause (s) before reopening a serial device that is gone, or whose terminal restarted."""
_BACKLOG = 1024
"""Connections that the kernel may queue, since a whole hall may reconnect at once."""
_SHARED_GREETING_S = 60.0
"""The handshake timeout on a shared pair, where 32 terminals may have to take turns."""


class HubLimits(msgspec.Struct, frozen=True):
    """The limits on unidentified connections and on each terminal's entries."""

    strangers: LimitSettings = LimitSettings(
        at_once=256, from_one=16, reserved=256, from_known=64, burst=512, each_s=32, pause_ms=300
    )
    unknown_bytes: int = 64 * 1024
    greeting_s: float = 10.0
    quota: QuotaSettings = QuotaSettings()


class HubOwner(CommitOwner, TerminalSessionOwner, BusOwner, Protocol):
    """The receiver of the hub's events. Called on the event loop; must not block."""

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        """Handle a terminal's new connection over a ``wire`` of this kind, or its end if that is None."""


class Hub:
    """A server for terminals on TCP, serial devices and shared pairs of wires.

    identity: files of the station's key and certificate.
    offering: the versions for terminals, or None to offer none.
    """

    def __init__(
        self,
        store: EntryStore,
        directory: KnownTerminals,
        identity: tuple[Path, Path],
        owner: HubOwner,
        *,
        clock: Clock | None = None,
        limits: HubLimits = HubLimits(),  # noqa: B008 (immutable)
        offering: Offering | None = None,
    ) -> None:
        self._offering = offering
        self._store = store
        self._directory = directory
        self._pin_board = PinnedCertificates(identity, directory)
        self._unusable: frozenset[TerminalId] = frozenset()
        self._clock = clock or SystemClock()
        self._limits = limits
        self._strangers_here = ConnectionLimits(self._clock, limits.strangers)
        self._turns = FairYield()
        self._quota = EntryQuota(self._clock, limits.quota)
        self._owner = owner
        self._commit = GroupCommit(store, owner)
        self._sessions: dict[TerminalId, TerminalSession] = {}
        self._serial: dict[str, StreamPort] = {}
        self._pairs: list[BusSupervisor] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._strangers = 0
        self._tell_strangers_ms = self._clock.monotonic_ms()

    async def start(
        self,
        host: str,
        port: int,
        serial: Sequence[tuple[str, Callable[[], StreamPort]]],
        pairs: Sequence[Callable[[], StationBus]] = (),
    ) -> int:
        """Start listening, and return the TCP port in use. Raises Unavailable if the address is in use.

        serial: cables with one terminal each, by name.
        pairs: wires shared by many terminals.
        """
        self._commit.start()
        try:
            self._server = await asyncio.start_server(self._on_tcp_connection, host, port, backlog=_BACKLOG)
        except OSError as error:
            raise Unavailable(f"terminals' port {host}:{port}: {error.strerror or error}") from error
        for name, make in serial:
            self._spawn(self._keep_serial(name, make))
        for make_pair in pairs:
            supervisor = BusSupervisor(make_pair, self._serve, self._owner)
            self._pairs.append(supervisor)
            self._spawn(supervisor.run())
        taken: int = self._server.sockets[0].getsockname()[1]
        return taken

    async def stop(self) -> None:
        """Close all connections and finish the commit in progress."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._commit.stop()

    async def orders_appended(self, terminal: TerminalId) -> None:
        """Send new orders to a terminal if it is connected.

        If they can't be read, the terminal is disconnected, as it gets them with its next connection.
        """
        session = self._sessions.get(terminal)
        if session is None:
            return
        orders, last = orders_of(terminal), session.last_order()
        try:
            session.add_orders(await asyncio.to_thread(self._store.entries, orders, last, 10_000))
        except Unavailable as error:
            _log.error("a terminal's orders cannot be read", terminal=terminal, problem=str(error))
            session.hang_up("the station cannot read the orders right now")

    async def import_entries(self, entries: tuple[Entry, ...]) -> bool:
        """Store entries that came offline, and return False if they contradict stored ones.

        Raises Unavailable on a disk error.
        """
        return await self._commit.durable(CommitLane(), entries)

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        """Close the connection of a revoked terminal at once, even while it is sending."""
        session = self._sessions.get(terminal)
        if session is not None:
            session.hang_up(reason, CloseCause.REVOKED)

    def offer(self, terminal: TerminalId, offered: UpdateOffer) -> None:
        """Offer a version to a terminal, or withdraw the offer, if it is connected."""
        session = self._sessions.get(terminal)
        if session is not None:
            session.offer(offered)

    def counters(self, terminal: TerminalId) -> Counters | None:
        """Return the counters of a terminal's link, or None over TCP or if it is not connected."""
        session = self._sessions.get(terminal)
        return session.counters() if session is not None else None

    def _spawn(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _on_tcp_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        with contextlib.suppress(OSError):
            prepare(writer.get_extra_info("socket"))
        with contextlib.suppress(asyncio.CancelledError):
            await self._serve(TcpWire(reader, writer))

    async def _keep_serial(self, name: str, make: Callable[[], StreamPort]) -> None:
        port = self._serial[name] = make()
        while True:
            wire = SerialWire(port)
            try:
                wire.open()
                await self._serve(wire, name)
            except Unavailable as error:
                _log.debug("serial line unavailable", device=name, problem=str(error))
            except Exception:  # noqa: BLE001
                # After any error, the terminal at this cable must be able to come back.
                _log.exception("internal error on a serial line", device=name)
            await asyncio.sleep(_REOPEN_S)

    async def _serve(self, wire: Wire, place: str = "") -> None:
        known = False
        try:
            terminal, handshake = await self._introduce(wire, place)
            if terminal is not None:
                known = True
                await self._talk(terminal, handshake)
        except (PeerFault, Unavailable, TimeoutError) as error:
            self._say_ended(wire.kind, str(error) or "no greeting", known=known)
        except SaloonError:
            _log.exception("connection ended by an internal error", wire=wire.kind)
        finally:
            await wire.close()

    async def _introduce(self, wire: Wire, place: str) -> tuple[TerminalId | None, Handshake]:
        """Identify the other end, within the limits on unidentified connections."""
        async with asyncio.timeout(_patience_s(wire, self._limits)) as patience:

            def _evict() -> None:
                if not patience.expired():
                    patience.reschedule(asyncio.get_running_loop().time())

            # A cable has a single end, so no limits apply.
            visit = self._strangers_here.admit(wire.address, _evict) if wire.address else None
            handshake = Handshake(
                wire,
                self._pins(),
                self._directory,
                self._limits.unknown_bytes,
                place=place,
                on_stage=visit.enter if visit is not None else lambda _: None,
                turns=self._turns if visit is not None and not visit.is_reserved else None,
            )
            try:
                terminal = await handshake.run()
            finally:
                if visit is not None:
                    visit.leave()
            if terminal is not None and wire.address:
                self._strangers_here.remember(wire.address)
        return terminal, handshake

    def _say_ended(self, kind: str, problem: str, *, known: bool) -> None:
        """Log the end of a connection, or only a count of unknown ones once a minute, to avoid a flood."""
        if known:
            _log.info("connection ended", wire=kind, problem=problem)
            return
        self._strangers += 1
        _log.debug("unknown connection refused", wire=kind, problem=problem)
        now_ms = self._clock.monotonic_ms()
        if now_ms >= self._tell_strangers_ms:
            _log.info("unknown connections refused", count=self._strangers, wire=kind, last=problem)
            self._strangers, self._tell_strangers_ms = 0, now_ms + _TELL_STRANGERS_MS

    def _pins(self) -> CertificatePins:
        """Return the trusted terminals, and raise an alarm for each one that can't connect."""
        pins = self._pin_board.pins()
        for terminal in pins.unusable - self._unusable:
            self._owner.alarm(terminal, UNUSABLE)
        self._unusable = pins.unusable
        return pins

    def _has_room(self, terminal: TerminalId, entries: Sequence[Entry]) -> bool:
        """Return whether a terminal's entries may be stored, and raise an alarm if there are too many."""
        if self._quota.take(terminal, len(entries), sum(len(entry.raw) for entry in entries)):
            return True
        if self._quota.is_alarm_due(terminal):
            self._owner.alarm(terminal, f"{TOO_MUCH} (entry {entries[0].seq})")
        return False

    async def _talk(self, terminal: TerminalId, handshake: Handshake) -> None:
        parts = await open_terminal_session(terminal, handshake, self._store, self._clock, self._offering)
        session = TerminalSession(terminal, parts, self._commit, self._owner, self._has_room)
        if terminal not in self._pins().terminals:
            # Revoked after its handshake. There is no await between this check and ``_sessions``.
            await session.leave("the terminal has been revoked", CloseCause.REVOKED)
            return
        former = self._sessions.get(terminal)
        if former is not None:
            former.hang_up("the terminal has connected again")
        self._sessions[terminal] = session
        for pair in self._pairs:
            pair.note_terminal(handshake.wire, terminal)
        self._owner.link_changed(terminal, wire=handshake.wire.kind)
        try:
            # An order may have been written between creating and registering the session.
            await self.orders_appended(terminal)
            await session.run()
        finally:
            if self._sessions.get(terminal) is session:
                del self._sessions[terminal]
                self._owner.link_changed(terminal, wire=None)


def _patience_s(wire: Wire, limits: HubLimits) -> float | None:
    """Return the handshake timeout in seconds, or None for a cable with a single terminal."""
    if wire.address:
        return limits.greeting_s
    return _SHARED_GREETING_S if wire.kind == "bus" else None
