"""A terminal's routes to a station: serial lines, RS-485, the network, and TLS over all of them.

The module is imported after the first frame, which doesn't need it.
"""

import contextlib
from functools import partial
from pathlib import Path

import msgspec

from base.clock import SystemClock
from kiosk.terminal.startup_settings import StartupSettings
from sync.enrolment.provisioning import Provisioning, TerminalPart
from sync.ports.addresses import route_name, stream_to
from sync.ports.bus_port import QUEUED, BusPort
from sync.ports.link_port import LinkPort
from sync.ports.mdns import MdnsBrowser
from sync.ports.serial import BAUD, SerialPort
from sync.protocol.entry import TerminalId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.station_clock import StationClock
from sync.terminal.station_record import StationRecord
from sync.terminal.station_search import TypedAndHeardRoutes
from sync.terminal.terminal_connector import CableAndNetwork, TerminalConnector
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem
from sync.update.fetcher import UpdateFetcher
from sync.update.place import UpdateFolders

_UNIT_DIGITS = 16
"""The maximum length of a terminal's name in a unit id on RS-485."""


def rs485_route(device: str, terminal: TerminalId, *, rts: bool) -> StationRoute:
    """Return the route over a serial bus shared with other terminals (RS-485).

    With ``rts``, the kernel switches the transceiver by RTS; most adapters switch automatically.
    """
    raw = SerialPort(device, ahead=QUEUED, drives_direction=rts)
    port = BusPort(raw, bytes.fromhex(terminal[:_UNIT_DIGITS]), SystemClock().monotonic_ms, baud=BAUD)
    return StationRoute(f"bus {device}", lambda: port, RouteSource.CABLE)


class ConnectionConfig(msgspec.Struct, frozen=True):
    """The configuration of the connection to a station, or to none if the terminal isn't enrolled.

    ``clock`` follows the station's clock, if this machine's does.
    """

    terminal: TerminalId
    identity: tuple[Path, Path]
    journal: Journal
    record: StationRecord
    station: Provisioning | None
    place: UpdateFolders
    clock: StationClock | None


def open_connector(
    settings: StartupSettings, config: ConnectionConfig, parts: contextlib.ExitStack
) -> TerminalConnector:
    """Return the connector that finds and keeps connections. ``parts`` stops its listeners at the end."""
    terminal = config.terminal
    cables = _CableRoutes(settings, terminal)
    listeners = parts.enter_context(contextlib.ExitStack())
    fetcher = UpdateFetcher(config.place)

    def uplink_to(known: Provisioning) -> Uplink:
        credentials = Credentials(known.station.certificate, *config.identity, known.terminal.token)
        # Stop listening for an earlier station.
        listeners.close()
        browser = MdnsBrowser(fingerprint_of_pem(known.station.certificate, "[station] certificate"))
        browser.start()
        listeners.callback(browser.stop)
        network = TypedAndHeardRoutes(_by_network, browser)
        addresses = dict.fromkeys((*settings.stations, *known.station.addresses))
        routes = (
            *(route for _, route in cables.routes_from(known.terminal)),
            *(_by_network(address, RouteSource.FILE) for address in addresses),
        )
        uplink = Uplink(
            config.journal,
            orders_of(terminal),
            routes,
            credentials,
            config.record.forget_token,
            network=network,
        )
        uplink.fetch_with(fetcher)
        if config.clock is not None:
            uplink.tell_time_to(config.clock.on_station_time)
        return uplink

    reachable = CableAndNetwork(
        cables.routes_from(TerminalPart()), partial(_by_network, source=RouteSource.TYPED)
    )
    return TerminalConnector(config.identity[1], config.record, reachable, uplink_to, config.station)


class _CableRoutes:
    """Routes over serial lines, with one shared port per device."""

    def __init__(self, settings: StartupSettings, terminal: TerminalId) -> None:
        self._settings = settings
        self._terminal = terminal
        self._ports: dict[str, LinkPort] = {}

    def routes_from(self, part: TerminalPart) -> tuple[tuple[str, StationRoute], ...]:
        """Return the routes in the settings and in a provisioning file, by device; RS-485 first."""
        settings = self._settings
        bus = settings.bus or (part.serial if part.bus else "")
        pair = ((bus, rs485_route(bus, self._terminal, rts=settings.bus_rts or part.rts)),) if bus else ()
        devices = dict.fromkeys((settings.serial, "" if part.bus else part.serial))
        return (*pair, *((device, self._serial(device)) for device in devices if device))

    def _serial(self, device: str) -> StationRoute:
        port = self._ports.get(device)
        if port is None:
            port = self._ports[device] = LinkPort(SerialPort(device), SystemClock().monotonic_ms, baud=BAUD)
        return StationRoute(f"serial {device}", lambda: port, RouteSource.CABLE)


def _by_network(address: str, source: RouteSource) -> StationRoute:
    return StationRoute(route_name(address), stream_to(address, "station address"), source)
