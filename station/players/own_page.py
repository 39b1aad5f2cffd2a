"""A player's own page, opened on any phone by the code on a badge, without an account."""

import hashlib
from typing import Final

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import Refused
from core.game.ending.record_sheet import SheetLine, record_sheet
from core.terms import Dollars, RoundNo, TableNo
from core.tournament.state.tournament import Entrant, Stage
from station.accounts.permissions import Permission
from station.audit.actions import Audit, AuditKind
from station.hall.tournaments import ArchiveRefusal
from station.players.codes import PATH, KnownPlayer, codes_of
from station.players.desk import Desk, DeskRecord, DeskRefusal, PresenceState
from station.players.seats_page import public_row, seats_of, where_now
from station.text.names import shown_code
from station.text.reasons import Missing
from station.text.times import round_clock
from station.web.http_rules import COMPRESSED
from station.web.limits import count_wrong_code
from station.web.site import PageRequest, notice, recorded_facts, site_of
from station.web.tournament_context import TournamentContext
from sync.enrolment.agreement import read_alike

_UNCHANGED: Final = 204


class OwnPageContext(TournamentContext):
    """A request with a badge's code. Raises NotFoundException for a wrong one, TooManyRequestsException."""

    def __init__(self, request: PageRequest, code: str) -> None:
        known = _find(request, code)
        super().__init__(request, known.tournament)
        entrant = self.state.entrant(known.player)
        if entrant is None:
            raise NotFoundException(Missing.BADGE.value)
        self.entrant: Entrant = entrant
        recorded_facts(request).known = {"tournament": known.tournament, "player": known.player}
        self.own_url: str = f"{PATH}{self.service.of(codes_of).badge(known.tournament, known.player)}"

    async def desk(self) -> DeskRecord:
        return await self.service.of(Desk).record(self.state.tournament)

    def return_with_notice(self, error: Refused) -> Redirect:
        """Return to the player's page with a refusal, without logging the code."""
        notice(self.request, self.words.error(error), bad=True)
        return Redirect(self.own_url)


def _find(request: PageRequest, code: str) -> KnownPlayer:
    service = site_of(request).service
    known = service.of(codes_of).find(code, service.tournaments())
    if known is None:
        count_wrong_code(request)
        raise NotFoundException(Missing.BADGE.value)
    return known


async def _context(request: PageRequest, code: FromPath[str]) -> OwnPageContext:
    here = OwnPageContext(request, code)
    await here.note_archive()
    return here


AtOwnPage = NamedDependency[OwnPageContext]


@get("/", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def own_page(here: AtOwnPage, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show a player's seat, clock and past tables; nothing if the page is unchanged."""
    # Not from the cache after a form, which another station may have processed.
    read = here.service.of(Desk).recent_record if seen else here.service.of(Desk).record
    desk = await read(here.state.tournament)
    key = _key(here, desk)
    if seen == key:
        return Response(None, status_code=_UNCHANGED)
    state, service = here.state, here.service
    if state.running_round is None:  # A running tournament can't be archived.
        here.is_archived = state.tournament in await service.archive.ids()
    seats = seats_of(state, here.entrant.player)
    return here.page(
        "public/own_page.html",
        e=here.entrant,
        url=here.own_url,
        key=key,
        desk=desk,
        presence=desk.presence.get(here.entrant.player),
        is_leaving=here.entrant.player in desk.leaving,
        may_leave=_may_leave(here),
        now=where_now(state, seats),
        seats=seats,
        row=public_row(here, here.entrant.player),
        clock=round_clock(state, service.history(state.tournament), service.of(Desk).now_ms),
        code=shown_code(f"{here.address_for_others()}{here.own_url}"),
        at_desk=here.may(Permission.CHECK_IN),
    )


def _key(here: OwnPageContext, desk: DeskRecord) -> str:
    """Return a key that changes with the page's content."""
    player, state = here.entrant.player, here.state
    tables = sum(len(part.tables) for part in state.called)
    # Not the number of steps, or thousands of phones would reload their page for each sheet.
    content = (
        here.words.language, state.stage, state.clock, state.waivers.time_limit_min, here.entrant,
        seats_of(state, player)[:1], tables, state.running_round is None,
        desk.presence.get(player), player in desk.leaving, desk.self_check_in, desk.own_results,
        here.may(Permission.CHECK_IN),
    )  # fmt: skip
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def _may_leave(here: OwnPageContext) -> bool:
    over = {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}
    return not here.entrant.is_out and here.state.stage not in over


@post("/here", needs=Permission.PUBLIC_PAGES, audit=Audit("Checked in by themselves", kind=AuditKind.PLAYERS))
async def check_in(here: AtOwnPage) -> Redirect:
    """Check in the player of the badge, if the organiser allows it."""
    desk = await here.desk()
    if here.is_archived:
        return here.return_with_notice(Refused(ArchiveRefusal.ARCHIVED))
    if not desk.self_check_in:
        return here.return_with_notice(Refused(DeskRefusal.NO_SELF_CHECK_IN))
    if here.entrant.is_out:
        return here.return_with_notice(Refused(DeskRefusal.OUT))
    await here.service.of(Desk).set_presence(here.state.tournament, here.entrant.player, PresenceState.HERE)
    return Redirect(here.own_url)


@post(
    "/leave",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Asked to leave, or to stay after all", keeps="leaving", kind=AuditKind.PLAYERS),
)
async def ask_to_leave(here: AtOwnPage) -> Redirect:
    """Ask to be left out from the next draw on, or take the request back."""
    if here.is_archived or not _may_leave(here):
        reason = ArchiveRefusal.ARCHIVED if here.is_archived else DeskRefusal.OUT
        return here.return_with_notice(Refused(reason))
    at_ms = here.service.of(Desk).now_ms if (await here.fields()).is_ticked("leaving") else None
    player = here.entrant.player
    await here.service.of(Desk).change(here.state.tournament, lambda desk: desk.with_leaving(player, at_ms))
    return Redirect(here.own_url)


class OwnGame(msgspec.Struct, frozen=True):
    """A player's own game: the player's line of its accepted record sheet."""

    round: RoundNo
    table: TableNo
    line: SheetLine


@post(
    "/results",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Looked at their own results", kind=AuditKind.PLAYERS),
    status_code=200,
)
async def own_results(here: AtOwnPage) -> Template | Redirect:
    """Show a player's own games and total, opened by the player's private code."""
    desk, player, tournament = await here.desk(), here.entrant.player, here.state.tournament
    typed = read_alike((await here.fields()).text("private"))
    right = here.service.of(codes_of).private(tournament, player, desk.keys.get(player, 0))
    if not desk.own_results or typed != right:
        count_wrong_code(here.request)
        return here.return_with_notice(Refused(DeskRefusal.WRONG_KEY))
    games = [
        OwnGame(drawn.round, sheet.result.table, line)
        for drawn in here.state.published_rounds
        for sheet in drawn.sheets
        for line in record_sheet(sheet.result, here.rules).lines
        if line.player == player
    ]
    total = here.service.accounts(tournament)[player].total
    answer = here.page(
        "public/own_results.html", e=here.entrant, url=here.own_url, games=games, total=Dollars(total)
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


routes = Router(
    PATH + "{code:str}",
    dependencies={"here": Provide(_context)},
    route_handlers=[own_page, check_in, ask_to_leave, own_results],
)
