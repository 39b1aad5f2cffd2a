"""The three places of the judges' pages and their tabs: one table of addresses, in the order of the day.

A tab needs a permission, and may need a tournament or a kind of station. A place without tabs isn't shown.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from core.tournament.state.tournament import TournamentState
from station.accounts.permissions import Permission as May

_HOME: Final = "/judge"
_NO_PLACE: Final = "/judge/account"
_T: Final = "/judge/t/{t}"


def _(text: str) -> str:
    return text


class Surroundings(msgspec.Struct, frozen=True):
    """The station, and the person and tournament that a menu is for.

    may: whether the person has a permission.
    state: the tournament that the page is about, or else the one to which the hall's tabs lead, if any.
    is_about: whether the page is about that tournament.
    others: the tournaments that can be chosen instead.
    has_several: links to pages about no tournament carry this one's id, so that it is kept.
    """

    may: Callable[[May], bool]
    is_appliance: bool = False
    is_rehearsal: bool = False
    state: TournamentState | None = None
    is_about: bool = False
    others: Sequence[TournamentState] = ()
    has_several: bool = False


class Tab(msgspec.Struct, frozen=True):
    """A page with a tab. The text is in English, and ``{t}`` in an address stands for the tournament.

    also: the addresses of other pages that belong to the tab.
    is_there: whether there is such a page here, apart from the permission.
    """

    url: str
    text: str
    needs: May
    also: tuple[str, ...] = ()
    is_there: Callable[[Surroundings], bool] = lambda _: True

    def is_for(self, here: Surroundings) -> bool:
        has_address = here.state is not None or "{t}" not in self.url
        return has_address and here.may(self.needs) and self.is_there(here)

    def address(self, state: TournamentState | None, url: str = "") -> str:
        return (url or self.url).format(t="" if state is None else state.tournament)

    def link(self, here: Surroundings) -> str:
        keeps = here.has_several and here.state is not None and "{t}" not in self.url
        return self.address(here.state, f"{self.url}?t={{t}}" if keeps else "")

    def matched(self, path: str, state: TournamentState | None) -> int:
        """Return how much of a path is an address of this tab: 0 for another tab's page."""
        addresses = (self.address(state, url) for url in (self.url, *self.also))
        return max((len(address) for address in addresses if is_below(path, address)), default=0)


class MenuLink(msgspec.Struct, frozen=True):
    """A place, a tab or a tournament to choose. ``current`` is its aria-current, or ""."""

    text: str
    url: str
    current: str = ""
    icon: str = ""


class Menu(msgspec.Struct, frozen=True):
    """The places, the tabs of the current one with its name, and the same page of other tournaments."""

    places: tuple[MenuLink, ...] = ()
    title: str = ""
    tabs: tuple[MenuLink, ...] = ()
    tournaments: tuple[MenuLink, ...] = ()


_TOURNAMENT: Final = (
    Tab(_T, _("What's next"), May.TOURNAMENTS),
    Tab(f"{_T}/players", _("Players"), May.TOURNAMENTS),
    Tab(f"{_T}/check-in", _("Check-in"), May.CHECK_IN),
    Tab(f"{_T}/draw", _("Draw"), May.DRAWS),
    Tab(f"{_T}/standings", _("Standings"), May.STANDINGS),
    Tab(
        f"{_T}/finals",
        _("Finals"),
        May.STANDINGS,
        is_there=lambda here: here.state is not None and here.state.with_finals,
    ),
    Tab(f"{_T}/prizes", _("Prizes"), May.SET_UP),
    Tab(f"{_T}/history", _("History"), May.HISTORY),
)
_HALL: Final = (
    Tab(
        f"{_T}/floor",
        _("Tables"),
        May.FLOOR,
        also=(f"{_T}/tables", f"{_T}/sheets", f"{_T}/find", f"{_T}/pace"),
    ),
    Tab("/judge/calls", _("Calls"), May.FLOOR),
    Tab("/judge/messages", _("Messages"), May.MESSAGES),
    Tab("/judge/terminals", _("Terminals"), May.TERMINALS),
    Tab(f"{_T}/projectors", _("Screens"), May.PROJECTORS),
    Tab(f"{_T}/print", _("Print"), May.TOURNAMENTS),
    Tab("/judge/plan", _("Hall plan"), May.SET_UP),
    Tab("/judge/devices", _("Phones and tablets as terminals"), May.FLOOR),
    Tab("/judge/take-in", _("Import offline results"), May.SHEETS),
)
_STATION: Final = (
    Tab("/judge/station", _("Station"), May.STATION, is_there=lambda here: here.is_appliance),
    Tab("/judge/accounts", _("Accounts"), May.ACCOUNTS),
    Tab("/judge/audit", _("Audit"), May.AUDIT),
    Tab("/judge/backups", _("Backups"), May.ENCRYPTED_BACKUPS),
    Tab("/judge/updates", _("New versions"), May.ENROLMENT),
    Tab("/judge/seasons", _("Seasons"), May.SET_UP),
    Tab("/judge/archive", _("Archived"), May.SET_UP),
    Tab(
        "/judge/rehearsal",
        _("Rehearsal"),
        May.REHEARSALS,
        is_there=lambda here: not here.is_rehearsal and not here.is_appliance,
    ),
)
_PLACES: Final = (
    (_("Tournament"), "tournament", _TOURNAMENT),
    (_("Hall"), "hall", _HALL),
    (_("Station"), "station", _STATION),
)


def menu_of(path: str, here: Surroundings) -> Menu:
    """Return the menu of a page for a person who is logged in."""
    every = [tab for _text, _icon, tabs in _PLACES for tab in tabs if tab.matched(path, here.state)]
    current = max(every, key=lambda tab: tab.matched(path, here.state), default=None)
    is_home = current is None and path.startswith(_HOME) and not is_below(path, _NO_PLACE)
    places, menu = [], Menu()
    for text, icon, tabs in _PLACES:
        mine = [tab for tab in tabs if tab.is_for(here)]
        if not mine and tabs is not _TOURNAMENT:
            continue
        is_here = current in tabs or (is_home and tabs is _TOURNAMENT)
        url = mine[0].link(here) if mine else _HOME
        places.append(MenuLink(text, url, "true" if is_here else "", icon))
        if current is not None and current in tabs:
            links = tuple(_link(tab, path, here, is_current=tab is current) for tab in mine)
            menu = Menu(title=text, tabs=links, tournaments=_same_page(current, mine, here))
    return msgspec.structs.replace(menu, places=tuple(places))


def _link(tab: Tab, path: str, here: Surroundings, *, is_current: bool) -> MenuLink:
    is_page = path.rstrip("/") == tab.address(here.state)
    return MenuLink(tab.text, tab.link(here), ("page" if is_page else "true") if is_current else "")


def _same_page(current: Tab, tabs: Sequence[Tab], here: Surroundings) -> tuple[MenuLink, ...]:
    """Return a link to the page of each tournament that has it, or else to the first page of this place."""
    if not here.is_about or here.state is None or not here.others:
        return ()
    links = [MenuLink(here.state.name, current.address(here.state), "true")]
    for other in here.others:
        tab = current if current.is_for(msgspec.structs.replace(here, state=other)) else tabs[0]
        links.append(MenuLink(other.name, tab.address(other)))
    return tuple(links)


def choose_tournament(open_tournaments: Sequence[TournamentState], remembered: str) -> TournamentState | None:
    """Return the tournament to which the hall's tabs lead from a page about none.

    open_tournaments: newest first, without the archived ones.
    remembered: the id of the one that this browser showed last, or "".
    """
    unfinished = [one for one in open_tournaments if not one.is_published]
    likely = [one for one in unfinished if one.published_rounds] or unfinished or open_tournaments
    kept = (one for one in open_tournaments if one.tournament == remembered)
    return next(kept, next(iter(likely), None))


def is_below(path: str, url: str) -> bool:
    return path.rstrip("/") == url or path.startswith(f"{url}/")
