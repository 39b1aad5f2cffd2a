"""The addresses at which the station listens and can be reached, and those of its database."""

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.errors import BadData, SaloonError, Unavailable
from station.hall.station_context import StationContext
from station.hall.tournaments import follow_up
from station.store.database import Database
from sync.ports.mdns import MdnsAnnouncer

_NOBODY = ("192.0.2.1", 9)  # a documentation address; nothing is sent to it
_LAST_PORT = 65_535
_INTERFACES = Path("/sys/class/net")
_USUAL_PORTS = frozenset({("http", 80), ("https", 443)})
ANYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 (compared only)
"""Hosts that mean all addresses; browsers cannot open them."""
_ONLY_HERE = frozenset({"localhost", "::1"})


class Address(msgspec.Struct, frozen=True):
    """A host and a port; port 0 lets the system choose a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address_of(text: str, where: str) -> Address:
    """Parse an address written as ``host:port``. Raises BadData naming ``where``."""
    host, colon, port = text.rpartition(":")
    plain = ":" not in host or (host.startswith("[") and host.endswith("]"))
    if not plain or not colon or not port.isascii() or not port.isdigit() or int(port) > _LAST_PORT:
        raise BadData(where, f"{text!r} is no address; write it as HOST:PORT, such as 127.0.0.1:8080")
    return Address(host.strip("[]") or "0.0.0.0", int(port))  # noqa: S104 (asked for by leaving the host out)


def hall_addresses(port: int) -> tuple[str, ...]:
    """Return the addresses at which terminals can reach this computer, the likeliest first."""
    routed: str | None = None
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOBODY)
        routed = str(probe.getsockname()[0])
    return tuple(str(Address(host, port)) for host in (*order_hosts(_of_interfaces(), routed), "127.0.0.1"))


def order_hosts(
    interfaces: Sequence[tuple[str, str]], routed: str | None, devices: Path = _INTERFACES
) -> tuple[str, ...]:
    """Return the hosts at which others can reach this computer, the likeliest first.

    Bridges, tunnels and networks of virtual machines have no device. They count only if they have the default
    route, or if no other interface has an address.

    interfaces: each name with its IPv4 address.
    routed: the address with the default route, or None on a network without a router.
    """
    outside = [(name, host) for name, host in interfaces if not host.startswith("127.")]
    real = [host for name, host in outside if (devices / name / "device").exists()]
    hosts = real or [host for _, host in outside]
    if routed in hosts or not real:
        hosts = [*([] if routed is None else [routed]), *hosts]
    elif routed is not None:
        hosts = [*hosts, routed]
    return tuple(dict.fromkeys(hosts))


def pages_for_phones(
    scheme: str, http: Address, find_addresses: Callable[[], Sequence[str]]
) -> Callable[[], str]:
    """Return a function that returns the pages' address for phones, or "" if there is none.

    find_addresses: returns the current addresses of this computer, ``host:port``.
    """
    place = "" if (scheme, http.port) in _USUAL_PORTS else f":{http.port}"

    def _find() -> str:
        is_any = http.host in ANYWHERE
        hosts = (address_of(text, "address").host for text in find_addresses()) if is_any else (http.host,)
        outside = (host for host in hosts if host not in _ONLY_HERE and not host.startswith("127."))
        host = next(outside, "")
        literal = f"[{host}]" if ":" in host else host
        return f"{scheme}://{literal}{place}" if host else ""

    return _find


def open_listener(address: Address) -> socket.socket:
    """Open a socket that listens on an address. Raises Unavailable."""
    try:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        return socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        raise Unavailable(f"{address}: {error.strerror or error}; choose another --http") from error


def _of_interfaces() -> tuple[tuple[str, str], ...]:
    # Imported here, as it loads ctypes, which commands that only parse addresses do not need.
    import ifaddr

    interfaces = ((one.nice_name, one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips)
    return tuple((name, host) for name, host in interfaces if isinstance(host, str))


_log = structlog.get_logger()
_LOOKS_EVERY_S = 5.0


async def watch_addresses(
    context: StationContext, call: MdnsAnnouncer, port: int, moved: Callable[[], None]
) -> None:
    """Watch for new addresses of this computer until cancelled, and announce them.

    port: the hub's.
    moved: called on a worker thread after each change.
    """
    while True:
        await asyncio.sleep(_LOOKS_EVERY_S)
        addresses = await asyncio.to_thread(hall_addresses, port)
        if addresses == context.own_addresses:
            continue
        _log.info("addresses changed", addresses=addresses)
        others = tuple(address for address in context.addresses if address not in context.own_addresses)
        context.own_addresses, context.addresses = addresses, (*addresses, *others)
        call.change_addresses(addresses)
        context.feed.publish("station")
        try:
            await asyncio.to_thread(moved)
        except SaloonError as error:
            _log.warning("certificate not renewed for new addresses", problem=str(error))
        # The QR codes for phones contain the new address from now on.
        context.spawn(follow_up(context))


_VERIFIED: Final = frozenset({"verify-ca", "verify-full"})
_THIS_COMPUTER: Final = frozenset({"", "localhost"})
_SOCKETS: Final = ("/", "@")
"""The first characters of a Unix socket's path, and of an abstract socket's name."""


def exposed_hosts(database: Database) -> tuple[str, ...]:
    """Return the remote hosts of the database whose identity TLS does not verify.

    This includes settings that libpq reads from the environment (``PGHOST``, ``PGSSLMODE``).
    """
    if database.is_sqlite:
        return ()
    # Imported here, as only PostgreSQL needs its driver.
    from psycopg.pq import Conninfo

    usual = {option.keyword.decode(): (option.val or b"").decode() for option in Conninfo.get_defaults()}
    settings = {name: str(value) for name, value in database.connect_arguments().items()}
    return _exposed_by(usual | settings)


def _exposed_by(parameters: Mapping[str, str]) -> tuple[str, ...]:
    # With "system", which means the computer's authorities, libpq requires verify-full.
    if parameters.get("sslmode") in _VERIFIED or parameters.get("sslrootcert") == "system":
        return ()
    return tuple(host for host in _hosts(parameters) if not _is_this_computer(host))


def _hosts(parameters: Mapping[str, str]) -> Iterator[str]:
    """Yield the hosts to which libpq connects; a host's address takes precedence over its name."""
    names = parameters.get("host", "").split(",")
    addresses = parameters.get("hostaddr", "").split(",")
    for number in range(max(len(names), len(addresses))):
        address = addresses[number] if number < len(addresses) else ""
        yield address or (names[number] if number < len(names) else "")


def _is_this_computer(host: str) -> bool:
    if host in _THIS_COMPUTER or host.startswith(_SOCKETS) or host == socket.gethostname():
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    own = {address_of(text, "address").host for text in hall_addresses(0)}
    return address.is_loopback or host in own
