"""The station, tournament or table of a request, with helpers to respond.

Handlers take ``here: AtStation``, ``AtTournament`` or ``AtTable``, provided by ``station_routes``,
``tournament_routes`` or ``table_routes``.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from functools import cached_property
from types import UnionType
from typing import Final, TypeVar
from urllib.parse import quote, urlsplit

from litestar import Router
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from base.errors import BadData, Refused, SaloonError, Unavailable
from core.editions.edition import Edition
from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.by_hand import ChangeDraw
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.round_clock import ClockDecision
from core.tournament.standings.ranking import DrawLots, EnterOneOnOne, PublishRanking
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Entrant, TournamentState
from station.accounts.permissions import Permission
from station.hall.station_service import StationService
from station.hall.tournaments import ArchiveRefusal
from station.projections.cards import FloorCard
from station.text.events_in_words import HistoryLine, describe_last_step, history_lines
from station.text.i18n import Words
from station.text.names import file_stem, names_of
from station.text.reasons import Done, FormReason, Missing
from station.text.times import RoundClockShown, round_clock
from station.web.forms import Fields, form_of
from station.web.page_keys import course_key, rounds_key
from station.web.site import (
    TOURNAMENT_COOKIE,
    PageRequest,
    RecordedFacts,
    judge_of,
    notice,
    page,
    part_of_page,
    permissions_of_request,
    recorded_facts,
    referring_page,
    show_refusal,
    site_of,
    words_of,
)

_Here = TypeVar("_Here", bound="TournamentContext")
_OF_THE_ARCHIVE: Final = frozenset({"archive", "reopen"})
_UNCHANGED: Final = 204
_SAYS_LITTLE: Final = frozenset({Done.NOTHING, Done.CHANGED, Done.ADDED})
"""Messages that the step itself replaces, as it names what was changed."""
_MOVES_ON: Final = (
    SealDraw | MakeDraw | ChangeDraw | PublishDraw | BeginDuels | CallOffTieDuel | DrawLots | EnterOneOnOne
    | PublishRoundsRanking | PublishRanking | UndoSteps
)  # fmt: skip
"""The steps after which a page about a draw, a round or the end is out of date."""
_DIGITS: Final = 9
"""The most digits of a number of steps in a form."""
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def unchanged() -> Response[None]:
    return Response(None, status_code=_UNCHANGED)


class PageContext:
    """A request to the station, with helpers to respond."""

    def __init__(self, request: PageRequest) -> None:
        self.request = request
        self.site = site_of(request)

    @property
    def service(self) -> StationService:
        return self.site.service

    @property
    def words(self) -> Words:
        return words_of(self.request)

    @property
    def judge(self) -> str:
        return judge_of(self.request)

    @property
    def recorded(self) -> RecordedFacts:
        return recorded_facts(self.request)

    def may(self, permission: Permission) -> bool:
        return permission in permissions_of_request(self.request)

    @property
    def is_floor(self) -> bool:
        return self.may(Permission.FLOOR)

    def address_for_others(self) -> str:
        """Return the pages' address for phones in the hall, if known, or else the one in this request."""
        url = self.request.base_url
        if url.hostname in _LOOPBACK and self.service.context.sign_in_links().pages:
            return self.service.context.sign_in_links().pages
        return str(url).rstrip("/")

    @property
    def is_only_here(self) -> bool:
        """Return whether only this computer can open the QR codes on papers and pages."""
        return urlsplit(self.address_for_others()).hostname in _LOOPBACK

    async def require_unchanged(self, key: str, reason: FormReason) -> None:
        """Raise Refused if the form's page is outdated. ``key`` is that of its current content."""
        if (await self.fields()).text("looked-at") not in {"", key}:
            raise Refused(reason)

    async def fields(self) -> Fields:
        return await form_of(self.request)

    def page(self, name: str, /, status_code: int = 200, **values: object) -> Template:
        return page(self.request, name, status_code, is_only_here=self.is_only_here, **values)

    def refuse(self, error: SaloonError | Enum, then: str) -> Redirect:
        show_refusal(self.request, Refused(error) if isinstance(error, Enum) else error)
        return Redirect(then)

    async def act(self, work: Awaitable[object], then: str, done: Done = Done.NOTHING) -> Redirect:
        """Carry out an action and redirect to ``then``, or back to the form's page if it is refused.

        ``done`` is the message for success.
        """
        try:
            await work
        except (Refused, BadData, Unavailable) as error:
            show_refusal(self.request, error)
            return Redirect(referring_page(self.request, then))
        except KeyError as error:
            raise NotFoundException(Missing.GONE.value) from error
        if done.value:
            notice(self.request, self.words.label(done), bad=False)
        return Redirect(then)


class TournamentContext(PageContext):
    """A request about one tournament. Raises NotFoundException for an unknown one."""

    def __init__(self, request: PageRequest, tournament: str) -> None:
        super().__init__(request)
        self.state: TournamentState = self.site.tournament(tournament)
        self.is_archived = False

    @property
    def rules(self) -> Edition:
        return self.service.rules(self.state.tournament)

    @cached_property
    def names(self) -> Mapping[PlayerId, str]:
        return names_of(self.state)

    @property
    def clock(self) -> RoundClockShown | None:
        """Return the running round's clock, or None."""
        wall_ms = self.service.context.parts.clock.wall_ms()
        return round_clock(self.state, self.service.history(self.state.tournament), wall_ms)

    def player(self, player: str) -> Entrant:
        """Return a registered player. Raises NotFoundException."""
        entrant = self.state.entrant(PlayerId(player))
        if entrant is None:
            raise NotFoundException(Missing.PLAYER.value)
        return entrant

    async def note_archive(self) -> None:
        """Look up whether the tournament is archived, but not for public pages, which phones load often."""
        if self.request.method == "POST" or self.request.url.path.startswith("/judge/"):
            self.is_archived = self.state.tournament in await self.service.archive.ids()

    @property
    def url(self) -> str:
        return f"/judge/t/{self.state.tournament}"

    def file_headers(self, name: str, *, opens: bool = False) -> dict[str, str]:
        """Return the headers for a file named after the tournament, its date and ``name`` (RFC 6266).

        ``opens`` makes the browser open the file instead of saving it.
        """
        full = self.file_name(name)
        plain = re.sub("[^a-z0-9]+", "-", full.removesuffix(f"-{name}")).strip("-") + f"-{name}"
        own = "" if full == plain else f"; filename*=UTF-8''{quote(full)}"
        how = "inline" if opens else "attachment"
        return {"Content-Disposition": f'{how}; filename="{plain}"{own}'}

    def file_name(self, name: str) -> str:
        """Return the name of a downloaded file: the tournament's, its date and ``name``."""
        stem = file_stem(self.state)
        if [file_stem(state) for state in self.service.tournaments()].count(stem) > 1:
            stem = f"{stem}-{self.state.tournament[:4]}"
        return f"{stem}-{name}"

    def moment(self) -> str:
        """Return what a form about the draw was shown for: steps, published rounds, and draft or finals."""
        steps = self.service.steps_written(self.state.tournament)
        return f"{steps}.{rounds_key(self.state)}.{course_key(self.state)}"

    async def check_moment(self) -> Callable[[TournamentState], None]:
        """Return a check that raises Refused if the draw or round of the form's page is over.

        A form about the clock is out of date when another round is published.
        """
        moment = (await self.fields()).text("moment")
        steps, rounds, course = (moment.split(".") + [""] * 3)[:3]
        before = int(steps) if steps.isascii() and steps.isdigit() and len(steps) <= _DIGITS else 0
        is_clock = self.request.url.path.endswith("/clock")

        def _check(state: TournamentState) -> None:
            is_same = rounds == rounds_key(state) if is_clock else course == course_key(state)
            if moment and not is_same:
                line = self._line_after(before, PublishDraw | UndoSteps if is_clock else _MOVES_ON)
                raise Refused(FormReason.MOVED_ON, what=line.text, by=line.by, at=line.at, page=self._link())

        return _check

    async def require_unchanged(self, key: str, reason: FormReason) -> None:
        (await self.check_moment())(self.state)
        await super().require_unchanged(key, reason)

    def require_last_step(self, seen: int | None) -> None:
        """Raise Refused if somebody has added a step since the page with an undo was shown."""
        if seen is not None and seen < self.service.steps_written(self.state.tournament):
            line = self._line_after(seen, object)
            raise Refused(
                FormReason.NOT_THE_LAST, what=line.text, by=line.by, at=line.at, page=self._link("/history")
            )

    def _link(self, path: str = "") -> tuple[str, str]:
        text = self.words.gettext("History") if path else self.words.gettext("What's next")
        return f"{self.url}{path}", text

    def _line_after(self, steps: int, kind: type | UnionType) -> HistoryLine:
        """Return the first valid step of a kind after the first ``steps``, or else the last one."""
        history = self.service.history(self.state.tournament)
        lines = reversed(history_lines(history, self.service.tournament(self.state.tournament), self.words))
        counting = [
            (step.events[0], line)
            for step, line in zip(history, lines, strict=True)
            if not isinstance(step.events[0], ClockDecision)
        ]
        later = (line for event, line in counting[steps:] if isinstance(event, kind) and not line.undone)
        return next(later, counting[-1][1])

    def page(self, name: str, /, status_code: int = 200, **values: object) -> Template:
        """Show a page about the tournament, which the browser then remembers."""
        known = {
            "t": self.state,
            "names": self.names,
            "edition": self.rules,
            "is_archived": self.is_archived,
            "moment": self.moment,
        }
        answer = super().page(name, status_code, **known, **values)
        if self.judge and self.request.cookies.get(TOURNAMENT_COOKIE) != self.state.tournament:
            answer.set_cookie(TOURNAMENT_COOKIE, self.state.tournament, samesite="lax", httponly=True)
        return answer

    def part(self, name: str, csrf_input: str, /, **values: object) -> str:
        """Render a template as a fragment of a page about the tournament; see ``part_of_page``."""
        known = {"t": self.state, "names": self.names, "edition": self.rules}
        return part_of_page(self.request, name, csrf_input, **known, **values)

    def why_not(self, command: TournamentDecision) -> str:
        refusal = self.service.why_not(self.state.tournament, command)
        return "" if refusal is None else self.words.refusal(refusal)

    def refused_because(self, command: TournamentDecision, reason: TournamentReason) -> str:
        """Return why a command would be refused, if that is for this reason, or else ""."""
        refusal = self.service.why_not(self.state.tournament, command)
        return "" if refusal is None or refusal.reason is not reason else self.words.refusal(refusal)

    def stale_draft(self) -> str:
        """Return who has joined or left since the next round was drawn, as text, or ""."""
        return self.refused_because(PublishDraw(), TournamentReason.DRAW_IS_STALE)

    async def act(self, work: Awaitable[object], then: str, done: Done = Done.NOTHING) -> Redirect:
        """Act as for any page, and offer to undo a single step that this has added to the tournament."""
        before = self.service.steps_written(self.state.tournament)
        answer = await super().act(work, then, done)
        if not self.recorded.refused:
            self._offer_undo(before, done)
        return answer

    def _offer_undo(self, before: int, done: Done) -> None:
        """Show what was done and a button to undo it, unless more than one step was added."""
        tournament = self.state.tournament
        seen, history = self.service.steps_written(tournament), self.service.history(tournament)
        last = next(step for step in reversed(history) if not isinstance(step.events[0], ClockDecision))
        if seen != before + 1 or isinstance(last.events[0], UndoSteps):
            return
        text = self.words.label(done)
        if done in _SAYS_LITTLE:
            text = describe_last_step(history, self.service.tournament(tournament), self.words)
        question = self.words.gettext("Undo the publication? People may have seen it already.")
        is_public = isinstance(last.events[0], PublishDraw | PublishRoundsRanking | PublishRanking)
        undo = (f"{self.url}/undo/last", "seen", str(seen), question if is_public else "")
        notice(self.request, text, bad=False, undo=undo if self.may(Permission.HISTORY) else None)

    async def run(self, command: TournamentDecision, then: str, done: Done = Done.NOTHING) -> Redirect:
        """Carry out a decision, unless its form's page is out of date."""
        check = await self.check_moment()
        return await self.act(
            self.service.decide(self.state.tournament, command, self.judge, check), then, done
        )


class TableGoneException(NotFoundException):
    """The request's table isn't in the draw, or no longer. ``url`` is the tournament's page."""

    url = ""


class TableContext(TournamentContext):
    """A request about one table of a published round. Raises TableGoneException for an unknown one."""

    def __init__(self, request: PageRequest, tournament: str, round_no: int, table: int) -> None:
        super().__init__(request, tournament)
        try:
            self.card: FloorCard = self.service.card(self.state.tournament, RoundNo(round_no), TableNo(table))
        except KeyError as error:
            is_next = round_no == len(self.state.published_rounds) + 1
            gone = TableGoneException((Missing.ROUND_TAKEN_BACK if is_next else Missing.TABLE).value)
            gone.url = self.url
            raise gone from error

    @property
    def table_url(self) -> str:
        return f"{self.url}/tables/{self.card.round}/{self.card.table}"

    def page(self, name: str, /, status_code: int = 200, **values: object) -> Template:
        return super().page(name, status_code, c=self.card, round_no=self.card.round, **values)


async def _tournament(request: PageRequest, tournament: FromPath[str]) -> TournamentContext:
    return await _unless_archived(TournamentContext(request, tournament))


async def _table(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> TableContext:
    return await _unless_archived(TableContext(request, tournament, round_no, table))


async def _unless_archived(here: _Here) -> _Here:
    """Refuse forms about an archived tournament, except to reopen it."""
    await here.note_archive()
    is_form = here.request.method == "POST" and here.request.url.path.split("/")[-1] not in _OF_THE_ARCHIVE
    if here.is_archived and is_form:
        raise Refused(ArchiveRefusal.ARCHIVED)
    return here


AtStation = NamedDependency[PageContext]
AtTournament = NamedDependency[TournamentContext]
AtTable = NamedDependency[TableContext]
TOURNAMENT: Final = {"here": Provide(_tournament)}
"""Dependencies of a router whose path names a tournament."""
_TABLE: Final = {"here": Provide(_table)}
_URL: Final = "/judge/t/{tournament:str}"


def station_routes(url: str, *handlers: HTTPRouteHandler) -> Router:
    here = {"here": Provide(PageContext, sync_to_thread=False)}
    return Router(url, dependencies=here, route_handlers=handlers)


def tournament_routes(*handlers: HTTPRouteHandler, under: str = "") -> Router:
    return Router(_URL + under, dependencies=TOURNAMENT, route_handlers=handlers)


def table_routes(*handlers: HTTPRouteHandler, under: str = "") -> Router:
    """Return a router for judges' pages about a table, at ``under`` below the table's path."""
    url = _URL + "/tables/{round_no:int}/{table:int}" + under
    return Router(url, dependencies=_TABLE, route_handlers=handlers)
