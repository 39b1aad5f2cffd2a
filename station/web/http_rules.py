"""Rules for every request and response: caching, compression, HEAD as GET, and each station's own cookies.

Browsers separate cookies only by host: two stations on one computer, a new station at an old address, or one
with and without HTTPS would read each other's cookies. Inside the app, cookies have plain names; in the
browser, a short hash of the station's key is appended.
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
"""The lifetime is one day, as the same name may serve a rehearsal without TLS tomorrow."""
_REST_S: Final = 0.5
_LARGEST_ENCODED: Final = 384 * 1024
_MOST_FIELDS: Final = 2_000
_LONGEST_NAME: Final = 255
"""The most bytes of a file name in common file systems."""


class _Compression(CompressionMiddleware):
    """Compression that marks its request, so that the page does not repeat parts of its address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, compressing the response if the browser supports it."""
        scope["state"][IS_COMPRESSED] = True
        await super().__call__(scope, receive, send)


IS_COMPRESSED: Final = "is_compressed"
COMPRESSED: Final = DefineMiddleware(
    _Compression, config=CompressionConfig(backend="gzip", gzip_compress_level=5)
)
"""Compression for long pages, and phones' pages, that contain no text from their address.

If they did, an attacker who sees the length of compressed responses could guess the secret in the page's
forms.
"""


async def add_headers(message: Message, scope: Scope) -> None:
    """Add the caching headers; over TLS, restrict cookies to TLS."""
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
    """Answer HEAD as GET without the body, and reject paths that no file system supports."""

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
            # An event stream would never end.
            await asyncio.wait((answering,), timeout=_REST_S)
        finally:
            said.cancel()
            answering.cancel()
            await asyncio.gather(answering, said, return_exceptions=True)

    return _answer


def _limit_encoded(scope: Scope, receive: Receive) -> Receive:
    """Reject URL-encoded forms that are slow to decode because of their length or number of fields.

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
    """Sends the start of a response without its body."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_said = asyncio.Event()

    async def send(self, message: Message) -> None:
        """Send a message if it belongs to the start of the response."""
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

    A CSRF token not signed by this station is dropped; the page then makes a new one.
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
    """Yield the cookies of this station and scheme, with plain names."""
    sent = {
        name: value
        for header in Headers(headers).getall("cookie", [])
        for name, _, value in (cookie.strip().partition("=") for cookie in header.split(";"))
    }
    for name, value in sent.items():
        plain = name.removesuffix(ending)
        # A phone enrolled as terminal by an earlier version holds its table under the plain name.
        is_earlier = name.startswith(_DEVICE) and name == plain and name + ending not in sent
        if (name != plain or is_earlier) and (plain != CSRF or _is_signed(value, secret)):
            yield f"{plain}={value}"


def _is_signed(token: str, secret: str) -> bool:
    random, signature = token[:_CSRF_RANDOM], token[_CSRF_RANDOM:]
    return secrets.compare_digest(signature.encode(), generate_csrf_hash(random, secret).encode())


class SessionBackend(ClientSideSessionBackend):
    """A session in a cookie, set by whole pages and by responses that changed it.

    A page fragment requested before a form was processed may arrive afterwards with the old session. Setting
    that session would undo the form's changes and remove its notice.
    """

    async def load_from_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> dict[str, Any]:
        """Return the session of a request, and store its original state."""
        session = await super().load_from_connection(connection)
        connection.scope["state"]["session-before"] = dict(session)
        return session

    async def store_in_message(
        self,
        scope_session: ScopeSession,
        message: Message,
        connection: ASGIConnection[Any, Any, Any, Any],
    ) -> None:
        """Set the cookie, unless the response is a fragment or file and the session is unchanged."""
        is_changed = scope_session != connection.scope["state"].get("session-before")
        if is_changed or (_is_html(message) and "hx-request" not in connection.headers):
            await super().store_in_message(scope_session, message, connection)


def _is_html(message: Message) -> bool:
    headers = message["headers"] if message["type"] == "http.response.start" else ()
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers)


class SessionConfig(CookieBackendConfig):
    """The configuration for our kind of session."""

    _backend_class = SessionBackend
