"""Seasons: a public page of each, and the organiser's page to manage them."""

from typing import Final

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.tournament.season import USUAL_RULE
from station.accounts.permissions import Permission
from station.audit import Audit
from station.seasons.service import Season, Seasons
from station.text.reasons import Done, Missing
from station.web.http_rules import COMPRESSED
from station.web.site import PageRequest, page, site_of
from station.web.tournament_context import AtStation, PageContext, station_routes

_HERE: Final = "/judge/seasons"
_UNREADABLE: Final = 422


@get("/season/{season:str}", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def season(request: PageRequest, season: FromPath[str]) -> Template:
    """Show the ranking of a season, from published tournaments only."""
    seasons = site_of(request).service.of(Seasons)
    known = await seasons.find(season)
    if known is None:
        raise NotFoundException(Missing.SEASON.value)
    return page(request, "public/season.html", table=await seasons.table(known))


@get("/", needs=Permission.SET_UP)
async def seasons(here: AtStation) -> Template:
    return await _show_page(here)


async def _show_page(here: PageContext, typed: Season | None = None, problem: str = "") -> Template:
    """Show the page. ``typed`` is an entered season, and ``problem`` why it was refused."""
    known = await here.service.of(Seasons).all()
    listed = [typed if typed is not None and typed.key == one.key else one for one in known]
    is_new = typed is not None and typed not in listed
    new = Season("", "", rule=USUAL_RULE) if typed is None or not is_new else replace(typed, key="")
    return here.page(
        "judge/seasons.html",
        seasons=listed,
        alike={one.key: await here.service.of(Seasons).alike(one) for one in known},
        new=new,
        faulty=None if typed is None else "" if is_new else typed.key,
        problem=problem,
        tournaments=here.service.tournaments(),
        status_code=_UNREADABLE if problem else 200,
    )


@post("/", needs=Permission.SET_UP, audit=Audit("Added a season", keeps="name rule"))
async def add(here: AtStation) -> Redirect | Template:
    """Add a season."""
    typed = await _typed(here, "")
    try:
        made = await here.service.of(Seasons).add(typed)
    except (Refused, BadData) as error:
        return await _show_page(here, typed, here.words.error(error))
    return Redirect(f"{_HERE}#{made.key}")


@post("/{season:str}", needs=Permission.SET_UP, audit=Audit("Changed a season", keeps="name rule"))
async def change(here: AtStation, season: FromPath[str]) -> Redirect | Template:
    """Change a season's name, tournaments or rule."""
    typed = await _typed(here, season)
    try:
        await here.service.of(Seasons).change(typed)
    except (Refused, BadData) as error:
        return await _show_page(here, typed, here.words.error(error))
    return Redirect(f"{_HERE}#{season}")


@post("/{season:str}/remove", needs=Permission.SET_UP, audit=Audit("Removed a season"))
async def remove(here: AtStation, season: FromPath[str]) -> Redirect:
    """Remove a season; its tournaments stay."""
    return await here.act(here.service.of(Seasons).remove(season), _HERE, Done.CHANGED)


async def _typed(here: PageContext, key: str) -> Season:
    fields = await here.fields()
    chosen = tuple(
        state.tournament
        for state in here.service.tournaments()
        if fields.is_ticked(f"tournament-{state.tournament}")
    )
    return Season(key, fields.text("name"), chosen, fields.raw("rule").replace("\r\n", "\n"))


public_routes = Router("/", route_handlers=[season])
routes = station_routes(_HERE, seasons, add, change, remove)
