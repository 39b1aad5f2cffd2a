"""The declarations of pages: the permission to open each of them, and what the audit log records of it.

``needs`` is the permission to open a page, ``audit`` the action that the audit log records::

    @post("/{player:str}/warn", needs=Permission.WARNINGS, audit=Audit("Warned a player", keeps="reason"))

The station does not start if a page declares no permission, or a form declares neither an action nor a reason
for recording none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

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


def _(text: str) -> str:
    return text


class PlacePage(msgspec.Struct, frozen=True):
    """A page with a tab. ``text`` is in English; it may be hidden on an appliance or in a rehearsal."""

    url: str
    text: str
    needs: Permission
    is_hidden: Callable[["Surroundings"], bool] = lambda _: False


class Surroundings(msgspec.Struct, frozen=True):
    """The kind of station that shows the pages."""

    is_appliance: bool
    is_rehearsal: bool


class PlaceShown(msgspec.Struct, frozen=True):
    """A place as a link. ``pages`` are the tabs below it, none for the tournament, which has its own."""

    key: str
    text: str
    url: str
    is_here: bool
    pages: tuple[PlacePage, ...]


_HOME: Final = "/judge"
_NO_PLACE: Final = "/judge/account"
_HALL: Final = (
    PlacePage("/judge/calls", _("Calls"), Permission.FLOOR),
    PlacePage("/judge/messages", _("Messages"), Permission.MESSAGES),
    PlacePage("/judge/terminals", _("Terminals"), Permission.TERMINALS),
    PlacePage("/judge/devices", _("Phones and tablets as terminals"), Permission.FLOOR),
    PlacePage("/judge/updates", _("New versions"), Permission.ENROLMENT),
    PlacePage("/judge/plan", _("Hall plan"), Permission.SET_UP),
    PlacePage("/judge/take-in", _("Import offline results"), Permission.SHEETS),
)
_STATION: Final = (
    PlacePage("/judge/station", _("Station"), Permission.STATION, lambda here: not here.is_appliance),
    PlacePage("/judge/accounts", _("Accounts"), Permission.ACCOUNTS),
    PlacePage("/judge/audit", _("Audit"), Permission.AUDIT),
    PlacePage("/judge/seasons", _("Seasons"), Permission.SET_UP),
    PlacePage(
        "/judge/rehearsal",
        _("Rehearsal"),
        Permission.REHEARSALS,
        lambda here: here.is_rehearsal or here.is_appliance,
    ),
)
_PLACES: Final[tuple[tuple[str, str, tuple[PlacePage, ...]], ...]] = (
    ("tournament", _("Tournament"), ()),
    ("hall", _("Hall"), _HALL),
    ("station", _("Station"), _STATION),
)


def places_of(
    path: str, may: Callable[[Permission], bool], here: Surroundings, tournament: str = ""
) -> tuple[PlaceShown, ...]:
    """Return the places that a role may enter, with the one of this path marked.

    tournament: the id of the tournament that the page is about, to which its place leads, or "".
    """
    places = []
    for key, text, every in _PLACES:
        pages = tuple(one for one in every if may(one.needs) and not one.is_hidden(here))
        if every and not pages:
            continue
        if every:
            is_here, url = any(is_below(path, one.url) for one in pages), pages[0].url
        else:
            others = (one for _key, _text, others in _PLACES for one in others)
            is_here = not any(is_below(path, one.url) for one in others) and not is_below(path, _NO_PLACE)
            url = f"{_HOME}/t/{tournament}" if tournament and may(Permission.TOURNAMENTS) else _HOME
        places.append(PlaceShown(key, text, url, is_here and path.startswith(_HOME), pages))
    return tuple(places)


def is_below(path: str, url: str) -> bool:
    return path.rstrip("/") == url or path.startswith(f"{url}/")
