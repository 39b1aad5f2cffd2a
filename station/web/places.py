"""The three places of the judges' pages: the tournament, the hall and the station, each with its pages."""

from collections.abc import Callable
from typing import Final

import msgspec

from station.accounts.permissions import Permission


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
    shown = []
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
        shown.append(PlaceShown(key, text, url, is_here and path.startswith(_HOME), pages))
    return tuple(shown)


def is_below(path: str, url: str) -> bool:
    return path.rstrip("/") == url or path.startswith(f"{url}/")
