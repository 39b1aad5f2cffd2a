"""The web app: routes, sessions, CSRF protection, security headers, and errors as pages."""

import secrets
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext
from functools import cache
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Router
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import ResponseHeader
from litestar.exceptions import HTTPException, InternalServerException
from litestar.handlers import HTTPRouteHandler
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Redirect, Response, Template
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig

import station
from base.errors import Refused, Unavailable
from base.fonts import FOLDER as FONTS
from base.fonts import SCRIPTS
from station import web
from station.accounts.permissions import Permission
from station.app import api, guide
from station.calls.service import JudgeCalls
from station.floor.attention import TablePictures
from station.judges.access import RoleRefusedException, check_permission
from station.pace.service import LivePace
from station.paper.worker import PaperWorker
from station.rehearsals.runner import RehearsalRunner
from station.store.settings import Settings
from station.terminals.text import alarm_words
from station.text import filters
from station.web import http_rules, live
from station.web.limits import FailedTries
from station.web.page_keys import content_key
from station.web.pages import declared_pages
from station.web.site import (
    PageRequest,
    Site,
    judge_of,
    page,
    referring_page,
    show_refusal,
    site_of,
    words_of,
)
from station.web.task_page import StillRunning, show_progress
from station.web.tournament_context import TableGoneException


def of_features(request: PageRequest) -> Mapping[str, object]:
    """Return the functions of features that every template can call, by their names in templates."""
    service, words = site_of(request).service, words_of(request)
    return {
        "departures": service.problems.departures,
        "key_of": content_key,
        "disputes": lambda state: service.problems.disputed_tables(state.tournament),
        "open_calls": service.of(JudgeCalls).open_calls,
        "alarm_words": lambda problem: alarm_words(problem, words.gettext),
        "pace_of": service.of(LivePace).rounded_pace,
    }


TEMPLATES: Final = sorted(Path(station.__file__).parent.glob("*/templates"))
"""The template folders of all features."""
_WEB = Path(web.__file__).parent
_SECRET = "web-secret"  # noqa: S105 (the name of a setting)
_FILES = {
    "/static/fonts/scripts": SCRIPTS,
    "/static/fonts": FONTS,
    "/static/pictures": guide.DOCS / "pictures",
    "/static": _WEB / "static",
}
_PUBLIC = {"needs": Permission.PUBLIC_PAGES}
_SESSION_S = 16 * 3600
_LARGEST_FORM = 64 * 1024
"""The size limit of forms in bytes; pages that accept files have a higher one."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


@cache
def _templates() -> JinjaTemplateEngine:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    filters.add_to(environment)
    return JinjaTemplateEngine.from_environment(environment)


def web_app(site: Site, settings: Settings, rehearsals: RehearsalRunner | None = None) -> Litestar:
    """Return the web app of a station. ``rehearsals`` runs those started from the pages."""
    # Stations that share a database share this key, so that nobody has to log in twice.
    secret = settings.set_defaults({_SECRET: secrets.token_hex(32)})[_SECRET]
    app = build_pages(secret)
    app.state.site = site
    app.state.of_features = of_features
    app.state.rehearsals = rehearsals or RehearsalRunner()
    app.state.papers = PaperWorker()
    app.state.failed_logins = FailedTries()
    app.state.guessed_links = FailedTries()
    app.state.streams = live.BrowserStreams()
    app.state.templates = _templates()
    app.state.table_pictures = TablePictures()
    return app


def _find_routers() -> Iterable[Router]:
    """Find the routers of all page modules, so that a new page need not be registered here."""
    names = (module.name for module in walk_packages(station.__path__, "station."))
    modules = [api, guide, live, *(import_module(name) for name in names if name.endswith("page"))]
    values = (value for module in modules for value in vars(module).values())
    return dict.fromkeys(value for value in values if isinstance(value, Router))


def build_pages(secret: str) -> Litestar:
    """Build the app with all routes; the caller adds the station. ``secret`` consists of 64 hex digits."""
    session = http_rules.SessionConfig(secret=bytes.fromhex(secret), samesite="lax", max_age=_SESSION_S)
    app = Litestar(
        before_send=[http_rules.add_headers],
        route_handlers=[
            *_find_routers(),
            *(create_static_files_router(path, [at], name=path, opt=_PUBLIC) for path, at in _FILES.items()),
        ],
        middleware=[session.middleware, check_permission],
        request_max_body_size=_LARGEST_FORM,
        csrf_config=CSRFConfig(
            secret=secret, cookie_name=http_rules.CSRF, cookie_httponly=True, cookie_samesite="lax"
        ),
        template_config=TemplateConfig(instance=_templates()),
        exception_handlers={
            HTTPException: _show_http_error,
            Refused: _show_refused_form,
            Unavailable: _show_unavailable,
            StillRunning: show_progress,
            Exception: _show_bug,
        },
        response_headers=[ResponseHeader(name=name, value=value) for name, value in _HEADERS.items()],
        lifespan=[_run_computer],
        include_in_schema=False,
        openapi_config=api.describe(),
        # By default, Litestar replaces our log handlers.
        logging_config=None,
    )
    app.state.pages = declared_pages(app.routes)
    app.asgi_handler = http_rules.with_tidy_requests(http_rules.with_own_cookies(app.asgi_handler, secret))
    return app


@asynccontextmanager
async def _run_computer(app: Litestar) -> AsyncIterator[None]:
    """Run the appliance's tasks while the app runs, and end its rehearsals afterwards."""
    site: Site = app.state.site
    async with nullcontext() if site.appliance is None else site.appliance.running():
        try:
            yield
        finally:
            app.state.rehearsals.end()
            site.tasks.close()


_log = structlog.get_logger()
_SERVER_FAULT = 500
_NOT_NOW = 503
_GONE = "client disconnected prematurely"
"""Litestar's error text for a browser that disconnected."""


def _show_http_error(
    request: PageRequest, error: HTTPException
) -> Template | Redirect | Response[bytes] | Response[Mapping[str, str | int]]:
    if request.url.path.startswith("/api/"):
        content: Mapping[str, str | int] = {"status_code": error.status_code, "detail": error.detail}
        return Response(content, status_code=error.status_code, headers=error.headers)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET":
        # Only its form can load a preview again, for example in another language.
        return Redirect(request.url.path.rpartition("/")[0] or "/")
    if isinstance(error, InternalServerException) and error.detail == _GONE:
        _log.debug("browser disconnected during its request", path=request.url.path)
        return Response(b"", status_code=error.status_code)
    if error.status_code >= _SERVER_FAULT:
        return _show_bug(request, error)
    if isinstance(error, RoleRefusedException):
        if "hx-request" in request.headers:
            # The page that requested this fragment was opened in another role.
            return Response(b"", status_code=error.status_code, headers={"HX-Redirect": "/judge"})
        role, people = error.session.role, error.people
        return page(request, "refused.html", status_code=error.status_code, role=role, people=people)
    then = error.url if isinstance(error, TableGoneException) else ""
    if then and "hx-request" in request.headers:
        # A page about the table is open: it shows what has happened.
        return Response(b"", status_code=error.status_code, headers={"HX-Redirect": request.url.path})
    status = error.status_code
    back = referring_page(request, "/judge")
    limit = _largest_body_kb(request) if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else 0
    words = {"detail": error.detail, "code": "", "back": back, "then": then, "limit": limit}
    return page(request, "error.html", status, status=status, **words)


def _largest_body_kb(request: PageRequest) -> int:
    handler = request.scope.get("route_handler")
    most = handler.resolve_request_max_body_size() if isinstance(handler, HTTPRouteHandler) else None
    return (most or _LARGEST_FORM) // 1024


def _show_refused_form(request: PageRequest, error: Refused) -> Redirect:
    """Return to the form's page and show why the form was refused, for example for an invalid number."""
    show_refusal(request, error)
    return Redirect(referring_page(request, "/judge" if judge_of(request) else "/"))


def _show_unavailable(request: PageRequest, error: Unavailable) -> Template:
    _log.warning("page unavailable", path=request.url.path, problem=str(error))
    return page(request, "error.html", status_code=_NOT_NOW, status=_NOT_NOW, detail="", code="")


def _show_bug(request: PageRequest, error: Exception) -> Template:
    """Show the page for an unexpected error, with a code for finding it in the log."""
    code = secrets.token_hex(3)
    _log.error("page failed", code=code, path=request.url.path, exc_info=error)
    return page(
        request, "error.html", status_code=_SERVER_FAULT, status=_SERVER_FAULT, detail="", code=code, then=""
    )
