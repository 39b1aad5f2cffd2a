"""Announcing and discovering stations by multicast DNS, which only gives hints where a station is.

The TXT record of the service ``_saloon._tcp`` contains ``v=1`` and ``fp``, the fingerprint of the station's
certificate, so that terminals can ignore other stations. Anybody on the network can announce anything: only
the pinned certificate establishes trust.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import structlog

from sync.ports.addresses import FoundStation
from sync.protocol.entry import TerminalId
from sync.tls.certificates import fingerprint_of_pem

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

_log = structlog.get_logger()
SERVICE: Final = "_saloon._tcp.local."
_VERSION: Final = b"1"
_KEPT: Final = 8
"""The most stations remembered; a station that announces itself more often gains nothing."""
_LISTEN_S: Final = 3.0
_LONGEST_NAME: Final = 24
_ANSWER_MS: Final = 1_000
_RESTART_S: Final = 60.0
"""The time (s) after which the browser restarts, to drop accumulated records of others."""
_AGAIN_S: Final = 15.0
_MOST_HOSTS: Final = 9
_NAME_MS: Final = 3_000
"""The time (ms) that other computers have to claim a name."""
_Interfaces = Sequence[str]
"""Addresses of the network interfaces to use, or empty for all."""


class MdnsAnnouncer:
    """Announces a station at these addresses, given as numeric ``host:port``.

    ``host`` is the host name to use in browsers, without ``.local``; empty if none is needed. If another
    computer has that name, ``host-2``, ``host-3`` and so on are tried. The announcement runs on its own
    threads. If the network has no multicast, this is only logged.
    """

    def __init__(
        self,
        fingerprint: TerminalId,
        addresses: Sequence[str],
        *,
        interfaces: _Interfaces = (),
        host: str = "",
    ) -> None:
        self._fingerprint = fingerprint
        self._addresses = tuple(addresses)
        self._interfaces = interfaces
        self._wanted_host = host
        self._host = ""
        self._ended = threading.Event()
        self._turned = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall-call", daemon=True)

    @property
    def host(self) -> str:
        """The name on the local network, such as ``saloon.local``, or empty if there is none."""
        return self._host

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Withdraw the announcement and stop. May block for a second or two."""
        self._ended.set()
        self._turned.set()
        if self._thread.is_alive():
            self._thread.join()

    def change_addresses(self, addresses: Sequence[str]) -> None:
        """Announce other addresses from now on."""
        self._addresses = tuple(addresses)
        self._turned.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._turned.clear()
            try:
                self._announce()
            except Exception as error:  # noqa: BLE001
                # The announcement is optional, so errors of the network or the library are only logged.
                _log.warning("the station cannot be announced on this network", problem=str(error))
                self._turned.wait(_AGAIN_S)
            finally:
                self._host = ""

    def _announce(self) -> None:
        addresses = self._addresses
        numbers, port = _numbers(addresses)
        if not numbers:
            _log.warning("the station has no address to announce")
            self._turned.wait()
            return
        with _zeroconf(self._interfaces) as zeroconf:
            host = _free_host(zeroconf, self._wanted_host, numbers)
            service = _service(self._fingerprint, numbers, port, host)
            zeroconf.register_service(service, allow_name_change=True)
            self._host = f"{host}.local" if host else ""
            _log.info("the station is announced", name=service.name, host=host, addresses=addresses)
            self._turned.wait()
            zeroconf.unregister_service(service)


def hear_stations(certificate: str, where: str) -> tuple[FoundStation, ...]:
    """Return the announcements of one station heard within three seconds. Raises BadData naming ``where``."""
    ear = MdnsBrowser(fingerprint_of_pem(certificate, where))
    ear.start()
    ear.listen(wanted=True)
    end = time.monotonic() + _LISTEN_S
    while time.monotonic() < end and not ear.stations():
        time.sleep(0.05)
    stations = ear.stations()
    ear.stop()
    return stations


class MdnsBrowser:
    """A listener for announced stations; a ``StationAnnouncements``.

    ``fingerprint`` is our station's, or empty to accept all.
    """

    def __init__(self, fingerprint: str, *, interfaces: _Interfaces = ()) -> None:
        self._fingerprint = fingerprint
        self._interfaces = interfaces
        self._lock = threading.Lock()
        self._by_service: dict[str, tuple[FoundStation, ...]] = {}
        self._wanted = threading.Event()
        self._turned = threading.Event()
        self._ended = threading.Event()
        self._was_deaf = False
        self._thread = threading.Thread(target=self._run, name="hall-ear", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._ended.set()
        self._turned.set()
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join()

    def listen(self, *, wanted: bool) -> None:
        """Start or stop listening. The stations found remain until it starts again."""
        if wanted == self._wanted.is_set():
            return
        if wanted:
            self._turned.clear()
            self._wanted.set()
        else:
            self._wanted.clear()
            self._turned.set()

    def stations(self) -> tuple[FoundStation, ...]:
        with self._lock:
            return tuple(station for group in self._by_service.values() for station in group)[:_KEPT]

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wanted.wait()
            if self._ended.is_set():
                return
            try:
                self._browse()
                self._was_deaf = False
            except Exception as error:  # noqa: BLE001
                # No network yet, or one without multicast: the terminal has other routes.
                if not self._was_deaf:
                    _log.info("cannot listen on this network", problem=str(error))
                self._was_deaf = True
                self._turned.wait(_AGAIN_S)

    def _browse(self) -> None:
        from zeroconf import ServiceBrowser

        with self._lock:
            self._by_service.clear()
        with _zeroconf(self._interfaces) as zeroconf:
            browser = ServiceBrowser(zeroconf, SERVICE, handlers=[self._on_change])
            try:
                self._turned.wait(_RESTART_S)
            finally:
                browser.cancel()

    def _on_change(
        self, zeroconf: "Zeroconf", service_type: str, name: str, state_change: "ServiceStateChange"
    ) -> None:
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            with self._lock:
                self._by_service.pop(name, None)
            return
        with self._lock:
            if name not in self._by_service and len(self._by_service) >= _KEPT:
                return
        service = zeroconf.get_service_info(service_type, name, _ANSWER_MS)
        stations = () if service is None else _stations(service, self._fingerprint)
        if stations:
            with self._lock:
                self._by_service[name] = stations


def _zeroconf(interfaces: _Interfaces) -> "Zeroconf":
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    return Zeroconf(interfaces=list(interfaces) or InterfaceChoice.All, ip_version=IPVersion.V4Only)


def _numbers(addresses: Sequence[str]) -> tuple[list[bytes], int]:
    """Return the numeric IPv4 addresses and their port; loopback only if there are no others."""
    numbers, ports = [], [0]
    for address in addresses:
        host, _, port = address.rpartition(":")
        with contextlib.suppress(OSError):
            numbers.append(socket.inet_pton(socket.AF_INET, host))
            ports.append(int(port))
    return [number for number in numbers if number[0] != 127] or numbers, ports[min(1, len(numbers))]  # noqa: PLR2004 (loopback)


def _free_host(zeroconf: "Zeroconf", wanted: str, own: Sequence[bytes]) -> str:
    """Return the first free variant of the wanted name, or an empty string if there is none."""
    from zeroconf import AddressResolver  # type: ignore[attr-defined]  # public, but not in __all__

    for number in range(1, _MOST_HOSTS + 1 if wanted else 1):
        host = wanted if number == 1 else f"{wanted}-{number}"
        resolver = AddressResolver(f"{host}.local.")
        if not resolver.request(zeroconf, _NAME_MS) or {*resolver.addresses} <= {*own}:
            return host
    return ""


def _service(fingerprint: TerminalId, numbers: list[bytes], port: int, host: str) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    unique = f"{socket.gethostname()}-{port}-{fingerprint[:6]}"
    return ServiceInfo(
        SERVICE,
        f"Saloon {unique}.{SERVICE}",
        port=port,
        addresses=numbers,
        properties={b"v": _VERSION, b"fp": fingerprint.encode()},
        server=f"{host or f'saloon-{unique}'}.local.",
    )


def _stations(service: "ServiceInfo", fingerprint: str) -> tuple[FoundStation, ...]:
    """Return the addresses in an announcement, at most two, or none if it is not our station's."""
    from zeroconf import IPVersion

    properties = service.properties
    if properties.get(b"v") != _VERSION or service.port is None:
        return ()
    if fingerprint and properties.get(b"fp") != fingerprint.encode():
        return ()
    name = "".join(letter for letter in service.name.removesuffix(f".{SERVICE}") if letter.isprintable())
    hosts = service.parsed_addresses(IPVersion.V4Only)[:2]
    return tuple(FoundStation(name[:_LONGEST_NAME], f"{host}:{service.port}") for host in hosts)
