"""The judge's players: import with a preview, add, rename, withdraw, warn, eject."""

from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.terms import PlayerId
from saloon.core.text.ejections import must_report, report_to_publisher
from saloon.core.tournament.commands import (
    EjectPlayer,
    RegisterPlayers,
    RenamePlayer,
    TournamentCommand,
    WarnPlayer,
    WithdrawPlayer,
)
from saloon.station.imports.players_csv import PlayerRow, new_players, preview
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import Fields, form_of
from saloon.station.web.site import PageRequest, page, refused, run_command, site_of, words_of
from saloon.station.web.text.reasons import Done, Reason
from saloon.station.web.tournament.plan import plan_of

_LARGEST_FILE = 2 * 1024 * 1024
_LARGEST_FORM = 3 * _LARGEST_FILE + 64 * 1024
"""A browser sends a letter beyond ASCII as up to three characters per byte."""


@get("/")
async def players(
    request: PageRequest, tournament: FromPath[str], *, adds: FromQuery[bool] = False
) -> Template:
    """Show all players with the judge's notes. adds: one was added just now, and the next may follow."""
    site = site_of(request)
    state = site.tournament(tournament)
    plan = plan_of(state, site.office.rules(state.tournament))
    return page(request, "judge/players.html", t=state, sizes=plan.sizes, adds=adds)


@get("/ejected")
async def ejected(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the report of ejected players that the publisher wants."""
    site = site_of(request)
    state = site.tournament(tournament)
    rules = site.office.rules(state.tournament)
    report = report_to_publisher(state, rules, words_of(request))
    return page(request, "judge/ejected.html", t=state, report=report, must_report=must_report(rules))


@get("/ejected.txt")
async def ejected_text(request: PageRequest, tournament: FromPath[str]) -> Response[str]:
    """Return the report of ejected players as a text file."""
    site = site_of(request)
    state = site.tournament(tournament)
    text = report_to_publisher(state, site.office.rules(state.tournament), words_of(request))
    headers = {"Content-Disposition": 'attachment; filename="ejected-players.txt"'}
    return Response(text, media_type="text/plain", headers=headers)


@post("/")
async def add(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Register one player."""
    fields = await form_of(request)
    state = site_of(request).tournament(tournament)
    row = PlayerRow(1, fields.text("name"), fields.text("club"))
    command = RegisterPlayers(new_players((row,), state.entrants))
    then = f"/judge/t/{tournament}/players?adds=true"
    return await run_command(request, tournament, command, then, Done.ADDED)


@get("/import")
async def import_again(tournament: FromPath[str]) -> Redirect:
    """Redirect to the players: a preview cannot be loaded again."""
    return Redirect(f"/judge/t/{tournament}/players")


@post("/import", request_max_body_size=_LARGEST_FORM)
async def show_import(request: PageRequest, tournament: FromPath[str]) -> Template | Redirect:
    """Show the content of a CSV file, with its errors by line; nothing is registered yet."""
    state = site_of(request).tournament(tournament)
    file = (await form_of(request)).file("file")
    content = await file.read() if file is not None else b""
    if not content or len(content) > _LARGEST_FILE:
        refused(request, Refused(Reason.NO_FILE))
        return Redirect(f"/judge/t/{tournament}/players")
    return page(request, "judge/import.html", status_code=200, t=state, preview=preview(content))


@post("/import/confirm", request_max_body_size=_LARGEST_FORM)
async def confirm_import(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Register the players that the preview showed."""
    fields = await form_of(request)
    state = site_of(request).tournament(tournament)
    try:
        rows = _rows(fields)
    except Refused as error:
        refused(request, error)
        return Redirect(f"/judge/t/{tournament}/players")
    command = RegisterPlayers(new_players(rows, state.entrants))
    return await run_command(request, tournament, command, f"/judge/t/{tournament}/players", Done.REGISTERED)


@post("/{player:str}/{action:str}")
async def act(
    request: PageRequest, tournament: FromPath[str], player: FromPath[str], action: FromPath[str]
) -> Redirect:
    """Rename, withdraw, warn or eject a player."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/players"
    command = _command(PlayerId(player), action, fields)
    if command is None:
        refused(request, Refused(Reason.NO_ACTION))
        return Redirect(then)
    return await run_command(request, tournament, command, then, Done.CHANGED)


def _command(player: PlayerId, action: str, fields: Fields) -> TournamentCommand | None:
    reason = fields.text("reason")
    match action:
        case "rename":
            return RenamePlayer(player, fields.text("name"), fields.text("club"))
        case "withdraw":
            return WithdrawPlayer(player, reason)
        case "warn":
            return WarnPlayer(player, reason)
        case "eject":
            return EjectPlayer(player, reason)
        case _:
            return None


def _rows(fields: Fields) -> tuple[PlayerRow, ...]:
    """Return the rows that the preview page sends back: a name and a club per line, separated by a tab."""
    rows = []
    for number, line in enumerate(fields.raw("rows").splitlines(), 1):
        name, _, club = line.partition("\t")
        if not name.strip():
            raise Refused(Reason.NO_NAME_IN_ROW, row=number)
        rows.append(PlayerRow(number, name.strip(), club.strip()))
    return tuple(rows)


routes = Router(
    "/judge/t/{tournament:str}/players",
    before_request=only_judges,
    route_handlers=[players, ejected, ejected_text, add, import_again, show_import, confirm_import, act],
)
