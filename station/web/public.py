"""Pages for everybody: tournaments, draws that can be checked, tables, and the ranking once it is public."""

from litestar import Router, get
from litestar.response import Template

from saloon.core.tournament.state import Stage
from saloon.station.web.names import names_of
from saloon.station.web.site import PageRequest, page, site_of


@get("/")
async def home(request: PageRequest) -> Template:
    """All tournaments."""
    return page(request, "public/home.html", tournaments=site_of(request).office.tournaments())


@get("/t/{tournament:str}")
async def tournament(request: PageRequest, tournament: str) -> Template:
    """Rounds, tables and draws; the ranking when it is published, and no dollar before."""
    site = site_of(request)
    state = site.tournament(tournament)
    published = state.stage is Stage.PUBLISHED
    return page(
        request,
        "public/tournament.html",
        t=state,
        edition=site.office.edition(state.edition),
        names=names_of(state),
        standings=site.office.standings(state.tournament) if published else None,
    )


@get("/t/{tournament:str}/sheets/{round_no:int}")
async def sheets(request: PageRequest, tournament: str, round_no: int) -> Template:
    """Empty record sheets of a published round, to print."""
    state = site_of(request).tournament(tournament)
    rounds = [r for r in state.published_rounds if r.round == round_no]
    return page(request, "public/sheets.html", t=state, rounds=rounds, names=names_of(state))


routes = Router("/", route_handlers=[home, tournament, sheets])
