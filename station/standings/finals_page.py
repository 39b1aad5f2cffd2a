"""The finals: the ranking of the rounds, the duels of the top four, their places and prizes."""

from litestar import get, post
from litestar.response import Redirect, Template

from core.terms import MatchKind
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.standings.ranking import PublishRanking
from station.accounts.permissions import Permission
from station.audit.actions import Audit
from station.draw.page import free_table, in_the_way, owing_cards
from station.standings.page import ranking_key, require_unchanged_ranking
from station.text.reasons import Done, FormReason
from station.web.tournament_context import AtTournament, tournament_routes


@get("/", needs=Permission.STANDINGS)
async def finals(here: AtTournament) -> Template:
    """Show the state of the finals and the judge's next step."""
    standings = here.service.standings(here.state.tournament)
    modes = () if here.rules.finals is None else here.rules.finals.modes
    return here.page(
        "judge/finals.html",
        standings=standings,
        ranking_key=ranking_key(standings),
        cards=here.service.floor(here.state.tournament, all_duels=True),
        modes=modes,
        rounds_refused=here.why_not(PublishRoundsRanking()),
        begin_refused=here.why_not(BeginDuels(kind=modes[0])) if modes else "",
        publish_refused=here.why_not(PublishRanking()),
        owing=owing_cards(here),
        in_the_way=in_the_way(here, BeginDuels(kind=modes[0])) if modes else "",
        free_table=free_table(here),
    )


@post("/rounds", needs=Permission.STANDINGS, audit=Audit("Published the ranking of the rounds"))
async def publish_rounds(here: AtTournament) -> Redirect:
    """Publish the ranking of the rounds that the judge has seen."""
    await require_unchanged_ranking(here)
    return await here.run(PublishRoundsRanking(), f"{here.url}/finals", Done.FINALISTS_NAMED)


@post("/begin", needs=Permission.STANDINGS, audit=Audit("Called duels of the finals", keeps="kind"))
async def begin(here: AtTournament) -> Redirect:
    """Call the semifinals or the final to the tables."""
    then = f"{here.url}/finals"
    try:
        kind = MatchKind((await here.fields()).text("kind"))
    except ValueError:
        return here.refuse(FormReason.NO_DUEL_KIND, then)
    return await here.run(BeginDuels(kind=kind), then, Done.DUELS_RUN)


@post("/publish", needs=Permission.STANDINGS, audit=Audit("Published the finals"))
async def publish(here: AtTournament) -> Redirect:
    """End the tournament with the places and prizes of the finals that the judge has seen."""
    await require_unchanged_ranking(here)
    return await here.run(PublishRanking(), f"/t/{here.state.tournament}")


routes = tournament_routes(finals, publish_rounds, begin, publish, under="/finals")
