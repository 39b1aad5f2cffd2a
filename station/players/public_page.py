"""The pages on players' phones, without an account.

Public seats: find a player or a table, see who sits where, apply to play. A player's own page, opened by the
code on their badge: check in, ask to leave, and see their own results.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import Refused
from base.immutable import cache_by_identity
from core.game.ending.record_sheet import SheetLine, record_sheet
from core.terms import Dollars, PlayerId, RoundNo, TableNo
from core.tournament.registration import RegisterPlayers
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import name_filter, names_like
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Entrant, Stage, TournamentState
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind
from station.hall.tournaments import ArchiveRefusal
from station.imports.findings import PlayerRow, PrivateFacts, PrivateField
from station.imports.player_list import Person, new_players
from station.players.codes import PATH, codes_of
from station.players.service import Desk, DeskRecord, DeskRefusal, PresenceState, facts_typed
from station.text.names import shown_code
from station.text.reasons import Done, Missing
from station.web.http_rules import COMPRESSED
from station.web.limits import count_wrong_code
from station.web.page_keys import shown_key
from station.web.site import PageRequest, notice, recorded_facts, site_of
from station.web.tournament_context import TOURNAMENT, AtTournament, TournamentContext, unchanged
from sync.enrolment.agreement import read_alike

_MOST_FOUND: Final = 30
_LONGEST_SEARCH: Final = 80
_ROUNDS_KEPT: Final = 64
"""The most rounds whose seats are cached; thousands of phones ask for the same ones."""


class PlayerSeat(msgspec.Struct, frozen=True):
    """A player's seat in a round or duel. ``players`` are all players at the table, by seat."""

    round: int
    table: TableNo
    seat: int
    players: tuple[PlayerId, ...]


@cache_by_identity(_ROUNDS_KEPT)
def _table_by_player(tables: tuple[DrawnTable, ...]) -> Mapping[PlayerId, DrawnTable]:
    return {player: table for table in tables for player in table.players}


def seats_of(state: TournamentState, player: PlayerId) -> tuple[PlayerSeat, ...]:
    """Return a player's seats in published rounds and duels, latest first."""
    seats = ((part.round, _table_by_player(part.tables).get(player)) for part in reversed(state.called))
    return tuple(
        PlayerSeat(number, table.table, table.players.index(player) + 1, table.players)
        for number, table in seats
        if table is not None
    )


def where_now(state: TournamentState, seats: tuple[PlayerSeat, ...]) -> PlayerSeat | None:
    """Return the player's current seat, or None between rounds and for somebody who isn't playing."""
    duels = {table.players for _, table in state.open_duels}
    running = 0 if state.running_round is None else state.running_round.round
    return next((seat for seat in seats[:1] if seat.round == running or seat.players in duels), None)


@get("/find", needs=Permission.PUBLIC_PAGES)
async def find(here: AtTournament, q: FromQuery[str] = "") -> Template:
    """Find a player by name or a table by number."""
    wanted = " ".join(q.split())[:_LONGEST_SEARCH]
    is_found = name_filter(wanted)
    fits = [one.player for one in here.state.entrants if is_found(here.names[one.player])]
    matches = [(one, where_now(here.state, seats_of(here.state, one))) for one in fits[:_MOST_FOUND]]
    drawn = here.state.published_rounds[-1:]
    tables = [table for one in drawn for table in one.tables if wanted == str(table.table)]
    return here.page(
        "public/find.html", wanted=wanted, matches=matches, more=len(fits) - len(matches), tables=tables
    )


@get("/player/{player:str}", needs=Permission.PUBLIC_PAGES)
async def player(here: AtTournament, player: FromPath[str]) -> Template:
    """Show a player's public seats."""
    entrant = here.player(player)
    seats = seats_of(here.state, entrant.player)
    return here.page(
        "public/player.html",
        e=entrant,
        seats=seats,
        now=where_now(here.state, seats),
        clock=here.clock,
        row=public_row(here, entrant.player),
    )


def public_row(here: TournamentContext, player: PlayerId) -> StandingRow | None:
    """Return a player's row of the ranking, or None until it is public."""
    if here.state.stage is not Stage.PUBLISHED:
        return None
    return here.service.standings(here.state.tournament).row(player)


@get("/table/{table:int}", needs=Permission.PUBLIC_PAGES)
async def table(here: AtTournament, table: FromPath[int]) -> Template:
    """Show who sits at a table in the latest round. The code on the table's sign leads here."""
    called = here.state.called_tables
    latest = max((number for number, _ in called), default=None)
    latest_table = next(
        (drawn for number, drawn in called if number == latest and drawn.table == table), None
    )
    return here.page("public/table.html", number=table, drawn=latest_table, round_no=latest, clock=here.clock)


async def takes_applications(here: TournamentContext) -> bool:
    """Return whether players may apply to play, and could be registered now."""
    state, service = here.state, here.service
    somebody = RegisterPlayers(new_players((PlayerRow(1, state.tournament, ""),), state.entrants))
    desk = await service.of(Desk).record(state.tournament)
    if not desk.registration or service.why_not(state.tournament, somebody) is not None:
        return False
    return state.tournament not in await service.archive.ids()


@get("/register", needs=Permission.PUBLIC_PAGES)
async def registration(here: AtTournament) -> Template:
    """Show the application form, or that registration is closed."""
    record = await here.service.of(Desk).record(here.state.tournament)
    places = record.free_places(here.state.contenders)
    return here.page(
        "public/register.html",
        is_open=await takes_applications(here),
        is_full=places is not None and len(record.applications) >= places,
        asks_email=PrivateField.EMAIL in record.private_fields,
        asks_newcomer=PrivateField.NEWCOMER in record.private_fields,
    )


@post(
    "/register",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Applied to play", keeps="name club", kind=AuditKind.PLAYERS),
)
async def apply(here: AtTournament) -> Redirect:
    """Add somebody to the judge's list of applications."""
    fields, at_ms = await here.fields(), here.service.of(Desk).now_ms
    row = PlayerRow(1, fields.text("name"), fields.text("club"))
    if not await takes_applications(here):
        raise Refused(DeskRefusal.NO_REGISTRATION)
    _check_application(here, row, is_agreed=fields.is_ticked("agreed"))
    email = facts_typed(PrivateFacts(), {"email": fields.text("email")}).email

    def _apply(desk: DeskRecord) -> DeskRecord:
        _refuse_twice(row.name, desk.applications)
        kept = email if PrivateField.EMAIL in desk.private_fields else ""
        is_new = fields.is_ticked("newcomer") and PrivateField.NEWCOMER in desk.private_fields
        return desk.with_application(row.name, row.club, at_ms, kept, newcomer=is_new)

    record = await here.service.of(Desk).change(here.state.tournament, _apply)
    numbers = [one.number for one in record.waiting_list(here.state.contenders)]
    if record.applied in numbers:
        place = numbers.index(record.applied) + 1
        text = here.words.label(Done.WAITING).format(n=place)
    else:
        text = here.words.label(Done.APPLIED)
    notice(here.request, text, bad=False)
    return Redirect(f"/t/{here.state.tournament}")


def _check_application(here: TournamentContext, row: PlayerRow, *, is_agreed: bool) -> None:
    if not row.name:
        raise Refused(DeskRefusal.NO_NAME)
    if not is_agreed:
        raise Refused(DeskRefusal.NO_CONSENT)
    _refuse_twice(row.name, here.state.entrants)
    refused = here.service.why_not(
        here.state.tournament, RegisterPlayers(new_players((row,), here.state.entrants))
    )
    if refused is not None:
        raise refused


def _refuse_twice(name: str, people: Sequence[Person]) -> None:
    """Refuse a name that is like a known one. A namesake can add something to their name."""
    is_like = names_like(name)
    for one in people:
        if is_like(one.name):
            raise Refused(DeskRefusal.TWICE, name=one.name)


class OwnPageContext(TournamentContext):
    """A request with the code of a badge. Raises NotFoundException or TooManyRequestsException."""

    def __init__(self, request: PageRequest, code: str) -> None:
        service = site_of(request).service
        known = service.of(codes_of).find(code, service.tournaments())
        if known is None:
            count_wrong_code(request)
            raise NotFoundException(Missing.BADGE.value)
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
        """Return to the player's page and show a refusal, without logging the code."""
        notice(self.request, self.words.error(error), bad=True)
        return Redirect(self.own_url)


async def _context(request: PageRequest, code: FromPath[str]) -> OwnPageContext:
    here = OwnPageContext(request, code)
    await here.note_archive()
    return here


AtOwnPage = NamedDependency[OwnPageContext]


@get("/", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def own_page(here: AtOwnPage, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show a player's seat, clock and past tables, or return 204 if the page is up to date."""
    # A form may have been processed by another station, so the page after it is not from the cache.
    read = here.service.of(Desk).recent_record if seen else here.service.of(Desk).record
    desk = await read(here.state.tournament)
    key = _key(here, desk)
    if seen == key:
        return unchanged()
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
        clock=here.clock,
        code=shown_code(f"{here.address_for_others()}{here.own_url}"),
        at_desk=here.may(Permission.CHECK_IN),
    )


def _key(here: OwnPageContext, desk: DeskRecord) -> str:
    player, state = here.entrant.player, here.state
    tables = sum(len(part.tables) for part in state.called)
    # The number of steps is left out, or thousands of phones would reload for every sheet.
    content = (
        here.words.language, state.stage, state.clock, state.waivers.time_limit_min, here.entrant,
        seats_of(state, player)[:1], tables, state.running_round is None,
        desk.presence.get(player), player in desk.leaving, desk.self_check_in, desk.own_results,
        here.may(Permission.CHECK_IN),
    )  # fmt: skip
    return shown_key(content)


def _may_leave(here: OwnPageContext) -> bool:
    over = {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}
    return not here.entrant.is_out and here.state.stage not in over


@post("/here", needs=Permission.PUBLIC_PAGES, audit=Audit("Checked themselves in", kind=AuditKind.PLAYERS))
async def check_in(here: AtOwnPage) -> Redirect:
    """Check in the badge's player, if the organiser allows it."""
    desk = await here.desk()
    if here.is_archived:
        return here.return_with_notice(Refused(ArchiveRefusal.ARCHIVED))
    if not desk.self_check_in:
        return here.return_with_notice(Refused(DeskRefusal.NO_SELF_CHECK_IN))
    if here.entrant.is_out:
        return here.return_with_notice(Refused(DeskRefusal.OUT))
    player = here.entrant.player
    here.recorded.note_change("state", desk.state_of(player), PresenceState.HERE)
    await here.service.of(Desk).set_presence(here.state.tournament, player, PresenceState.HERE)
    return Redirect(here.own_url)


@post(
    "/leave",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Asked to leave, or to stay after all", keeps="leaving", kind=AuditKind.PLAYERS),
)
async def ask_to_leave(here: AtOwnPage) -> Redirect:
    """Ask not to be seated from the next draw on, or withdraw that request."""
    if here.is_archived or not _may_leave(here):
        reason = ArchiveRefusal.ARCHIVED if here.is_archived else DeskRefusal.OUT
        return here.return_with_notice(Refused(reason))
    at_ms = here.service.of(Desk).now_ms if (await here.fields()).is_ticked("leaving") else None
    player = here.entrant.player
    await here.service.of(Desk).change(here.state.tournament, lambda desk: desk.with_leaving(player, at_ms))
    return Redirect(here.own_url)


class OwnGame(msgspec.Struct, frozen=True):
    """A player's line in the accepted record sheet of one of their games."""

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
    """Show a player's own games and total to anybody with the player's private code."""
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


seat_routes = Router(
    "/t/{tournament:str}",
    dependencies=TOURNAMENT,
    route_handlers=[find, player, table, registration, apply],
)
routes = Router(
    PATH + "{code:str}",
    dependencies={"here": Provide(_context)},
    route_handlers=[own_page, check_in, ask_to_leave, own_results],
)
