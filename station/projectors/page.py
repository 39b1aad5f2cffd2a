"""The judge's page that controls the screens in the hall."""

from collections.abc import Callable
from functools import partial
from typing import Final

import segno
from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from msgspec.structs import replace

from base.errors import Refused
from base.languages import LANGUAGES
from station.accounts.permissions import Permission
from station.audit import Audit
from station.projectors.ceremony import REVEAL_STEPS, all_ranked, reveal_on, take_step
from station.projectors.hall_pages import AFTER_THE_ROUNDS, ANNOUNCEMENT, HALL_PAGES
from station.projectors.public_page import FRAMING_POLICY
from station.projectors.service import PATH, LetterSize, Projector, Projectors
from station.text.reasons import Done, FormReason
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


@get("/", needs=Permission.PROJECTORS)
async def screens(here: AtTournament) -> Template:
    """Show the screens of the tournament, with controls for what they show."""
    address = here.address_for_others()
    projectors = here.service.of(Projectors)
    all_screens = await projectors.all(here.state.tournament)
    reveals = {one.key: reveal_on(one, here) for one in all_screens}
    answer = here.page(
        "judge/projectors.html",
        screens=all_screens,
        contacts={one.key: projectors.contact_of(one) for one in all_screens},
        links={one.key: f"{address}{PATH}{one.key}" for one in all_screens},
        codes={
            one.key: segno.make(f"{address}{PATH}{one.key}", error="m").svg_data_uri(border=2, scale=4)
            for one in all_screens
        },
        pages={key: here.words.gettext(page.name) for key, page in HALL_PAGES.items()},
        announcement=ANNOUNCEMENT.key,
        letters=LetterSize,
        may_reveal=here.state.stage in AFTER_THE_ROUNDS,
        first_places=_first_places(len(here.state.contenders)),
        reveals=reveals,
        reveal=next((step for step in reveals.values() if step is not None), None),
    )
    answer.headers["Content-Security-Policy"] = FRAMING_POLICY
    return answer


def _first_places(players: int) -> list[int]:
    """Return the places at which a ceremony may begin, the usual one first; 0 is the last."""
    places = [place for place in (_MOST_USUAL, 4, 3) if place < players]
    return [*places, 0] if _MOST_USUAL in places else [0, *places]


_MOST_USUAL: Final = 10


@post("/", needs=Permission.PROJECTORS, audit=Audit("Added a screen in the hall", keeps="name"))
async def add(here: AtTournament) -> Redirect:
    """Add a screen."""
    name = (await here.fields()).text("name")
    work = here.service.of(Projectors).add(here.state.tournament, name, here.words.language)
    return await here.act(work, f"{here.url}/projectors", Done.CHANGED)


@post("/{key:str}", needs=Permission.PROJECTORS, audit=Audit("Changed a screen in the hall"))
async def change(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Change what a screen shows and how."""
    fields, then = await here.fields(), f"{here.url}/projectors#{key}"
    try:
        seconds = fields.number("seconds") or 0
        letters = LetterSize[fields.text("letters").upper()]
    except Refused as error:
        return here.refuse(error, then)
    except KeyError:
        return here.refuse(FormReason.NO_ACTION, then)
    return await _change(
        here,
        key,
        lambda screen: replace(
            screen,
            name=fields.text("name"),
            pages=tuple(key for key in HALL_PAGES if fields.is_ticked(f"page-{key}")),
            has_choice=True,
            seconds=seconds,
            is_dark=fields.text("look") == "dark",
            letters=letters,
            languages=tuple(code for code in LANGUAGES if fields.is_ticked(f"language-{code}")),
            text=fields.text("text"),
        ),
        Done.CHANGED,
    )


async def _change(
    here: TournamentContext, key: str, change: Callable[[Projector], Projector], done: Done = Done.NOTHING
) -> Redirect:
    """Change a screen, recording what it showed before."""

    def _recorded(screen: Projector) -> Projector:
        after = change(screen)
        here.recorded.known["name"] = screen.name
        here.recorded.note_changes(screen, after, _RECORDED)
        return after

    work = here.service.of(Projectors).change(key, _recorded)
    return await here.act(work, f"{here.url}/projectors#{key}", done)


_RECORDED: Final = "name pages pinned seconds is_dark letters languages text revealed reveal_from"


@post("/{key:str}/pin", needs=Permission.PROJECTORS, audit=Audit("Changed a screen in the hall"))
async def pin(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Pin one page of a screen, show the chosen pages in turn, or follow the day (``day``)."""
    word = (await here.fields()).text("page")

    def _pinned(screen: Projector) -> Projector:
        pinned = word if word in HALL_PAGES else None
        return replace(screen, pinned=pinned, pages=() if word == "day" else screen.pages)

    return await _change(here, key, _pinned)


@post("/{key:str}/reveal", needs=Permission.PROJECTORS, audit=Audit("Revealed the ranking on a screen"))
async def reveal(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Reveal the ranking on one screen, place by place up to the winner."""
    try:
        step = await _reveal_step(here)
    except Refused as error:
        return here.refuse(error, f"{here.url}/projectors#{key}")
    return await _change(here, key, step)


@post("/reveal", needs=Permission.PROJECTORS, audit=Audit("Revealed the ranking on all screens", keeps="do"))
async def reveal_on_all(here: AtTournament) -> Redirect:
    """Reveal the ranking on all screens of the tournament together."""
    then = f"{here.url}/projectors"
    try:
        work = here.service.of(Projectors).change_all(here.state.tournament, await _reveal_step(here))
    except Refused as error:
        return here.refuse(error, then)
    return await here.act(work, then)


async def _reveal_step(here: TournamentContext) -> Callable[[Projector], Projector]:
    """Return the change of a screen that a form asks for. Raises Refused."""
    fields = await here.fields()
    word, first = fields.text("do"), fields.number("from") or 0
    if REVEAL_STEPS.fullmatch(word) is None:
        raise Refused(FormReason.NO_ACTION)
    return partial(take_step, word=word, first=first, ranking=all_ranked(here))


@post("/{key:str}/remove", needs=Permission.PROJECTORS, audit=Audit("Removed a screen in the hall"))
async def remove(here: AtTournament, key: FromPath[str]) -> Redirect:
    """Remove a screen, whose link stops working."""
    screen = await here.service.of(Projectors).find(key)
    if screen is not None:
        here.recorded.known["name"] = screen.name
    return await here.act(here.service.of(Projectors).remove(key), f"{here.url}/projectors", Done.CHANGED)


routes = tournament_routes(screens, add, reveal_on_all, change, pin, reveal, remove, under="/projectors")
