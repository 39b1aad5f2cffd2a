"""Run the station: its store, service, hub and pages on one event loop."""

import asyncio
import contextlib
import datetime as dt
import gc
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import cast

import msgspec
import structlog
import uvicorn
from litestar import Litestar
from uvicorn._types import ASGI3Application

from base import system
from base.clock import Clock, SystemClock
from base.errors import Unavailable
from station.accounts.judges import Judges
from station.cluster import NotificationListener, StationLease
from station.devices.service import BrowserTerminals
from station.enrolment.enrolments import Enrolments
from station.hall.hub_events import HubEventHandler
from station.hall.station_context import StationContext, StationParts
from station.hall.station_service import StationService
from station.hall.tournaments import follow_up
from station.server.addresses import (
    ANYWHERE,
    Address,
    address_of,
    hall_addresses,
    open_listener,
    pages_for_phones,
    watch_addresses,
)
from station.server.follower import StationFollower
from station.server.forwarded import AsgiApp, ForwardedClients
from station.server.page_server import PageServer, page_limits, redirect_to_https
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.settings import Settings
from station.store.store import Store
from station.terminals.admission import EnrolmentDirectory
from station.web.page_certificate import page_certificate, reload_certificate, watch_clock
from sync.bus.timing import ADAPTER_HOLD_MS, BusTiming
from sync.ports.bus_port import QUEUED
from sync.ports.link_port import LinkPort
from sync.ports.mdns import MdnsAnnouncer
from sync.ports.serial import BAUD, SerialPort
from sync.station.bus import StationBus
from sync.station.hub import Hub
from sync.station.limits import ConnectionLimits
from sync.tls.certificates import fingerprint_of_pem


class Rs485Options(msgspec.Struct, frozen=True):
    """The options of RS-485 buses.

    devices: one for each bus.
    hold_ms: longest time that an adapter holds back bytes.
    rts: the kernel switches the transceiver by RTS; most adapters switch it themselves.
    """

    devices: tuple[str, ...] = ()
    baud: int = BAUD
    hold_ms: int = ADAPTER_HOLD_MS
    rts: bool = False


def _rs485_bus_factories(
    options: Rs485Options, monotonic_ms: Callable[[], int]
) -> tuple[Callable[[], StationBus], ...]:
    timing = BusTiming(baud=options.baud, hold_ms=options.hold_ms)

    def _bus(device: str) -> StationBus:
        port = SerialPort(device, options.baud, ahead=QUEUED, drives_direction=options.rts)
        return StationBus(device, port, timing, monotonic_ms)

    return tuple(partial(_bus, device) for device in options.devices)


_log = structlog.get_logger()
_GRACE_S = 2
_RARELY = (5_000, 8, 1_000)
"""Thresholds of the garbage collector."""


class ServeOptions(msgspec.Struct, frozen=True):
    """The options of a running station.

    addresses: those for provisioning files, ``host:port``; by default those of this computer.
    name: the station's name for people, if several share a database.
    host: its local name for browsers.
    redirect: where plain HTTP is redirected to HTTPS.
    known_hosts: more names for the pages' certificate.
    trusted_proxies: proxies whose headers name the browser's address.
    """

    folder: DataFolder
    http: Address
    terminals: Address
    serial: tuple[str, ...] = ()
    pairs: Rs485Options = Rs485Options()
    baud: int = 115_200
    addresses: tuple[str, ...] = ()
    https: bool = False
    name: str = "station"
    announce: bool = True
    host: str = ""
    redirect: Address | None = None
    known_hosts: tuple[str, ...] = ()
    trusted_proxies: frozenset[str] = frozenset()

    @property
    def scheme(self) -> str:
        return "https" if self.https else "http"


class StationAddresses(msgspec.Struct, frozen=True):
    """The current addresses of a station.

    pages: the URL of its pages.
    terminals_port: the hub's port.
    local: returns its local name, or "".
    """

    pages: str
    terminals_port: int
    local: Callable[[], str] = str


class _Running(msgspec.Struct, frozen=True):
    context: StationContext
    port: int
    call: MdnsAnnouncer


Pages = Callable[[StationService, Judges, Settings], Litestar]
"""A function that creates the web app for a service."""


async def serve(options: ServeOptions, pages: Pages, ready: Callable[[StationAddresses], None]) -> None:
    """Run the station until SIGTERM or SIGINT. ``ready`` is called once pages and hub are running.

    Raises Unavailable for an address in use or a failing disk, BadData for a damaged database.
    """
    ending = _Shutdown()
    clock = SystemClock()
    # Projections grow with each entry and have no cycles: a full collection would free nothing and stop
    # everything for half a second. The objects of the first load are never collected.
    gc.set_threshold(*_RARELY)
    gc.disable()
    database = Database(options.folder.url)
    with (
        system.shutdown_signals(ending.ask),
        options.folder.exclusive_lock(),
        open_listener(options.http) as door,
        contextlib.closing(database),
    ):
        await asyncio.to_thread(database.open)
        files = await asyncio.to_thread(load_station_identity, options.folder, Settings(database))
        parts = _parts(database, clock, files, options.folder)
        beside = _alone() if database.is_sqlite else _beside_others(database, options.name)
        taken = Address(options.http.host, door.getsockname()[1])
        started = _running(parts, options, files, taken)
        async with beside as follow, started as running, follow(running.context):
            gc.freeze()
            gc.enable()
            judges, settings = Judges(database, clock.wall_ms), Settings(database)
            service = StationService(running.context, database)
            app = pages(service, judges, settings)
            addresses = StationAddresses(
                f"{options.scheme}://{taken}", running.port, lambda: running.call.host
            )
            limits = page_limits(system.open_files_limit(), is_tls=options.https)
            clients = ConnectionLimits(clock, limits)
            behind_proxies = ForwardedClients(cast("AsgiApp", app), options.trusted_proxies, clients)
            config = _page_config(behind_proxies, _page_files(options, clock) if options.https else None)
            connections = ConnectionLimits(clock, limits, options.trusted_proxies)
            server = PageServer(
                config, connections, lambda: ready(addresses), on_shutdown=running.context.feed.close
            )
            hub_host = "127.0.0.1" if options.terminals.host in ANYWHERE else options.terminals.host
            async with (
                redirect_to_https(options.redirect, taken.port),
                _moving(running, options, config, clock),
                service.of(BrowserTerminals).running(str(Address(hub_host, running.port))),
            ):
                await ending.serve_until_asked(server, door)
        _log.info("station stopped")


def _parts(database: Database, clock: Clock, files: tuple[Path, Path], folder: DataFolder) -> StationParts:
    return StationParts(
        store=Store(database, clock.wall_ms),
        enrolments=Enrolments(database, clock.wall_ms),
        settings=Settings(database),
        clock=clock,
        certificate=files[1].read_text(encoding="ascii"),
        folder=folder.path,
    )


@contextlib.asynccontextmanager
async def _moving(
    running: _Running, options: ServeOptions, config: uvicorn.Config, clock: Clock
) -> AsyncIterator[None]:
    """Watch this computer's clock within the block, and its addresses unless options give them."""

    def _renew_certificate() -> None:
        if config.ssl is not None:
            key, certificate = _page_files(options, clock)
            reload_certificate(config.ssl, (str(certificate), str(key)))

    following = [asyncio.create_task(watch_clock(clock, _renew_certificate))]
    if not options.addresses:
        watching = watch_addresses(running.context, running.call, running.port, _renew_certificate)
        following.append(asyncio.create_task(watching))
    try:
        yield
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)


@contextlib.asynccontextmanager
async def _running(
    parts: StationParts, options: ServeOptions, files: tuple[Path, Path], http: Address
) -> AsyncIterator[_Running]:
    """Run service and hub within the block. ``http`` is the address of the pages."""
    context = StationContext(parts)
    context.find_pages = pages_for_phones(options.scheme, http, lambda: context.own_addresses)
    await context.open()
    directory = EnrolmentDirectory(parts.enrolments, context, asyncio.get_running_loop())
    hub = Hub(parts.store, directory, files, HubEventHandler(context), offering=context.updates)
    context.connect(hub)
    await context.updates.open(hub.offer)
    await follow_up(context)
    terminals = options.terminals
    wires = _serial_lines(options, parts.clock), _rs485_bus_factories(options.pairs, parts.clock.monotonic_ms)
    port = await hub.start(terminals.host, terminals.port, *wires)
    context.addresses = context.own_addresses = options.addresses or hall_addresses(port)
    call = MdnsAnnouncer(
        fingerprint_of_pem(parts.certificate, "station"), context.addresses, host=options.host
    )
    if options.announce:
        call.start()
    try:
        yield _Running(context, port, call)
    finally:
        await asyncio.to_thread(call.stop)
        await hub.stop()
        await context.updates.close()
        await context.close()


_Follow = Callable[[StationContext], contextlib.AbstractAsyncContextManager[None]]
"""A context manager that keeps a context up to date with other stations."""


@contextlib.asynccontextmanager
async def _alone() -> AsyncIterator[_Follow]:
    yield lambda _: contextlib.nullcontext()


@contextlib.asynccontextmanager
async def _beside_others(database: Database, name: str) -> AsyncIterator[_Follow]:
    """Follow the other stations on the database, listening for their changes before anything is read.

    Raises Unavailable if no station may run now.
    """
    news = NotificationListener(database)
    presence = StationLease(database, secrets.token_hex(8), name)

    @contextlib.asynccontextmanager
    async def _follow(context: StationContext) -> AsyncIterator[None]:
        following = StationFollower(context, words, presence)
        running = asyncio.create_task(following.run())
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await following.leave()

    async with contextlib.aclosing(news.messages()) as words:
        await anext(words)
        if news.problem:
            raise Unavailable(news.problem)
        yield _follow


def _serial_lines(options: ServeOptions, clock: Clock) -> tuple[tuple[str, Callable[[], LinkPort]], ...]:
    def _port(device: str) -> LinkPort:
        return LinkPort(SerialPort(device, options.baud), clock.monotonic_ms, baud=options.baud)

    return tuple((device, partial(_port, device)) for device in options.serial)


def _page_files(options: ServeOptions, clock: Clock) -> tuple[Path, Path]:
    hosts = {address_of(address, "address").host for address in hall_addresses(0)}
    hosts |= {options.http.host, *options.known_hosts}
    now = dt.datetime.fromtimestamp(clock.wall_ms() / 1000, dt.UTC)
    return page_certificate(options.folder.path, tuple(sorted(hosts)), now)


def _page_config(app: AsgiApp, certificate: tuple[Path, Path] | None) -> uvicorn.Config:
    key_file, certificate_file = certificate or (None, None)
    return uvicorn.Config(
        cast("ASGI3Application", app),
        # Anybody could send these headers; ``ForwardedClients`` checks the sender.
        proxy_headers=False,
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
        ssl_keyfile=key_file,
        ssl_certfile=certificate_file,
    )


class _Shutdown:
    """Shut down on a signal: first the pages' server, then everything else, in order.

    Signals during startup count too. While Uvicorn serves, it handles signals itself, and raises them again
    when it has ended; they have no effect then.
    """

    def __init__(self) -> None:
        self._is_requested = False
        self._server: uvicorn.Server | None = None
        self._loop = asyncio.get_running_loop()

    def ask(self) -> None:
        self._loop.call_soon_threadsafe(self._ask)

    async def serve_until_asked(self, server: uvicorn.Server, door: socket.socket) -> None:
        self._server = server
        if not self._is_requested:
            await server.serve(sockets=[door])

    def _ask(self) -> None:
        self._is_requested = True
        if self._server is not None:
            self._server.should_exit = True
