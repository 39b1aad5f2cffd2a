"""Cookies separate for each station and scheme, and a session cookie set only when needed.

Browsers separate cookies only by host: two stations on one computer, a new station at an old address, or one
with and without HTTPS would read each other's cookies. Inside the app, cookies have plain names; in the
browser, a short hash of the station's key is appended.
"""

import hashlib
import secrets
from collections.abc import Iterator
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import Headers
from litestar.middleware.csrf import generate_csrf_hash
from litestar.middleware.session.client_side import ClientSideSessionBackend, CookieBackendConfig
from litestar.types import ASGIApp, Message, Receive, Scope, ScopeSession, Send

from station.web.limits import KNOWN_BROWSER

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
