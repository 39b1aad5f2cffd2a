"""Find database servers whose traffic could be read or altered on the network."""

import ipaddress
import socket
from collections.abc import Iterator, Mapping
from typing import Final

from station.server.addresses import address_of, hall_addresses
from station.store.database import Database

_VERIFIED: Final = frozenset({"verify-ca", "verify-full"})
_THIS_COMPUTER: Final = frozenset({"", "localhost"})
_SOCKETS: Final = ("/", "@")
"""The first characters of a Unix socket's path, and of an abstract socket's name."""


def exposed_hosts(database: Database) -> tuple[str, ...]:
    """Return the remote database hosts that are not authenticated by TLS.

    Empty for SQLite. Settings that libpq reads from the environment (``PGHOST``, ``PGSSLMODE``) are included.
    """
    if database.is_sqlite:
        return ()
    # Imported here, as only PostgreSQL needs its driver.
    from psycopg.pq import Conninfo

    usual = {option.keyword.decode(): (option.val or b"").decode() for option in Conninfo.get_defaults()}
    settings = {name: str(value) for name, value in database.connect_arguments().items()}
    return _exposed_by(usual | settings)


def _exposed_by(parameters: Mapping[str, str]) -> tuple[str, ...]:
    # "system" trusts the computer's authorities, and libpq then requires verify-full.
    if parameters.get("sslmode") in _VERIFIED or parameters.get("sslrootcert") == "system":
        return ()
    return tuple(host for host in _hosts(parameters) if not _is_this_computer(host))


def _hosts(parameters: Mapping[str, str]) -> Iterator[str]:
    """Yield the hosts to which libpq connects; an address takes precedence over its host name."""
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
