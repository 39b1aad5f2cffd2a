"""Errors as pages, which show the problem and what to do, but never a traceback."""

import secrets
from collections.abc import Mapping
from http import HTTPStatus

import structlog
from litestar.exceptions import HTTPException, InternalServerException
from litestar.response import Redirect, Response, Template

from base.errors import Refused, Unavailable
from station.judges.access import RoleRefusedException
from station.web.site import PageRequest, judge_of, page, referring_page, show_refusal

_log = structlog.get_logger()
_SERVER_FAULT = 500
_NOT_NOW = 503
_GONE = "client disconnected prematurely"
"""Litestar's text for a browser that disconnected, which is not an error of ours."""


def http_error(
    request: PageRequest, error: HTTPException
) -> Template | Redirect | Response[bytes] | Response[Mapping[str, str | int]]:
    """Return a page for an HTTP error, or JSON for programs."""
    if request.url.path.startswith("/api/"):
        content: Mapping[str, str | int] = {"status_code": error.status_code, "detail": error.detail}
        return Response(content, status_code=error.status_code, headers=error.headers)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET":
        # Only its form can load a preview again, such as after a refusal or in another language.
        return Redirect(request.url.path.rpartition("/")[0] or "/")
    if isinstance(error, InternalServerException) and error.detail == _GONE:
        _log.debug("a browser left before it had said all", path=request.url.path)
        return Response(b"", status_code=error.status_code)
    if error.status_code >= _SERVER_FAULT:
        return show_bug(request, error)
    if isinstance(error, RoleRefusedException):
        if "hx-request" in request.headers:
            # The page that requested this fragment was opened in another role.
            return Response(b"", status_code=error.status_code, headers={"HX-Redirect": "/judge"})
        role, people = error.session.role, error.people
        return page(request, "refused.html", status_code=error.status_code, role=role, people=people)
    status = error.status_code
    back = referring_page(request, "/judge")
    return page(request, "error.html", status, status=status, detail=error.detail, code="", back=back)


def show_refused_form(request: PageRequest, error: Refused) -> Redirect:
    """Show why a form was refused, such as an invalid number, on the page that it came from."""
    show_refusal(request, error)
    return Redirect(referring_page(request, "/judge" if judge_of(request) else "/"))


def unavailable(request: PageRequest, error: Unavailable) -> Template:
    """Return a page for a database or disk that does not respond."""
    _log.warning("a page cannot be made now", path=request.url.path, problem=str(error))
    return page(request, "error.html", status_code=_NOT_NOW, status=_NOT_NOW, detail="", code="")


def show_bug(request: PageRequest, error: Exception) -> Template:
    """Return a page for a bug, with a code for finding it in the log."""
    code = secrets.token_hex(3)
    _log.error("a page failed", code=code, path=request.url.path, exc_info=error)
    return page(request, "error.html", status_code=_SERVER_FAULT, status=_SERVER_FAULT, detail="", code=code)
