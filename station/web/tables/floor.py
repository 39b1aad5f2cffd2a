"""The floor: a live card for each table, calls of the judge, and the swap of a table's terminal."""

from collections.abc import AsyncGenerator

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, ServerSentEvent, ServerSentEventMessage, Template

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.game.events import Ending
from saloon.core.terms import RoundNo
from saloon.station.services.station_service import StationService
from saloon.station.terminals.terminal_cards import TerminalCard, TerminalLink
from saloon.station.web.text.reasons import Done, FormReason, Missing
from saloon.station.web.text.times import round_clock
from saloon.station.web.tournament_context import (
    AtTable,
    AtTournament,
    TournamentContext,
    table_routes,
    tournament_routes,
)
from saloon.sync.protocol.entry import TerminalId


@get("/floor")
async def floor(here: AtTournament) -> Template:
    """Show all tables of the running round, or of the one that is asked for; else of the last one."""
    state, service = here.state, here.service
    running = service.live_floor.cards(state)
    shown = _round_asked_for(here)
    if shown is None and not running and state.published_rounds:
        shown = state.published_rounds[-1].round
    is_live = bool(running) and (shown is None or shown == running[0].round)
    cards = running if is_live else service.floor(state.tournament, round_no=shown) if shown else ()
    clock = round_clock(state, service.history(state.tournament), cards)
    return here.page("judge/floor.html", cards=cards, is_live=is_live, clock=clock)


def _round_asked_for(here: TournamentContext) -> RoundNo | None:
    """Return the published round that the address names; None for none. Raises NotFoundException."""
    asked_for = here.request.query_params.get("round", "")
    if not asked_for:
        return None
    for drawn in here.state.published_rounds:
        if str(drawn.round) == asked_for:
            return drawn.round
    raise NotFoundException(Missing.TABLE.value)


@get("/floor/calls")
async def calls(here: AtTournament) -> Template:
    """Show the tables that call the judge, as the floor page asks for them when any table changed."""
    return here.page("judge/_calls.html", cards=here.service.live_floor.calls(here.state))


@get("/floor/cards/{table:int}")
async def card(here: AtTournament, table: FromPath[int]) -> Template:
    """Show one card, as the floor page asks for it when it changed."""
    found = here.service.live_floor.card(here.state, table)
    if found is None:
        raise NotFoundException(Missing.NO_ROUND_RUNS.value)
    return here.page("judge/_card.html", c=found)


@get("/events")
async def events(here: AtTournament) -> ServerSentEvent:
    """Stream the changes as they happen: events ``table-N`` with ``floor``, ``tournament``, ``terminals``."""
    return ServerSentEvent(_stream_changes(here.service))


async def _stream_changes(service: StationService) -> AsyncGenerator[ServerSentEventMessage, None]:
    async for change in service.context.feed.changes(None):
        names = (change.what,) if change.table is None else (f"table-{change.table}", "floor")
        for name in names:
            yield ServerSentEventMessage(event=name, data=str(change.number))


@post("/answer")
async def answer(here: AtTable) -> Redirect:
    """Record that the judge is on the way."""
    work = here.service.answer_call(here.card.game_id, here.judge)
    return await here.act(work, f"{here.url}/floor", Done.COMING)


@post("/call/end")
async def end_call(here: AtTable) -> Redirect:
    """Mark a table's call as dealt with."""
    work = here.service.troubles.end_call(here.card.game_id, here.judge)
    return await here.act(work, f"{here.url}/floor", Done.CALL_ENDED)


@post("/time")
async def time_is_up(here: AtTable) -> Redirect:
    """Apply the consequence of a time limit: nobody wins, High Noon, or the judge's ruling."""
    fields = await here.fields()
    try:
        how = TimeLimit(fields.text("how")) if fields.text("how") else None
        ending = Ending(fields.text("ending")) if fields.text("ending") else None
    except ValueError:
        return here.refuse(FormReason.NO_ACTION, here.table_url)
    call = EndByTimeLimit(how, ending if how is TimeLimit.JUDGE else None, fields.text("reason"))
    work = here.service.call_time(here.card.game_id, call, here.judge)
    return await here.act(work, here.table_url, Done.TIME_CALLED)


@get("/swap")
async def swap_page(here: AtTable) -> Template:
    """Show the spares that can take a table over, the connected ones first."""
    steps = len(here.service.story(here.card.game_id))
    spares = sorted((c for c in here.service.terminals() if c.table is None), key=_is_away)
    return here.page("judge/swap.html", steps=steps, spares=spares)


@post("/swap")
async def swap(here: AtTable) -> Redirect:
    """Assign the chosen terminal to this table."""
    terminal = (await here.fields()).text("terminal")
    if not terminal:
        return here.refuse(FormReason.NO_SPARE, f"{here.table_url}/swap")
    work = here.service.assign(TerminalId(terminal), here.card.table, here.judge)
    return await here.act(work, here.table_url, Done.SWAPPED)


def _is_away(card: TerminalCard) -> bool:
    return card.link is TerminalLink.AWAY


routes = tournament_routes(floor, calls, card, events)
routes_of_one = table_routes(answer, end_call, time_is_up, swap_page, swap)
