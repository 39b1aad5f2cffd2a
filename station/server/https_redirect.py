"""Redirect HTTP to HTTPS and reload the pages' certificate when addresses change."""

import asyncio
import contextlib
import re
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Final

import structlog

from base.clock import Clock, SystemClock
from base.errors import PeerFault, SaloonError, Unavailable
from station.server.addresses import Address
from sync.station.connection_limits import ConnectionLimits, LimitSettings

_log = structlog.get_logger()
LONGEST_HEAD: Final = 4_096
"""The size limit of a request's header, in bytes."""
_PATIENCE_S: Final = 5.0
_LIMITS: Final = LimitSettings(at_once=50, from_one=8, burst=200, each_s=20)
"""The number of browsers served at a time; a new one replaces the one that has been silent longest."""
_HTTPS: Final = 443
_WORDS: Final = b"Open this address with https:// at its beginning.\n"
_DAY_MS: Final = 24 * 3600 * 1000
_JUMP_MS: Final = 3600 * 1000
_REQUEST: Final = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n")
_HOST: Final = re.compile(
    rb"\r\nhost:[ \t]*([0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?[ \t]*\r\n", re.IGNORECASE
)


def redirect_response(head: bytes, port: int) -> bytes:
    """Return the response to a plain HTTP request."""
    request, host = _REQUEST.match(head), _HOST.search(head)
    if request is None or host is None:
        return b"HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (
            len(_WORDS), _WORDS,
        )  # fmt: skip
    place = b"" if port == _HTTPS else b":%d" % port
    return (
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s%s\r\n"
        b"Content-Length: 0\r\nConnection: close\r\n\r\n" % (host[1], place, request[1])
    )


@contextlib.asynccontextmanager
async def redirect_to_https(at: Address | None, port: int) -> AsyncIterator[None]:
    """Redirect browsers from ``at`` to the same page over TLS at ``port``; do nothing if ``at`` is None.

    Raises Unavailable if the address is in use.
    """
    if at is None:
        yield
        return
    limits = ConnectionLimits(SystemClock(), _LIMITS)

    async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername") or ("gone",)
        try:
            visit = limits.admit(str(peer[0]), writer.transport.abort)
        except PeerFault:
            writer.close()
            return
        try:
            async with asyncio.timeout(_PATIENCE_S):
                writer.write(redirect_response(await reader.readuntil(b"\r\n\r\n"), port))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # Empty and oversized requests get no response.
        finally:
            visit.leave()
            writer.close()

    try:
        server = await asyncio.start_server(_answer, at.host, at.port, limit=LONGEST_HEAD)
    except OSError as error:
        raise Unavailable(f"{at}: {error.strerror or error}; choose another --redirect") from error
    async with server:
        yield


async def watch_clock(clock: Clock, look: Callable[[], None], pause_s: float = 60.0) -> None:
    """Check the certificate once a day and whenever the clock jumps, as it may not be valid then.

    A station that starts with a wrong clock makes a certificate that browsers refuse once the clock is set.
    ``look`` is called on a worker thread.
    """
    looked_ms, before_ms = clock.monotonic_ms(), clock.wall_ms()
    while True:
        await asyncio.sleep(pause_s)
        passed_ms, wall_ms = clock.monotonic_ms() - looked_ms, clock.wall_ms()
        if passed_ms < _DAY_MS and abs(wall_ms - before_ms - passed_ms) < _JUMP_MS:
            continue
        looked_ms, before_ms = clock.monotonic_ms(), wall_ms
        try:
            await asyncio.to_thread(look)
        except (OSError, SaloonError) as error:
            _log.warning("the certificate of the pages is not renewed", problem=str(error))


def reload_certificate(context: ssl.SSLContext, files: tuple[str, str]) -> None:
    """Load a new certificate for future connections. ``files`` are the certificate and the key."""
    try:
        context.load_cert_chain(*files)
    except (OSError, ssl.SSLError) as error:
        _log.warning("the new certificate of the pages is not taken", problem=str(error))
