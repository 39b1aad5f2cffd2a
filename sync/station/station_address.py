"""The address on which a station listens, as people write it: ``host:port``."""

import re
from typing import Final

from saloon.base.errors import BadData

STATION_PORT: Final = 7373
"""The default port on which a station listens for terminals."""
_HOST: Final = re.compile(r"[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?\]")
_PORT: Final = re.compile("[1-9][0-9]{0,4}")


def host_and_port(address: str, where: str) -> tuple[str, int]:
    """Split an address into host and port. Raises BadData naming ``where``."""
    host, _, port = address.rpartition(":")
    if not (_HOST.fullmatch(host) and _PORT.fullmatch(port) and int(port) < 65536):  # noqa: PLR2004 (ports of TCP)
        raise BadData(where, f"{address!r} is no address; write it as host:port")
    return host.strip("[]"), int(port)


def complete_address(typed: str) -> str:
    """Return a typed address, with the default port added if it has none."""
    return typed if ":" in typed else f"{typed}:{STATION_PORT}"
