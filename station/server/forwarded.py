"""Find the address of a browser that connects through a trusted proxy."""

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

import structlog

from base.errors import BadData, PeerFault
from sync.station.limits import ConnectionLimits, ConnectionStage

_log = structlog.get_logger()
_SCHEMES: Final = frozenset({"http", "https"})
_BUSY: Final = 503

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def proxies_of(addresses: Iterable[str], where: str) -> frozenset[str]:
    """Parse the addresses of proxies. Raises BadData naming ``where``."""
    try:
        return frozenset(str(ipaddress.ip_address(address)) for address in addresses)
    except ValueError as error:
        raise BadData(where, f"{error}; write it as 192.168.1.2") from error


class ForwardedClients:
    """ASGI middleware that reads the browser's address and scheme from a trusted proxy's headers.

    ``limits`` applies to each of these browsers, as it does to those that connect directly.
    """

    def __init__(self, app: AsgiApp, proxies: frozenset[str], limits: ConnectionLimits) -> None:
        self._app = app
        self._proxies = proxies
        self._limits = limits
        self._has_warned = False

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        peer = scope.get("client") or ("", 0)
        if scope["type"] != "http" or peer[0] not in self._proxies:
            if not self._has_warned and scope["type"] == "http" and _last(scope, b"x-forwarded-for"):
                self._has_warned = True
                advice = f"if it is your proxy, serve with --trusted-proxy {peer[0]}"
                _log.warning(
                    "browsers behind an untrusted proxy are limited as one", address=peer[0], advice=advice
                )
            await self._app(scope, receive, send)
            return
        scope["client"] = (self._client_of(scope) or peer[0], 0)
        scheme = _last(scope, b"x-forwarded-proto")
        if scheme in _SCHEMES:
            scope["scheme"] = scheme
        try:
            visit = self._limits.admit(scope["client"][0], lambda: None)
        except PeerFault as fault:
            _log.debug("request refused", problem=str(fault))
            await _turn_away(send)
            return
        visit.enter(ConnectionStage.SERVED)
        try:
            await self._app(scope, receive, send)
        finally:
            visit.leave()

    def _client_of(self, scope: _Scope) -> str:
        """Return the last address that is no trusted proxy's, as clients can forge all earlier ones."""
        named = ",".join(
            value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"
        )
        for one in reversed(named.split(",")):
            address = _address(one.strip())
            if address not in self._proxies:
                return address
        return ""


def _address(text: str) -> str:
    """Parse an address that may have brackets or a port; return "" for an invalid one."""
    bare = text.partition("]")[0].removeprefix("[") if "[" in text else text
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return ""


def _last(scope: _Scope, wanted: bytes) -> str:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]
    return values[-1].rpartition(",")[2].strip().lower() if values else ""


async def _turn_away(send: _Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"1")]
    await send({"type": "http.response.start", "status": _BUSY, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too much at once from your address. Try again."})
