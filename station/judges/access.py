"""Check the permission for each page before the request's body is read."""

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from litestar import Request
from litestar.exceptions import ClientException, NotAuthorizedException, PermissionDeniedException
from litestar.middleware.csrf import CSRFMiddleware
from litestar.response import Redirect, Response
from litestar.types import ASGIApp, Receive, Scope, Send

from base.errors import Unavailable
from station.accounts.api_tokens import sent_token
from station.accounts.judges import JudgeSession
from station.accounts.permissions import AccountRole, Permission, permissions_of, roles_with
from station.audit import Audit
from station.judges.audit_page import recorded
from station.judges.login_page import show_kept_form
from station.text.reasons import FormReason
from station.web.forms import Fields
from station.web.pages import page_of
from station.web.site import PageRequest, find_session, forget_session, session_of, site_of

_STATIC: Final = "/static/"
_LARGEST_READ: Final = 64 * 1024
"""The most bytes of a form that is kept during login."""
_PATIENCE_S: Final = 12.0
"""The timeout for the database, longer than it takes to detect that it is unresponsive."""


class RoleRefusedException(PermissionDeniedException):
    """Raised if the account's role does not permit a request. ``people`` are those permitted, by role."""

    def __init__(self, session: JudgeSession, people: Mapping[AccountRole, tuple[str, ...]]) -> None:
        super().__init__()
        self.session = session
        self.people = people


def check_permission(app: ASGIApp) -> ASGIApp:
    """Wrap an app so that it only gets requests permitted to their account's role.

    Refused requests are not read. Only short forms that our pages sent after their login ended are kept.
    Raises NotAuthorizedException, RoleRefusedException, Unavailable.
    """

    async def _check(scope: Scope, receive: Receive, send: Send) -> None:
        request: PageRequest = Request(scope, receive)
        permission = page_of(request).needs
        session = await _session(request, permission)
        if permission in permissions_of(None if session is None else session.role):
            await _read_form(request)
            audit, judge = page_of(request).audit, "" if session is None else session.judge
            inner = recorded(app, request, audit, judge) if isinstance(audit, Audit) else app
            await inner(scope, receive, send)
            return
        if session is not None:
            raise RoleRefusedException(session, await _people_with(request, permission))
        forget_session(request)
        if request.method != "GET":
            await _keep_form(scope, receive, send)
            return
        answer = _send_to_login(request)
        await answer.to_asgi_response(app=None, request=request)(scope, receive, send)

    return _check


async def require(request: PageRequest, permission: Permission) -> None:
    """Check a permission that depends on the page's content.

    Raises NotAuthorizedException or RoleRefusedException.
    """
    session = session_of(request)
    if session is None:
        raise NotAuthorizedException
    if permission not in permissions_of(session.role):
        raise RoleRefusedException(session, await _people_with(request, permission))


async def _read_form(request: PageRequest) -> None:
    """Read the form, which Litestar caches. Raises ClientException for an invalid encoding."""
    try:
        if request.method == "POST":
            await request.form()
    except (UnicodeError, LookupError) as error:
        raise ClientException from error


async def _session(request: PageRequest, permission: Permission) -> JudgeSession | None:
    """Find the session. Public pages are shown even if the database does not respond.

    If stations share the database, the others' entries are read first for judges and programs, which may just
    have written or seen one at another station.
    """
    if request.scope["path_template"].startswith(_STATIC):
        return None
    context = site_of(request).service.context
    try:
        async with asyncio.timeout(_PATIENCE_S):
            session = await find_session(request)
            sees_all = session is not None and "hx-request" not in request.headers
            if not sees_all and (token := sent_token(request.headers.get("authorization", ""))):
                sees_all = await asyncio.to_thread(site_of(request).api_tokens.find, token) is not None
            if sees_all and context.parts.store.is_shared:
                await asyncio.shield(context.catch_up())
    except (Unavailable, TimeoutError) as error:
        if permission is Permission.PUBLIC_PAGES:
            return None
        raise Unavailable(str(error) or "the database is silent") from error
    return session


async def _keep_form(scope: Scope, receive: Receive, send: Send) -> None:
    """Show the login page, keeping the posted form so that it can be sent again afterwards.

    Raises NotAuthorizedException if the form cannot be kept.
    """
    request: PageRequest = Request(scope, receive)
    csrf, headers = request.app.csrf_config, request.headers
    if csrf is None or csrf.cookie_name not in request.cookies or "transfer-encoding" in headers:
        raise NotAuthorizedException
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit() and int(length) <= _LARGEST_READ):
        raise NotAuthorizedException(FormReason.NOT_KEPT.value)
    await _read_form(request)

    async def _show(scope: Scope, receive: Receive, send: Send) -> None:
        form = await request.form()
        text = Fields(form).keep(request)
        await form.close()
        if not text:
            raise NotAuthorizedException(FormReason.NOT_KEPT.value)
        answer = show_kept_form(request, text)
        await answer.to_asgi_response(app=None, request=request)(scope, receive, send)

    try:
        await CSRFMiddleware(_show, csrf)(scope, receive, send)
    except PermissionDeniedException as error:
        raise NotAuthorizedException from error


async def _people_with(request: PageRequest, permission: Permission) -> Mapping[AccountRole, tuple[str, ...]]:
    judges = await asyncio.to_thread(site_of(request).judges.all)
    return {
        role: tuple(judge.name for judge in judges if judge.role is role) for role in roles_with(permission)
    }


def _send_to_login(request: PageRequest) -> Response[str] | Redirect:
    if "hx-request" in request.headers:
        return Response("", status_code=401, headers={"HX-Refresh": "true"})
    address = f"{request.url.path}?{request.url.query}".rstrip("?")
    return Redirect(f"/login?next={quote(address)}")
