"""The judge's draws: seal, draw, draw again, publish."""

import secrets

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.core.editions.edition import Schedule
from saloon.core.tournament.commands import BeginDuels, MakeDraw, PublishDraw, SealDraw, WaiveOwedEntries
from saloon.core.tournament.reasons import Reason
from saloon.core.tournament.state import TournamentState
from saloon.station.services.tables.floor_cards import FloorCard
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, page, referring_page, refusal, run_command, site_of, words_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done
from saloon.station.web.tournament.plan import first_free_table

_SEED_BYTES = 32


@get("/")
async def draw(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the next round's draw, as far as it is."""
    site = site_of(request)
    state = site.tournament(tournament)
    refused = refusal(request, state, SealDraw("0" * 64))
    one_group = site.office.rules(state.tournament).schedule is Schedule.ONE_GROUP
    return page(
        request,
        "judge/draw.html",
        t=state,
        names=names_of(state),
        refused=refused,
        one_group=one_group,
        owing=owing_cards(request, state),
        in_the_way=in_the_way(request, state, PublishDraw()),
        free_table=free_table(request, state),
    )


@post("/seal")
async def seal(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Choose a seed and show its hash."""
    command = SealDraw(secrets.token_hex(_SEED_BYTES))
    return await run_command(request, tournament, command, f"/judge/t/{tournament}/draw")


@post("/make")
async def make(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Draw tables and Sheriffs."""
    word = (await form_of(request)).text("hall_word")
    return await run_command(request, tournament, MakeDraw(word), f"/judge/t/{tournament}/draw")


@post("/publish")
async def publish(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Publish the draw and notify the terminals."""
    return await run_command(
        request, tournament, PublishDraw(), f"/judge/t/{tournament}/floor", Done.ROUND_RUNS
    )


@post("/without")
async def without(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Go on without the entries missing from tables, for a reason."""
    site = site_of(request)
    owing = site.office.troubles.owing(site.tournament(tournament).tournament)
    command = WaiveOwedEntries(owing, (await form_of(request)).text("reason"))
    then = referring_page(request, f"/judge/t/{tournament}/draw")
    return await run_command(request, tournament, command, then, Done.GONE_ON)


def in_the_way(request: PageRequest, state: TournamentState, command: PublishDraw | BeginDuels) -> str:
    """Return the refusal that names the tables at which another tournament plays; empty for none."""
    found = site_of(request).office.why_not(state.tournament, command)
    is_in_use = found is not None and found.reason is Reason.TABLES_IN_USE
    return words_of(request).refusal(found) if found is not None and is_in_use else ""


def free_table(request: PageRequest, state: TournamentState) -> int:
    """Return the table after those of all other tournaments that are not over."""
    office = site_of(request).office
    others = (other for other in office.tournaments() if other.tournament != state.tournament)
    return first_free_table((other, office.rules(other.tournament)) for other in others)


def owing_cards(request: PageRequest, state: TournamentState) -> tuple[FloorCard, ...]:
    """Return the cards of the tables with missing entries that no judge waived."""
    office = site_of(request).office
    return tuple(
        office.card(state.tournament, owed.round, owed.table)
        for owed in office.troubles.owing(state.tournament)
    )


routes = Router(
    "/judge/t/{tournament:str}/draw",
    before_request=only_judges,
    route_handlers=[draw, seal, make, publish, without],
)
