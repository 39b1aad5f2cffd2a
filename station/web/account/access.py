"""Check who asks for a page before anything of the request is read."""

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from litestar import Request
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.response import Redirect, Response
from litestar.types import ASGIApp, Receive, Scope, Send

from saloon.base.errors import Unavailable
from saloon.station.accounts.permissions import AccountRole, Permission, permissions_of, roles_with
from saloon.station.accounts.sessions import JudgeSession
from saloon.station.audit.actions import RECORDED
from saloon.station.web.account.audit import recorded
from saloon.station.web.route_permissions import permission_of
from saloon.station.web.site import PageRequest, find_session, forget_session, session_of, site_of

_STATIC: Final = "/static/"


class RoleRefusedException(PermissionDeniedException):
    """A request that the role of its account does not allow.

    people: the names of those who may do it, by role.
    """

    def __init__(self, session: JudgeSession, people: Mapping[AccountRole, tuple[str, ...]]) -> None:
        super().__init__()
        self.session = session
        self.people = people


def check_permission(app: ASGIApp) -> ASGIApp:
    """Let a request in if its account's role has the permission of its route.

    Nothing of a refused request is read, not even the form's token. Raises NotAuthorizedException,
    RoleRefusedException, Unavailable.
    """

    async def _check(scope: Scope, receive: Receive, send: Send) -> None:
        request: PageRequest = Request(scope)
        # The matching route, in any spelling of the address.
        permission = permission_of(request.method, scope["path_template"])
        session = await _session(request, permission)
        if permission in permissions_of(None if session is None else session.role):
            await _with_audit(app, request, "" if session is None else session.judge)(scope, receive, send)
            return
        if session is not None:
            raise RoleRefusedException(session, await _people_with(request, permission))
        answer = _send_to_login(request)
        await answer.to_asgi_response(app=None, request=request)(scope, receive, send)

    return _check


async def require(request: PageRequest, permission: Permission) -> None:
    """Check a permission that depends on what a page shows.

    Raises NotAuthorizedException, RoleRefusedException.
    """
    session = session_of(request)
    if session is None:
        raise NotAuthorizedException
    if permission not in permissions_of(session.role):
        raise RoleRefusedException(session, await _people_with(request, permission))


def _with_audit(app: ASGIApp, request: PageRequest, judge: str) -> ASGIApp:
    """Return the app, which records requests that do something."""
    route = f"{request.method} {request.scope['path_template']}"
    return recorded(app, request, route, judge) if route in RECORDED else app


async def _session(request: PageRequest, permission: Permission) -> JudgeSession | None:
    """Look up the session. A public page is shown to everybody, even while the database is away.

    What a judge has just decided at another station, behind a balancer, is read before this page is made.
    """
    if request.scope["path_template"].startswith(_STATIC):
        return None
    context = site_of(request).service.context
    try:
        session = await find_session(request)
        if session is not None and context.parts.store.is_shared and "hx-request" not in request.headers:
            await context.catch_up()
    except Unavailable:
        if permission is Permission.PUBLIC_PAGES:
            return None
        raise
    return session


async def _people_with(request: PageRequest, permission: Permission) -> Mapping[AccountRole, tuple[str, ...]]:
    judges = await asyncio.to_thread(site_of(request).judges.all)
    return {
        role: tuple(judge.name for judge in judges if judge.role is role) for role in roles_with(permission)
    }


def _send_to_login(request: PageRequest) -> Response[str] | Redirect:
    """Return the way to the login. Raises NotAuthorizedException for a form, whose page says what to do."""
    forget_session(request)
    if request.method != "GET":
        raise NotAuthorizedException
    if "hx-request" in request.headers:
        return Response("", status_code=401, headers={"HX-Refresh": "true"})
    asked = f"{request.url.path}?{request.url.query}".rstrip("?")
    return Redirect(f"/login?next={quote(asked)}")
