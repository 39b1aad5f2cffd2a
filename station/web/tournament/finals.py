"""The finals: the ranking of the rounds, the duels of the four best, their places and prizes."""

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.game.match import MatchKind
from saloon.core.tournament.commands import BeginDuels, PublishRanking, PublishRoundsRanking
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, page, refusal, refused, run_command, site_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Done, Reason
from saloon.station.web.tournament.draws import free_table, in_the_way, owing_cards


@get("/")
async def finals(request: PageRequest, tournament: FromPath[str]) -> Template:
    """Show the state of the finals and the judge's next step."""
    site = site_of(request)
    state = site.tournament(tournament)
    edition = site.office.rules(state.tournament)
    modes = () if edition.finals is None else edition.finals.modes
    return page(
        request,
        "judge/finals.html",
        t=state,
        edition=edition,
        names=names_of(state),
        standings=site.office.standings(state.tournament),
        cards=site.office.floor(state.tournament, all_duels=True),
        modes=modes,
        rounds_refused=refusal(request, state, PublishRoundsRanking()),
        begin_refused=refusal(request, state, BeginDuels(modes[0])) if modes else "",
        publish_refused=refusal(request, state, PublishRanking()),
        owing=owing_cards(request, state),
        in_the_way=in_the_way(request, state, BeginDuels(modes[0])) if modes else "",
        free_table=free_table(request, state),
    )


@post("/rounds")
async def publish_rounds(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Publish the ranking of the rounds."""
    then = f"/judge/t/{tournament}/finals"
    return await run_command(request, tournament, PublishRoundsRanking(), then, Done.FINALISTS_NAMED)


@post("/begin")
async def begin(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Call the semifinals, or the final, to the tables."""
    then = f"/judge/t/{tournament}/finals"
    try:
        kind = MatchKind((await form_of(request)).text("kind"))
    except ValueError:
        refused(request, Refused(Reason.NO_DUEL_KIND))
        return Redirect(then)
    return await run_command(request, tournament, BeginDuels(kind), then, Done.DUELS_RUN)


@post("/publish")
async def publish(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """End the tournament with the places and prizes of the finals."""
    return await run_command(request, tournament, PublishRanking(), f"/t/{tournament}")


routes = Router(
    "/judge/t/{tournament:str}/finals",
    before_request=only_judges,
    route_handlers=[finals, publish_rounds, begin, publish],
)
