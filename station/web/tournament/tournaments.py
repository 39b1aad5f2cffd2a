"""The judge's tournaments: the list, the next step, and the history."""

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from saloon.base.errors import Refused
from saloon.core.terms import TableNo
from saloon.core.tournament.commands import ChangeWaivers, MoveTables, SealDraw, UndoSteps
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import (
    PageRequest,
    page,
    referring_page,
    refusal,
    refused,
    run_command,
    site_of,
    words_of,
)
from saloon.station.web.text.events_in_words import history_lines
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done
from saloon.station.web.tournament.plan import is_movable, last_table, plan_of
from saloon.station.web.tournament.voided import confirmed_games


@get("/")
async def home(request: PageRequest) -> Template:
    """Show all tournaments, and the way to a new one."""
    return page(request, "judge/home.html", tournaments=site_of(request).office.tournaments())


@get("/t/{tournament:str}")
async def tournament(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the state of the tournament and the next step."""
    site = site_of(request)
    state = site.tournament(tournament)
    edition = site.office.rules(state.tournament)
    plan = plan_of(state, edition)
    return page(
        request,
        "judge/tournament.html",
        t=state,
        edition=edition,
        floor=site.office.floor(state.tournament),
        terminals=site.office.terminals(),
        rounds=plan.rounds,
        sizes=plan.sizes,
        last_table=last_table(state, edition),
        may_move=is_movable(state),
        refused=refusal(request, state, SealDraw("0" * 64)),
    )


@post("/t/{tournament:str}/waivers")
async def waivers(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Change the waivers, such as fewer rounds or a time limit."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}"
    try:
        command = ChangeWaivers(fields.waivers(), fields.text("reason"))
    except Refused as error:
        refused(request, error)
        return Redirect(then)
    return await run_command(request, tournament, command, then, Done.CHANGED)


@post("/t/{tournament:str}/tables")
async def tables(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Move the tournament to other tables of the hall."""
    fields = await form_of(request)
    then = referring_page(request, f"/judge/t/{tournament}")
    try:
        command = MoveTables(TableNo(fields.number("first_table") or 0))
    except Refused as error:
        refused(request, error)
        return Redirect(then)
    return await run_command(request, tournament, command, then, Done.TABLES_CHOSEN)


@get("/t/{tournament:str}/history")
async def history(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show every step with its author and time; the last ones can be undone."""
    site = site_of(request)
    state = site.tournament(tournament)
    tables = {
        drawn.game: (found.round, drawn.table) for found in state.published_rounds for drawn in found.tables
    }
    lines = history_lines(site.office.history(state.tournament), names_of(state), words_of(request), tables)
    return page(request, "judge/history.html", t=state, lines=lines, names=names_of(state))


@post("/t/{tournament:str}/undo")
async def undo(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Undo the last steps."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/history"
    try:
        steps = fields.number("steps") or 0
        command = UndoSteps(steps, fields.text("reason"), confirmed=confirmed_games(fields))
    except Refused as error:
        refused(request, error)
        return Redirect(then)
    # The page of consequences, from which this was sent, cannot be loaded again.
    found = site_of(request).office.why_not(site_of(request).tournament(tournament).tournament, command)
    if found is not None:
        refused(request, found)
        return Redirect(then)
    return await run_command(request, tournament, command, then, Done.TAKEN_BACK)


@get("/backup")
async def backup(request: PageRequest) -> Response[bytes]:
    """Return a copy of the station's database, made while it runs."""
    headers = {"Content-Disposition": 'attachment; filename="saloon-backup.db"'}
    content = await site_of(request).office.backup()
    return Response(content, media_type="application/octet-stream", headers=headers)


routes = Router(
    "/judge",
    before_request=only_judges,
    route_handlers=[home, tournament, waivers, tables, history, undo, backup],
)
