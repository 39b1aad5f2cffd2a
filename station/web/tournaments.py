"""The judge's tournaments: the list, a new one, what to do next, and its history."""

import datetime as dt
import secrets

from litestar import Router, get, post
from litestar.response import Redirect, Response, Template

from saloon.core.errors import BadData
from saloon.core.terms import TournamentId
from saloon.core.tournament.commands import ChangeWaivers, OpenTournament, UndoSteps
from saloon.core.tournament.events import Waivers
from saloon.station.web.events_in_words import told
from saloon.station.web.forms import Fields, form_of
from saloon.station.web.login import only_judges
from saloon.station.web.names import names_of
from saloon.station.web.site import (
    PageRequest,
    asked,
    came_from,
    decided,
    judge_of,
    notice,
    page,
    site_of,
    words_of,
)


@get("/")
async def home(request: PageRequest) -> Template:
    """All tournaments and the form for a new one."""
    office = site_of(request).office
    return page(
        request,
        "judge/home.html",
        tournaments=office.tournaments(),
        editions=office.editions(),
        today=dt.datetime.now(dt.UTC).date().isoformat(),
    )


@post("/tournaments")
async def open_tournament(request: PageRequest) -> Redirect:
    """Open a tournament."""
    fields = await form_of(request)
    try:
        waivers = _waivers(fields)
    except BadData as error:
        notice(request, words_of(request).error(error), bad=True)
        return Redirect(came_from(request, "/judge"))
    tournament = TournamentId(secrets.token_hex(6))
    command = OpenTournament(
        tournament,
        fields.text("name"),
        fields.text("edition"),
        fields.text("date"),
        waivers,
        fields.is_ticked("unofficial"),
    )
    work = site_of(request).office.decide(tournament, command, judge_of(request))
    return await asked(request, work, f"/judge/t/{tournament}")


@get("/t/{tournament:str}")
async def tournament(request: PageRequest, tournament: str) -> Template:
    """Where the tournament is and what to do next."""
    site = site_of(request)
    state = site.tournament(tournament)
    return page(
        request,
        "judge/tournament.html",
        t=state,
        edition=site.office.edition(state.edition),
        names=names_of(state),
        floor=site.office.floor(state.tournament),
        terminals=site.office.terminals(),
    )


@post("/t/{tournament:str}/waivers")
async def waivers(request: PageRequest, tournament: str) -> Redirect:
    """Fewer rounds or a time limit."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}"
    try:
        command = ChangeWaivers(_waivers(fields), fields.text("reason"))
    except BadData as error:
        notice(request, words_of(request).error(error), bad=True)
        return Redirect(then)
    return await decided(request, tournament, command, then)


@get("/t/{tournament:str}/history")
async def history(request: PageRequest, tournament: str) -> Template:
    """Every step with who and when; the last ones can be taken back."""
    site = site_of(request)
    state = site.tournament(tournament)
    lines = told(site.office.history(state.tournament), names_of(state), words_of(request))
    return page(request, "judge/history.html", t=state, lines=lines)


@post("/t/{tournament:str}/undo")
async def undo(request: PageRequest, tournament: str) -> Redirect:
    """Take the last steps back."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/history"
    try:
        command = UndoSteps(fields.number("steps") or 0, fields.text("reason"))
    except BadData as error:
        notice(request, words_of(request).error(error), bad=True)
        return Redirect(then)
    return await decided(request, tournament, command, then, "Taken back.")


@get("/t/{tournament:str}/export")
async def export(request: PageRequest, tournament: str) -> Response[bytes]:
    """The whole tournament as a file for auditors."""
    site = site_of(request)
    state = site.tournament(tournament)
    headers = {"Content-Disposition": f'attachment; filename="saloon-{state.tournament}.jsonl"'}
    return Response(site.office.export(state.tournament), media_type="application/jsonl", headers=headers)


@get("/backup")
async def backup(request: PageRequest) -> Response[bytes]:
    """A copy of the station's database, taken while it runs."""
    headers = {"Content-Disposition": 'attachment; filename="saloon-backup.db"'}
    content = await site_of(request).office.backup()
    return Response(content, media_type="application/octet-stream", headers=headers)


def _waivers(fields: Fields) -> Waivers:
    return Waivers(rounds=fields.number("rounds"), time_limit_min=fields.number("time_limit_min"))


routes = Router(
    "/judge",
    before_request=only_judges,
    route_handlers=[home, open_tournament, tournament, waivers, history, undo, export, backup],
)
