"""A station's network addresses, and the streams to them.

``host:port`` is TCP. Addresses of other transports have a prefix, as in ``tcp:host:port``.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from base.errors import BadData
from sync.ports.port import StreamPort
from sync.ports.tcp import TcpPort

STATION_PORT: Final = 7373
"""The default port on which a station listens for terminals."""
_HOST: Final = re.compile(r"[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?\]")
_PORT: Final = re.compile("[1-9][0-9]{0,4}")


class FoundStation(msgspec.Struct, frozen=True):
    """A station that announces itself on the network under an unverified name."""

    name: str
    address: str


def host_and_port(address: str, where: str) -> tuple[str, int]:
    """Split an address into host and port. Raises BadData naming ``where``."""
    host, _, port = address.rpartition(":")
    if not (_HOST.fullmatch(host) and _PORT.fullmatch(port) and int(port) < 65536):  # noqa: PLR2004 (ports of TCP)
        raise BadData(where, f"{address!r} is no address; write it as host:port")
    return host.strip("[]"), int(port)


def complete_address(typed: str) -> str:
    """Add the default port to a typed address that has none."""
    return typed if ":" in typed else f"{typed}:{STATION_PORT}"


_StreamMaker = Callable[[], StreamPort]
_TCP_ROUTE: Final = "tcp "


def _tcp(address: str, where: str) -> _StreamMaker:
    host, port = host_and_port(address, where)
    return lambda: TcpPort(host, port)


TRANSPORTS: Final[Mapping[str, Callable[[str, str], _StreamMaker]]] = {"tcp": _tcp}
"""The transports by prefix: each takes the rest of an address, and a place to name in BadData."""


def stream_to(address: str, where: str) -> _StreamMaker:
    """Return a function that creates the stream to an address. Raises BadData naming ``where``."""
    name, _, rest = address.partition(":")
    return TRANSPORTS[name](rest, where) if name in TRANSPORTS else _tcp(address, where)


def is_address(address: str) -> bool:
    """Return whether an address is well-formed."""
    try:
        stream_to(address, "address")
    except BadData:
        return False
    return True


def route_name(address: str) -> str:
    return address if address.partition(":")[0] in TRANSPORTS else _TCP_ROUTE + address


def address_of(route: str) -> str:
    """Return the address in a route's name, or an empty string for a cable."""
    address = route.removeprefix(_TCP_ROUTE)
    return address if is_address(address) else ""
