"""Re-announce the station to terminals, browsers and new files when its IP address changes."""

import asyncio
from collections.abc import Callable

import structlog

from saloon.base.errors import SaloonError
from saloon.station.server.addresses import hall_addresses
from saloon.station.services.station_context import Desk
from saloon.sync.ports.mdns import HallCall

_log = structlog.get_logger()
_LOOKS_EVERY_S = 5.0


async def follow_addresses(desk: Desk, call: HallCall, port: int, moved: Callable[[], None]) -> None:
    """Watch for new addresses until cancelled. port: of the terminals. moved: called on a worker thread."""
    while True:
        await asyncio.sleep(_LOOKS_EVERY_S)
        found = await asyncio.to_thread(hall_addresses, port)
        if found == desk.own_addresses:
            continue
        _log.info("the station has other addresses", addresses=found)
        others = tuple(address for address in desk.addresses if address not in desk.own_addresses)
        desk.own_addresses, desk.addresses = found, (*found, *others)
        call.moved(found)
        desk.feed.publish("station")
        try:
            await asyncio.to_thread(moved)
        except SaloonError as error:
            _log.warning("the pages do not follow", problem=str(error))
