"""The floor: a card for each table, live; calls of the judge."""

from collections.abc import AsyncGenerator

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, ServerSentEvent, ServerSentEventMessage, Template

from saloon.core.terms import RoundNo, TableNo
from saloon.core.tournament.state import TournamentState
from saloon.station.office_contract import FloorCard, Office
from saloon.station.web.login import only_judges
from saloon.station.web.names import names_of
from saloon.station.web.site import PageRequest, asked, judge_of, page, site_of


@get("/floor")
async def floor(request: PageRequest, tournament: str) -> Template:
    """All tables of the round; those that call the judge first."""
    site = site_of(request)
    state = site.tournament(tournament)
    cards = sorted(site.office.floor(state.tournament), key=lambda card: (not _calls(card), card.table))
    return page(request, "judge/floor.html", t=state, cards=cards, names=names_of(state))


@get("/floor/cards/{table:int}")
async def card(request: PageRequest, tournament: str, table: int) -> Template:
    """One card, as the floor page asks for it when it changed."""
    site = site_of(request)
    state = site.tournament(tournament)
    found = next((c for c in site.office.floor(state.tournament) if c.table == table), None)
    if found is None:
        raise NotFoundException("There is no such table in this round.")
    return page(request, "judge/_card.html", t=state, c=found, names=names_of(state))


@get("/events")
async def events(request: PageRequest, tournament: str) -> ServerSentEvent:
    """What changed, as it changes: events ``table-N``, ``tournament`` and ``terminals``."""
    site = site_of(request)
    site.tournament(tournament)
    return ServerSentEvent(_told(site.office))


async def _told(office: Office) -> AsyncGenerator[ServerSentEventMessage, None]:
    async for change in office.changes(None):
        name = f"table-{change.table}" if change.table is not None else change.what
        yield ServerSentEventMessage(event=name, data=str(change.number))


@post("/tables/{round_no:int}/{table:int}/answer")
async def answer(request: PageRequest, tournament: str, round_no: int, table: int) -> Redirect:
    """The judge is on the way."""
    found = card_of(request, site_of(request).tournament(tournament), round_no, table)
    work = site_of(request).office.answer_call(found.game_id, judge_of(request))
    return await asked(request, work, f"/judge/t/{tournament}/floor")


@post("/tables/{round_no:int}/{table:int}/time")
async def time_is_up(request: PageRequest, tournament: str, round_no: int, table: int) -> Redirect:
    """End a game by its time limit."""
    found = card_of(request, site_of(request).tournament(tournament), round_no, table)
    work = site_of(request).office.call_time(found.game_id, judge_of(request))
    return await asked(request, work, f"/judge/t/{tournament}/tables/{round_no}/{table}")


def card_of(request: PageRequest, state: TournamentState, round_no: int, table: int) -> FloorCard:
    """A table of a published round. Raises NotFoundException."""
    try:
        return site_of(request).office.card(state.tournament, RoundNo(round_no), TableNo(table))
    except KeyError as error:
        raise NotFoundException("There is no such table in that round.") from error


def _calls(found: FloorCard) -> bool:
    return found.game is not None and found.game.judge_called


routes = Router(
    "/judge/t/{tournament:str}",
    before_request=only_judges,
    route_handlers=[floor, card, events, answer, time_is_up],
)
