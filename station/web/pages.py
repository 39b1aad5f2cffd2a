"""The declarations of pages: the permission to open each of them, and what the audit log records of it.

``needs`` is the permission to open a page, ``audit`` the action that the audit log records::

    @post("/{player:str}/warn", needs=Permission.WARNINGS, audit=Audit("Warned a player", keeps="reason"))

The station does not start if a page declares no permission, or a form declares neither an action nor a reason
for recording none.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.routes import ASGIRoute, HTTPRoute, WebSocketRoute

from base.errors import OurFault
from station.accounts.permissions import Permission
from station.audit import USUAL_KINDS, Audit, Unrecorded


class DeclaredPage(msgspec.Struct, frozen=True):
    """The declaration of a page. ``audit`` is None for a page without a form."""

    needs: Permission
    audit: Audit | Unrecorded | None = None


_OPTIONS = DeclaredPage(Permission.PUBLIC_PAGES)
"""Litestar answers OPTIONS with the names of a route's methods."""


def declared_pages(routes: Iterable[HTTPRoute | ASGIRoute | WebSocketRoute]) -> Mapping[str, DeclaredPage]:
    """Return all pages by method and path, with parameters in braces: ``GET /judge/t/{tournament}``.

    Raises OurFault naming those that declare too little.
    """
    pages = {name: _page(name, options) for route in routes for name, options in _declarations(route)}
    if bare := sorted(name for name, page in pages.items() if page is None):
        raise OurFault(f"pages without a permission, or forms without an action for the audit: {bare}")
    return {name: page for name, page in pages.items() if page is not None}


def page_of(request: Request[Any, Any, State]) -> DeclaredPage:
    """Return the declaration of the requested page."""
    if request.method == "OPTIONS":
        return _OPTIONS
    return pages_of(request)[f"{request.method} {request.scope['path_template']}"]


def pages_of(request: Request[Any, Any, State]) -> Mapping[str, DeclaredPage]:
    pages: Mapping[str, DeclaredPage] = request.app.state.pages
    return pages


def _declarations(route: HTTPRoute | ASGIRoute | WebSocketRoute) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(route, HTTPRoute):
        yield route.path_format, {}
        return
    for method, (handler, _) in route.route_handler_map.items():
        if method != "OPTIONS":
            yield f"{method} {route.path_format}", handler.opt


def _page(name: str, options: Mapping[str, Any]) -> DeclaredPage | None:
    needs, audit = options.get("needs"), options.get("audit")
    if not isinstance(needs, Permission) or (name.startswith("POST ") and audit is None):
        return None
    if isinstance(audit, Audit):
        kind = audit.kind or USUAL_KINDS.get(needs)
        return None if kind is None else DeclaredPage(needs, msgspec.structs.replace(audit, kind=kind))
    return DeclaredPage(needs, audit) if isinstance(audit, Unrecorded | None) else None
