"""Sessions for lists on pages, with the browser's name and a mark on the current one."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from station.accounts.sessions import JudgeSession
from station.web.site import PageRequest, session_of, words_of

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""User-Agent substrings and their browsers, specific ones first, as most browsers claim to be others too."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


class ShownSession(msgspec.Struct, frozen=True):
    """A session with its browser's name. ``is_this`` is True if it is the current one."""

    session: JudgeSession
    browser: str
    is_this: bool


def show_sessions(request: PageRequest, sessions: Iterable[JudgeSession]) -> tuple[ShownSession, ...]:
    """Return sessions for a list, the current one first."""
    this, words = session_of(request), words_of(request)
    rows = [
        ShownSession(one, _in_words(one.agent, words.gettext), this is not None and one.number == this.number)
        for one in sessions
    ]
    return tuple(sorted(rows, key=lambda one: not one.is_this))


def _in_words(agent: str, _: Callable[[str], str]) -> str:
    browser, system = _browser_and_system(agent)
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or _("unknown browser")


def _browser_and_system(agent: str) -> tuple[str, str]:
    return _first(_BROWSERS, agent), _first(_SYSTEMS, agent)


def _first(known: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in known if mark in agent), "")
