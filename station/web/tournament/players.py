"""The judge's players: import with a preview, add, rename, withdraw, warn, eject."""

from litestar import Response, get, post
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
from saloon.station.web.forms import Fields
from saloon.station.web.text.reasons import Done, FormReason
from saloon.station.web.tournament.plan import plan_of
from saloon.station.web.tournament_context import AtTournament, tournament_routes

_LARGEST_FILE = 2 * 1024 * 1024
_LARGEST_FORM = 3 * _LARGEST_FILE + 64 * 1024
"""A browser sends a letter beyond ASCII as up to three characters per byte."""


@get("/")
async def players(here: AtTournament, *, adds: FromQuery[bool] = False) -> Template:
    """Show all players with the judge's notes. adds: one was added just now, and the next may follow."""
    return here.page("judge/players.html", sizes=plan_of(here.state, here.rules).sizes, adds=adds)


@get("/ejected")
async def show_ejected(here: AtTournament) -> Template:
    """Show the report of ejected players that the publisher wants."""
    report = report_to_publisher(here.state, here.rules, here.words)
    return here.page("judge/ejected.html", report=report, must_report=must_report(here.rules))


@get("/ejected.txt")
async def download_ejected(here: AtTournament) -> Response[str]:
    """Return the report of ejected players as a text file."""
    text = report_to_publisher(here.state, here.rules, here.words)
    headers = {"Content-Disposition": 'attachment; filename="ejected-players.txt"'}
    return Response(text, media_type="text/plain", headers=headers)


@post("/")
async def add(here: AtTournament) -> Redirect:
    """Register one player."""
    fields = await here.fields()
    row = PlayerRow(1, fields.text("name"), fields.text("club"))
    command = RegisterPlayers(new_players((row,), here.state.entrants))
    return await here.run(command, f"{here.url}/players?adds=true", Done.ADDED)


@get("/import")
async def import_again(here: AtTournament) -> Redirect:
    """Redirect to the players: a preview cannot be loaded again."""
    return Redirect(f"{here.url}/players")


@post("/import", request_max_body_size=_LARGEST_FORM)
async def show_import(here: AtTournament) -> Template | Redirect:
    """Show the content of a CSV file, with its errors by line; nothing is registered yet."""
    file = (await here.fields()).file("file")
    content = await file.read() if file is not None else b""
    if not content or len(content) > _LARGEST_FILE:
        return here.refuse(FormReason.NO_FILE, f"{here.url}/players")
    return here.page("judge/import.html", preview=preview(content))


@post("/import/confirm", request_max_body_size=_LARGEST_FORM)
async def confirm_import(here: AtTournament) -> Redirect:
    """Register the players that the preview showed."""
    then = f"{here.url}/players"
    try:
        rows = _rows(await here.fields())
    except Refused as error:
        return here.refuse(error, then)
    return await here.run(RegisterPlayers(new_players(rows, here.state.entrants)), then, Done.REGISTERED)


@post("/{player:str}/{action:str}")
async def act(here: AtTournament, player: FromPath[str], action: FromPath[str]) -> Redirect:
    """Rename, withdraw, warn or eject a player."""
    then = f"{here.url}/players"
    command = _command(PlayerId(player), action, await here.fields())
    if command is None:
        return here.refuse(FormReason.NO_ACTION, then)
    return await here.run(command, then, Done.CHANGED)


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
            raise Refused(FormReason.NO_NAME_IN_ROW, row=number)
        rows.append(PlayerRow(number, name.strip(), club.strip()))
    return tuple(rows)


routes = tournament_routes(
    players,
    show_ejected,
    download_ejected,
    add,
    import_again,
    show_import,
    confirm_import,
    act,
    under="/players",
)
