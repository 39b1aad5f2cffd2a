"""The judge's standings: secret until published; lots and the end."""

import secrets

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.core.editions.edition import Scoring
from saloon.core.terms import PlayerId
from saloon.core.tournament.commands import DrawLots, EnterOneOnOne, PublishRanking
from saloon.core.tournament.draw.budgets import is_money_spent
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, page, refusal, run_command, site_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done, Missing
from saloon.station.web.tournament.draws import owing_cards

_SEED_BYTES = 32


@get("/")
async def standings(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the standings with every key."""
    site = site_of(request)
    state = site.tournament(tournament)
    edition = site.office.rules(state.tournament)
    return page(
        request,
        "judge/standings.html",
        t=state,
        names=names_of(state),
        standings=site.office.standings(state.tournament),
        edition=edition,
        accounts=site.office.accounts(state.tournament),
        is_average=edition.scoring is Scoring.AVERAGE,
        money_is_spent=is_money_spent(edition),
        publish_refused=refusal(request, state, PublishRanking()),
        owing=owing_cards(request, state),
    )


@get("/{player:str}")
async def own_total(request: PageRequest, tournament: FromPath[str], player: FromPath[str]) -> Template:
    """Show one player's own total, for that player alone."""
    site = site_of(request)
    state = site.tournament(tournament)
    row = site.office.standings(state.tournament).row(PlayerId(player))
    if row is None:
        raise NotFoundException(Missing.PLAYER.value)
    return page(request, "judge/own_total.html", t=state, names=names_of(state), row=row)


@post("/lots")
async def lots(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Break the remaining ties by lot."""
    command = DrawLots(secrets.token_hex(_SEED_BYTES))
    return await run_command(request, tournament, command, f"/judge/t/{tournament}/standings")


@post("/one-on-one")
async def one_on_one(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Break a tie of two by the game that they played."""
    fields = await form_of(request)
    then = f"/judge/t/{tournament}/standings"
    command = EnterOneOnOne(
        PlayerId(fields.text("winner")), _other(fields.text("pair"), fields.text("winner"))
    )
    return await run_command(request, tournament, command, then, Done.CHANGED)


def _other(pair: str, winner: str) -> PlayerId:
    return PlayerId(next((player for player in pair.split() if player != winner), ""))


@post("/publish")
async def publish(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """End the tournament."""
    return await run_command(request, tournament, PublishRanking(), f"/t/{tournament}")


routes = Router(
    "/judge/t/{tournament:str}/standings",
    before_request=only_judges,
    route_handlers=[standings, own_total, lots, one_on_one, publish],
)
