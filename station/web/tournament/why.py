"""The reasons for a player's dollars and rank: for judges, and for all once the ranking is public."""

from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template

from saloon.core.terms import PlayerId
from saloon.core.tournament.state import Stage
from saloon.station.web.account.login import only_judges
from saloon.station.web.site import PageRequest, page, site_of
from saloon.station.web.text.names import names_of
from saloon.station.web.text.reasons import Missing


@get("/{player:str}/why")
async def for_judges(request: PageRequest, tournament: FromPath[str], player: FromPath[str]) -> Template:
    """Show every sum behind a player's score and rank."""
    return _why_page(request, "judge/why.html", tournament, player)


@get("/{player:str}")
async def for_everybody(request: PageRequest, tournament: FromPath[str], player: FromPath[str]) -> Template:
    """Show the same to everybody, once none of it is secret any more."""
    if site_of(request).tournament(tournament).stage is not Stage.PUBLISHED:
        raise NotFoundException(Missing.PLAYER.value)
    return _why_page(request, "public/why.html", tournament, player)


def _why_page(request: PageRequest, template: str, tournament: str, player: str) -> Template:
    site = site_of(request)
    state = site.tournament(tournament)
    if state.entrant(PlayerId(player)) is None:
        raise NotFoundException(Missing.PLAYER.value)
    return page(
        request,
        template,
        t=state,
        names=names_of(state),
        edition=site.office.rules(state.tournament),
        why=site.office.why(state.tournament, PlayerId(player)),
    )


judge_routes = Router(
    "/judge/t/{tournament:str}/standings", before_request=only_judges, route_handlers=[for_judges]
)
public_routes = Router("/t/{tournament:str}/why", route_handlers=[for_everybody])
