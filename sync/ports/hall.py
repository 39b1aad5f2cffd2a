"""Calling out and hearing in the hall by multicast DNS: a hint where a station is, and no more.

Service ``_saloon._tcp``; its TXT record holds ``v=1`` and ``fp``, the fingerprint of the station's
certificate, so that a terminal passes over stations that are not its own. Anybody in the network
may say anything here: whom a terminal believes is decided by the pinned certificate alone.
"""

import contextlib
import socket
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import structlog

from saloon.sync.agent_contract import FoundStation
from saloon.sync.entry import TerminalId

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

_log = structlog.get_logger()
SERVICE: Final = "_saloon._tcp.local."
_VERSION: Final = b"1"
_KEPT: Final = 8
"""How many stations are remembered; whoever calls more only hides himself."""
_LONGEST_NAME: Final = 24
_ANSWER_MS: Final = 1_000
_AFRESH_S: Final = 60.0
"""After so long the ear starts anew: what strangers have piled up in it is dropped."""
_AGAIN_S: Final = 15.0
Interfaces = Sequence[str]
"""Addresses of the network interfaces to use; none of them for all."""


class HallCall:
    """A station that calls itself out. name: for people. addresses: ``host:port`` in numbers.

    Works on threads of its own; a network without multicast is logged and disturbs nothing.
    """

    def __init__(
        self,
        fingerprint: TerminalId,
        addresses: Sequence[str],
        *,
        interfaces: Interfaces = (),
    ) -> None:
        self._fingerprint = fingerprint
        self._addresses = tuple(addresses)
        self._interfaces = interfaces
        self._zeroconf: Zeroconf | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall-call", daemon=True)

    def start(self) -> None:
        """Begin to call; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Say goodbye and end. May block for a second or two."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._call()
            except Exception as error:  # noqa: BLE001
                # Whatever the network or the library has: calling out is a favour, not a duty.
                _log.warning("the station cannot call itself out in this network", problem=str(error))
            self._ended.wait(_AGAIN_S)

    def _call(self) -> None:
        service = _service(self._fingerprint, self._addresses)
        if service is None:
            _log.warning("the station has no address to call out")
            self._ended.wait()
            return
        with _zeroconf(self._interfaces) as zeroconf:
            zeroconf.register_service(service, allow_name_change=True)
            _log.info("the station calls itself out", name=service.name, addresses=self._addresses)
            self._ended.wait()
            zeroconf.unregister_service(service)


class HallEar:
    """Hears stations call; implements ``search.Hall``. fingerprint: of ours, empty to hear all of them."""

    def __init__(self, fingerprint: str, *, interfaces: Interfaces = (), afresh_s: float = _AFRESH_S) -> None:
        self._fingerprint = fingerprint
        self._interfaces = interfaces
        self._afresh_s = afresh_s
        self._lock = threading.Lock()
        self._found: dict[str, tuple[FoundStation, ...]] = {}
        self._wanted = threading.Event()
        self._turned = threading.Event()
        self._ended = threading.Event()
        self._was_deaf = False
        self._thread = threading.Thread(target=self._run, name="hall-ear", daemon=True)

    def start(self) -> None:
        """Start the thread; it listens once it is asked to."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        self._turned.set()
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join()

    def listen(self, *, wanted: bool) -> None:
        """Listen, or do not; what was heard stays until it is listened again."""
        if wanted == self._wanted.is_set():
            return
        if wanted:
            self._turned.clear()
            self._wanted.set()
        else:
            self._wanted.clear()
            self._turned.set()

    def heard(self) -> tuple[FoundStation, ...]:
        """The stations that call now, the first heard first."""
        with self._lock:
            return tuple(station for found in self._found.values() for station in found)[:_KEPT]

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wanted.wait()
            if self._ended.is_set():
                return
            try:
                self._hear()
                self._was_deaf = False
            except Exception as error:  # noqa: BLE001
                # No network yet, or one without multicast: the terminal has other ways.
                if not self._was_deaf:
                    _log.info("nothing can be heard in this network", problem=str(error))
                self._was_deaf = True
                self._turned.wait(_AGAIN_S)

    def _hear(self) -> None:
        from zeroconf import ServiceBrowser

        with self._lock:
            self._found.clear()
        with _zeroconf(self._interfaces) as zeroconf:
            browser = ServiceBrowser(zeroconf, SERVICE, handlers=[self._changed])
            try:
                self._turned.wait(self._afresh_s)
            finally:
                browser.cancel()

    def _changed(
        self, zeroconf: "Zeroconf", service_type: str, name: str, state_change: "ServiceStateChange"
    ) -> None:
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            with self._lock:
                self._found.pop(name, None)
            return
        with self._lock:
            if name not in self._found and len(self._found) >= _KEPT:
                return
        service = zeroconf.get_service_info(service_type, name, _ANSWER_MS)
        stations = () if service is None else _stations(service, self._fingerprint)
        if stations:
            with self._lock:
                self._found[name] = stations


def _zeroconf(interfaces: Interfaces) -> "Zeroconf":
    """The library, which a terminal that has found its station by file or cable never loads."""
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    return Zeroconf(interfaces=list(interfaces) or InterfaceChoice.All, ip_version=IPVersion.V4Only)


def _service(fingerprint: TerminalId, addresses: Sequence[str]) -> "ServiceInfo | None":
    """What is called out: numeric IPv4 addresses of one port. None where there is none."""
    from zeroconf import ServiceInfo

    numbers, ports = [], []
    for address in addresses:
        host, _, port = address.rpartition(":")
        with contextlib.suppress(OSError):
            numbers.append(socket.inet_pton(socket.AF_INET, host))
            ports.append(int(port))
    in_hall = [number for number in numbers if number[0] != 127] or numbers  # noqa: PLR2004 (loopback)
    if not in_hall:
        return None
    unique = f"{socket.gethostname()}-{ports[0]}-{fingerprint[:6]}"
    return ServiceInfo(
        SERVICE,
        f"Saloon {unique}.{SERVICE}",
        port=ports[0],
        addresses=in_hall,
        properties={b"v": _VERSION, b"fp": fingerprint.encode()},
        server=f"saloon-{unique}.local.",
    )


def _stations(service: "ServiceInfo", fingerprint: str) -> tuple[FoundStation, ...]:
    """What an answer says, if it is about our station; at most two addresses."""
    from zeroconf import IPVersion

    said = service.properties
    if said.get(b"v") != _VERSION or service.port is None:
        return ()
    if fingerprint and said.get(b"fp") != fingerprint.encode():
        return ()
    name = "".join(letter for letter in service.name.removesuffix(f".{SERVICE}") if letter.isprintable())
    hosts = service.parsed_addresses(IPVersion.V4Only)[:2]
    return tuple(FoundStation(name[:_LONGEST_NAME], f"{host}:{service.port}") for host in hosts)
