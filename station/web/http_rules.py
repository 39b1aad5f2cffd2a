"""Rules for all requests and responses: caching, compression, HEAD as GET, and each station's own cookies.

Browsers separate cookies only by host: two stations on one computer, a new station at an old address, or one
station with and without HTTPS would read each other's cookies. In the browser, their names end with a short
hash of the station's key; inside the app, they have plain names.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Iterator
from typing import Any, Final

from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.exceptions import ClientException
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.middleware.csrf import generate_csrf_hash
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig
from litestar.types import ASGIApp, Message, Receive, Scope, ScopeSession, Send

from station.web.limits import KNOWN_BROWSER

_STATIC: Final = "/static/"
_SECRET: Final = ("/judge", "/login", "/logout", "/first", "/in/", "/invitation", "/device/")
_HSTS: Final = "max-age=86400"
"""Only one day, as the same name may serve a rehearsal without HTTPS tomorrow."""
_REST_S: Final = 0.5
_LARGEST_ENCODED: Final = 384 * 1024
_MOST_FIELDS: Final = 2_000
_LONGEST_NAME: Final = 255
"""The most bytes of a file name in common file systems."""


class _Compression(CompressionMiddleware):
    """Compression that marks the request, so that a compressed page never repeats its own address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"][IS_COMPRESSED] = True
        await super().__call__(scope, receive, send)


IS_COMPRESSED: Final = "is_compressed"
COMPRESSED: Final = DefineMiddleware(
    _Compression, config=CompressionConfig(backend="gzip", gzip_compress_level=5)
)
"""Compression for long pages and phones' pages. They must not repeat any text from their address.

Otherwise, an attacker who sees the length of compressed responses could guess the secret in the page's forms.
"""


async def add_headers(message: Message, scope: Scope) -> None:
    """Add headers for caching and, over HTTPS, restrict cookies to it."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    path = str(scope["path"])
    if path.startswith(_STATIC):
        if "set-cookie" in headers:
            del headers["set-cookie"]
        headers.setdefault("cache-control", "public, max-age=3600")
    elif path.startswith(_SECRET):
        headers["cache-control"] = "no-store"
    else:
        headers.setdefault("cache-control", "private, no-cache")
    if scope["scheme"] == "https":
        headers["strict-transport-security"] = _HSTS
        _secure_cookies(message)


def _secure_cookies(message: Message) -> None:
    raw: list[tuple[bytes, bytes]] = []
    for name, value in message.get("headers", ()):  # type: ignore[attr-defined]  # a start has headers
        is_bare = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
        raw.append((name, value + b"; Secure" if is_bare else value))
    message["headers"] = raw  # type: ignore[typeddict-unknown-key]  # the same


def with_tidy_requests(app: ASGIApp) -> ASGIApp:
    """Wrap an app to answer HEAD like GET but without a body, and to reject paths with overlong names."""

    async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope["path"])
        if "\0" in path or any(len(name.encode()) > _LONGEST_NAME for name in path.split("/")):
            scope["path"] = "/api/v1/-" if path.startswith("/api/") else "/-"
            scope["raw_path"] = scope["path"].encode()
        if dict(scope).get("method") != "HEAD":
            await app(scope, _limit_encoded(scope, receive), send)
            return
        as_get: Any = {**scope, "method": "GET"}
        head = _Head(send)
        answering = asyncio.ensure_future(app(as_get, receive, head.send))
        said = asyncio.ensure_future(head.is_said.wait())
        try:
            await asyncio.wait((answering, said), return_when=asyncio.FIRST_COMPLETED)
            # The response may be an event stream, which never ends.
            await asyncio.wait((answering,), timeout=_REST_S)
        finally:
            said.cancel()
            answering.cancel()
            await asyncio.gather(answering, said, return_exceptions=True)

    return _answer


def _limit_encoded(scope: Scope, receive: Receive) -> Receive:
    """Reject URL-encoded forms whose length or number of fields makes them slow to decode.

    Files and long lists are sent as multipart, which is much cheaper.
    """
    kind = dict(scope.get("headers", ())).get(b"content-type", b"")
    if not kind.lower().startswith(b"application/x-www-form-urlencoded"):
        return receive
    octets = fields = 0

    async def _limited() -> Any:
        nonlocal octets, fields
        message: Any = await receive()
        body = message.get("body", b"")
        octets, fields = octets + len(body), fields + body.count(b"&")
        if octets > _LARGEST_ENCODED or fields > _MOST_FIELDS:
            raise ClientException(status_code=413)
        return message

    return _limited


class _Head:
    """Passes on the start of a response, without its body."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_said = asyncio.Event()

    async def send(self, message: Message) -> None:
        """Pass on a message if it starts the response."""
        if self.is_said.is_set():
            return
        await self._send(message)
        if message["type"] == "http.response.start":
            self.is_said.set()
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


CSRF: Final = "csrftoken"
_DEVICE: Final = "device-"
_CSRF_RANDOM: Final = 64
"""Characters of a token before its signature."""
_COOKIE: Final = b"cookie"
_SET_COOKIE: Final = b"set-cookie"


def with_own_cookies(app: ASGIApp, secret: str) -> ASGIApp:
    """Wrap an app so that its cookies have the station's suffix in browsers.

    CSRF tokens that this station has not signed are dropped; the page then makes a new one.
    """
    key = hashlib.sha256(f"cookies/{secret}".encode()).hexdigest()[:8]

    async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
        ending = f"-{key}-s" if scope["scheme"] == "https" else f"-{key}"

        async def _send(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = own["state"].get(KNOWN_BROWSER)
                message["headers"] = [
                    (name, _renamed(value, ending) if name.lower() == _SET_COOKIE else value)
                    for name, value in (*message.get("headers", ()), *((known,) if known else ()))
                ]
            await send(message)

        headers = [pair for pair in scope["headers"] if pair[0] != _COOKIE]
        sent = "; ".join(_own(scope["headers"], ending, secret))
        own: Any = {**scope, "headers": [*headers, *([(_COOKIE, sent.encode("latin-1"))] if sent else [])]}
        await app(own, receive, _send)

    return _answer


def _renamed(value: bytes, ending: str) -> bytes:
    name, equals, rest = value.partition(b"=")
    return name + ending.encode() + equals + rest


def _own(headers: Any, ending: str, secret: str) -> Iterator[str]:
    """Yield this station's cookies with their plain names."""
    sent = {
        name: value
        for header in Headers(headers).getall("cookie", [])
        for name, _, value in (cookie.strip().partition("=") for cookie in header.split(";"))
    }
    for name, value in sent.items():
        plain = name.removesuffix(ending)
        # A phone that an earlier version enrolled as a terminal has a cookie with the plain name.
        is_earlier = name.startswith(_DEVICE) and name == plain and name + ending not in sent
        if (name != plain or is_earlier) and (plain != CSRF or _is_signed(value, secret)):
            yield f"{plain}={value}"


def _is_signed(token: str, secret: str) -> bool:
    random, signature = token[:_CSRF_RANDOM], token[_CSRF_RANDOM:]
    return secrets.compare_digest(signature.encode(), generate_csrf_hash(random, secret).encode())


class SessionBackend(ClientSideSessionBackend):
    """A session in a cookie, which whole pages set, and other responses only if they changed it.

    A page fragment requested before a form may arrive after it, with the old session. Setting that one would
    undo the form's changes and remove its notice.
    """

    async def load_from_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> dict[str, Any]:
        """Return the session of a request, and remember its contents."""
        session = await super().load_from_connection(connection)
        connection.scope["state"]["session-before"] = dict(session)
        return session

    async def store_in_message(
        self,
        scope_session: ScopeSession,
        message: Message,
        connection: ASGIConnection[Any, Any, Any, Any],
    ) -> None:
        """Set the cookie, unless the response is a fragment or a file and the session is unchanged."""
        is_changed = scope_session != connection.scope["state"].get("session-before")
        if is_changed or (_is_html(message) and "hx-request" not in connection.headers):
            await super().store_in_message(scope_session, message, connection)


def _is_html(message: Message) -> bool:
    headers = message["headers"] if message["type"] == "http.response.start" else ()
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers)


class SessionConfig(CookieBackendConfig):
    """The configuration of ``SessionBackend``."""

    _backend_class = SessionBackend
