"""The floor: a live card for each table, and calls of the judge."""

from collections.abc import AsyncGenerator

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, ServerSentEvent, ServerSentEventMessage, Template

from saloon.base.errors import Refused
from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.game.events import Ending
from saloon.core.terms import RoundNo, TableNo
from saloon.core.tournament.state import TournamentState
from saloon.station.services.station_service import StationService
from saloon.station.services.tables.floor_cards import FloorCard
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, judge_of, page, refused, run_action, site_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done, Missing, Reason
from saloon.station.web.text.times import round_clock


@get("/floor")
async def floor(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show all tables of the running round, or of the one that is asked for; else of the last one."""
    site = site_of(request)
    state = site.tournament(tournament)
    running = site.office.live_floor.cards(state)
    shown = _round_asked_for(request, state)
    if shown is None and not running and state.published_rounds:
        shown = state.published_rounds[-1].round
    is_live = bool(running) and (shown is None or shown == running[0].round)
    cards = running if is_live else site.office.floor(state.tournament, round_no=shown) if shown else ()
    return page(
        request,
        "judge/floor.html",
        t=state,
        cards=cards,
        is_live=is_live,
        names=names_of(state),
        clock=round_clock(state, site.office.history(state.tournament), cards),
    )


def _round_asked_for(request: PageRequest, state: TournamentState) -> RoundNo | None:
    """Return the published round that the address names; None for none. Raises NotFoundException."""
    asked_for = request.query_params.get("round", "")
    if not asked_for:
        return None
    for drawn in state.published_rounds:
        if str(drawn.round) == asked_for:
            return drawn.round
    raise NotFoundException(Missing.TABLE.value)


@get("/floor/calls")
async def calls(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the tables that call the judge, as the floor page asks for them when any table changed."""
    site = site_of(request)
    state = site.tournament(tournament)
    return page(request, "judge/_calls.html", t=state, cards=site.office.live_floor.calls(state))


@get("/floor/cards/{table:int}")
async def card(request: PageRequest, tournament: FromPath[str], table: FromPath[int]) -> Template:
    """Show one card, as the floor page asks for it when it changed."""
    site = site_of(request)
    state = site.tournament(tournament)
    found = site.office.live_floor.card(state, table)
    if found is None:
        raise NotFoundException(Missing.NO_ROUND_RUNS.value)
    return page(request, "judge/_card.html", t=state, c=found, names=names_of(state))


@get("/events")
async def events(request: PageRequest, tournament: FromPath[str]) -> ServerSentEvent:
    """Stream the changes as they happen: events ``table-N`` with ``floor``, ``tournament``, ``terminals``."""
    site = site_of(request)
    site.tournament(tournament)
    return ServerSentEvent(_told(site.office))


async def _told(office: StationService) -> AsyncGenerator[ServerSentEventMessage, None]:
    async for change in office.changes(None):
        names = (change.what,) if change.table is None else (f"table-{change.table}", "floor")
        for name in names:
            yield ServerSentEventMessage(event=name, data=str(change.number))


@post("/tables/{round_no:int}/{table:int}/answer")
async def answer(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Record that the judge is on the way."""
    found = card_of(request, site_of(request).tournament(tournament), round_no, table)
    work = site_of(request).office.answer_call(found.game_id, judge_of(request))
    return await run_action(request, work, f"/judge/t/{tournament}/floor", Done.COMING)


@post("/tables/{round_no:int}/{table:int}/call/end")
async def end_call(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Mark a table's call as dealt with."""
    found = card_of(request, site_of(request).tournament(tournament), round_no, table)
    work = site_of(request).office.troubles.end_call(found.game_id, judge_of(request))
    return await run_action(request, work, f"/judge/t/{tournament}/floor", Done.CALL_ENDED)


@post("/tables/{round_no:int}/{table:int}/time")
async def time_is_up(
    request: PageRequest, tournament: FromPath[str], round_no: FromPath[int], table: FromPath[int]
) -> Redirect:
    """Apply the consequence of a time limit: nobody wins, High Noon, or the judge's ruling."""
    found = card_of(request, site_of(request).tournament(tournament), round_no, table)
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/tables/{round_no}/{table}"
    try:
        how = TimeLimit(fields.text("how")) if fields.text("how") else None
        ending = Ending(fields.text("ending")) if fields.text("ending") else None
    except ValueError:
        refused(request, Refused(Reason.NO_ACTION))
        return Redirect(then)
    call = EndByTimeLimit(how, ending if how is TimeLimit.JUDGE else None, fields.text("reason"))
    work = site_of(request).office.call_time(found.game_id, call, judge_of(request))
    return await run_action(request, work, then, Done.TIME_CALLED)


def card_of(request: PageRequest, state: TournamentState, round_no: int, table: int) -> FloorCard:
    """Return a table of a published round. Raises NotFoundException."""
    try:
        return site_of(request).office.card(state.tournament, RoundNo(round_no), TableNo(table))
    except KeyError as error:
        raise NotFoundException(Missing.TABLE.value) from error


routes = Router(
    "/judge/t/{tournament:str}",
    before_request=only_judges,
    route_handlers=[floor, calls, card, events, answer, end_call, time_is_up],
)
