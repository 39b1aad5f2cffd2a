"""Screens in the hall, opened by a link without a login: each follows the day, or shows chosen pages."""

import asyncio
import enum
import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from base.errors import BadData, Refused
from base.languages import LANGUAGES
from core.terms import TournamentId
from station.hall.station_context import StationContext
from station.text.i18n import _
from sync.enrolment.agreement import code_of, read_alike

PATH: Final = "/projector/"
_SETTING: Final = "projectors"
_RANDOM: Final = 16
_MOST: Final = 40
LONGEST_TEXT: Final = 400
QUICKEST_S: Final = 5
SLOWEST_S: Final = 120


class LetterSize(enum.Enum):
    """Letter sizes by the distance of the last row; the values are the number of lines on the screen."""

    NEAR = 22
    MIDDLE = 16
    FAR = 11


class ProjectorRefusal(enum.Enum):
    """The reasons for refusing to change a screen, as messages for the judge."""

    GONE = "That screen has been removed."
    TOO_MANY = "There are {count} screens already. Remove one first."
    NO_NAME = "Give the screen a name, such as “Entrance”."
    TOO_LONG = "The announcement has {length} characters; the limit is {most}."


class Projector(msgspec.Struct, frozen=True):
    """A screen in the hall, and what it shows.

    pages: the keys of those that a judge chose, or none to follow the day.
    has_choice: a judge chose them since screens follow the day; before that, new screens had all pages.
    pinned: the key of the only page shown, or None for all in turn.
    revealed: how many places of the ranking are shown while a judge reveals it, counted from the place
        ``reveal_from``, or from the last for 0; None for all.
    """

    key: str
    name: str
    tournament: TournamentId
    pages: tuple[str, ...] = ()
    has_choice: bool = False
    pinned: str | None = None
    seconds: int = 12
    is_dark: bool = True
    letters: LetterSize = LetterSize.MIDDLE
    languages: tuple[str, ...] = ("en",)
    text: str = ""
    revealed: int | None = None
    reveal_from: int = 0

    @property
    def follows_the_day(self) -> bool:
        return self.pinned is None and not self.pages


_ALL_BEFORE: Final = {
    "seats-by-name", "seats-by-table", "clock", "missing", "high-noon", "tables", "finals", "announcement",
    "ranking", "podium",
}  # fmt: skip


def _as_today(stored: Projector) -> Projector:
    """Let a screen of before follow the day if nobody had chosen its pages."""
    is_unchosen = not stored.has_choice and set(stored.pages) == _ALL_BEFORE
    return msgspec.structs.replace(stored, pages=()) if is_unchosen else stored


def checked(projector: Projector) -> Projector:
    """Return a screen after checking its values. Raises Refused or BadData."""
    if not projector.name:
        raise Refused(ProjectorRefusal.NO_NAME)
    if len(projector.text) > LONGEST_TEXT:
        raise Refused(ProjectorRefusal.TOO_LONG, length=len(projector.text), most=LONGEST_TEXT)
    if not QUICKEST_S <= projector.seconds <= SLOWEST_S:
        raise BadData(_("Seconds"), _("between 5 and 120"))
    languages = tuple(code for code in projector.languages if code in LANGUAGES)
    return msgspec.structs.replace(
        projector,
        name=projector.name[:40],
        languages=languages or ("en",),
    )


SILENT_MS: Final = 15_000
"""The time after which a screen is off or has lost the station; it asks every 2.5 s."""


class ScreenContact(msgspec.Struct, frozen=True):
    """A screen's last request to this station. ``heard_ms`` is 0 if there was none since the start."""

    heard_ms: int
    is_on: bool


class Projectors:
    """The screens of all tournaments, shared by all stations on one database."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._heard_ms: dict[str, int] = {}

    def note_contact(self, screen: Projector) -> None:
        self._heard_ms[screen.key] = self._context.parts.clock.wall_ms()

    def contact_of(self, screen: Projector) -> ScreenContact:
        """Return a screen's last request to this station."""
        heard_ms = self._heard_ms.get(screen.key, 0)
        silent_ms = abs(self._context.parts.clock.wall_ms() - heard_ms)
        return ScreenContact(heard_ms, bool(heard_ms) and silent_ms <= SILENT_MS)

    async def all(self, tournament: TournamentId) -> tuple[Projector, ...]:
        return tuple(one for one in await self._all() if one.tournament == tournament)

    async def find(self, key: str) -> Projector | None:
        """Return the screen with this link, or None for a wrong one."""
        # As bytes, because compare_digest does not accept non-ASCII strings.
        wanted = read_alike(key).encode()
        known = await self._all()
        return next((one for one in known if secrets.compare_digest(one.key.encode(), wanted)), None)

    async def add(self, tournament: TournamentId, name: str, language: str) -> Projector:
        """Add a screen. Raises Refused."""
        made = checked(
            Projector(code_of(secrets.token_bytes(_RANDOM)), name, tournament, languages=(language,))
        )
        await self._change(lambda known: (*known, made))
        return made

    async def change(self, key: str, change: Callable[[Projector], Projector]) -> None:
        """Change a screen. Raises Refused or BadData."""

        def _changed(known: tuple[Projector, ...]) -> tuple[Projector, ...]:
            if all(one.key != key for one in known):
                raise Refused(ProjectorRefusal.GONE)
            return tuple(checked(change(one)) if one.key == key else one for one in known)

        await self._change(_changed)

    async def change_all(self, tournament: TournamentId, change: Callable[[Projector], Projector]) -> None:
        """Change all screens of a tournament. Raises Refused or BadData."""
        await self._change(
            lambda known: tuple(
                checked(change(one)) if one.tournament == tournament else one for one in known
            )
        )

    async def remove(self, key: str) -> None:
        await self._change(lambda known: tuple(one for one in known if one.key != key))

    async def _all(self) -> tuple[Projector, ...]:
        settings = self._context.parts.settings
        known = await asyncio.to_thread(settings.read, _SETTING, tuple[Projector, ...], "[]")
        return tuple(map(_as_today, known))

    async def _change(self, change: Callable[[tuple[Projector, ...]], tuple[Projector, ...]]) -> None:
        def _changed(known: tuple[Projector, ...]) -> tuple[Projector, ...]:
            wanted = change(tuple(map(_as_today, known)))
            if len(wanted) > _MOST:
                raise Refused(ProjectorRefusal.TOO_MANY, count=_MOST)
            return wanted

        settings = self._context.parts.settings
        await asyncio.to_thread(settings.edit, _SETTING, tuple[Projector, ...], "[]", _changed)
        self._context.feed.publish("screens")
