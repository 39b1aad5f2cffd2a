"""Public seats: find a player or a table, see who sits where, apply to play."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from base.errors import Refused
from base.identity_cache import cache_by_identity
from core.terms import PlayerId, TableNo
from core.tournament.registration import RegisterPlayers
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import names_found, names_like
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission
from station.audit.actions import Audit, AuditKind
from station.imports.findings import PlayerRow
from station.imports.players_csv import Person, new_players
from station.players.desk import Desk, DeskRecord, DeskRefusal
from station.text.reasons import Done, Missing
from station.text.times import RoundClockShown, round_clock
from station.web.site import notice
from station.web.tournament_context import TOURNAMENT, AtTournament, TournamentContext

_MOST_FOUND: Final = 30
_LONGEST_SEARCH: Final = 80
_ROUNDS_KEPT: Final = 64
"""The number of rounds whose seats are cached, as thousands of phones ask for the same ones."""


class PlayerSeat(msgspec.Struct, frozen=True):
    """A player's seat in a round or duel, with all players of the table by seat."""

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
    """Return a player's current seat; None between rounds and for somebody who does not play."""
    duels = {table.players for _, table in state.open_duels}
    running = 0 if state.running_round is None else state.running_round.round
    return next((seat for seat in seats[:1] if seat.round == running or seat.players in duels), None)


class FoundPlayer(msgspec.Struct, frozen=True):
    """A player found by a search. ``now`` is the current seat, None if there is none."""

    player: PlayerId
    now: PlayerSeat | None


@get("/find", needs=Permission.PUBLIC_PAGES)
async def find(here: AtTournament, q: FromQuery[str] = "") -> Template:
    """Find a player by name or a table by number."""
    wanted = " ".join(q.split())[:_LONGEST_SEARCH]
    is_found = names_found(wanted)
    fits = [one.player for one in here.state.entrants if is_found(here.names[one.player])]
    matches = [
        FoundPlayer(one, where_now(here.state, seats_of(here.state, one))) for one in fits[:_MOST_FOUND]
    ]
    drawn = here.state.published_rounds[-1:]
    tables = [table for one in drawn for table in one.tables if wanted == str(table.table)]
    return here.page(
        "public/find.html", wanted=wanted, matches=matches, more=len(fits) - len(matches), tables=tables
    )


@get("/player/{player:str}", needs=Permission.PUBLIC_PAGES)
async def player(here: AtTournament, player: FromPath[str]) -> Template:
    """Show a player's public seats."""
    entrant = here.state.entrant(PlayerId(player))
    if entrant is None:
        raise NotFoundException(Missing.PLAYER.value)
    seats = seats_of(here.state, entrant.player)
    return here.page(
        "public/player.html",
        e=entrant,
        seats=seats,
        now=where_now(here.state, seats),
        clock=_clock(here),
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
    return here.page(
        "public/table.html", number=table, drawn=latest_table, round_no=latest, clock=_clock(here)
    )


def _clock(here: TournamentContext) -> RoundClockShown | None:
    history = here.service.history(here.state.tournament)
    return round_clock(here.state, history, here.service.of(Desk).now_ms)


async def takes_applications(here: TournamentContext) -> bool:
    """Return whether players may apply and could be registered now."""
    state, service = here.state, here.service
    somebody = RegisterPlayers(new_players((PlayerRow(1, state.tournament, ""),), state.entrants))
    desk = await service.of(Desk).record(state.tournament)
    if not desk.registration or service.why_not(state.tournament, somebody) is not None:
        return False
    return state.tournament not in await service.archive.ids()


@get("/register", needs=Permission.PUBLIC_PAGES)
async def registration(here: AtTournament) -> Template:
    """Show the application form, or that registration is closed."""
    return here.page("public/register.html", is_open=await takes_applications(here))


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
    await here.service.of(Desk).change(
        here.state.tournament, lambda desk: _with_application(desk, row, at_ms)
    )
    notice(here.request, here.words.label(Done.APPLIED), bad=False)
    return Redirect(f"/t/{here.state.tournament}")


def _with_application(desk: DeskRecord, row: PlayerRow, at_ms: int) -> DeskRecord:
    _refuse_twice(row.name, desk.applications)
    return desk.with_application(row.name, row.club, at_ms)


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
    """Refuse a name like a known one, naming that one. Somebody else can add something to the name."""
    is_like = names_like(name)
    for one in people:
        if is_like(one.name):
            raise Refused(DeskRefusal.TWICE, name=one.name)


routes = Router(
    "/t/{tournament:str}",
    dependencies=TOURNAMENT,
    route_handlers=[find, player, table, registration, apply],
)
