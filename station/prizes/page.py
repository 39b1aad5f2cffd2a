"""The prizes of a tournament: their organiser's page, with a preview for head judges, and the public one."""

import asyncio
from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeVar

import msgspec
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Template

from base.errors import Refused
from core.terms import PlayerId
from core.tournament.prizes import MOST_PLACES, MOST_PRIZES, ChangePrizes
from core.tournament.state.names import fold_name
from core.tournament.state.prizes import Prize, PrizeBasis, PrizeExclusion, PrizeGroup
from core.tournament.state.tournament import TournamentState
from station.accounts.permissions import Permission
from station.audit import Audit
from station.hall.tournaments import decide_on
from station.imports.findings import PrivateField
from station.players.service import Desk
from station.text.prizes import AwardView, awards_in_words, describe_prize
from station.text.reasons import Done, FormReason, Missing
from station.web.forms import Fields
from station.web.http_rules import COMPRESSED
from station.web.page_keys import content_key
from station.web.site import show_refusal
from station.web.tournament_context import (
    TOURNAMENT,
    AtTournament,
    TournamentContext,
    tournament_routes,
)

_Choice = TypeVar("_Choice", bound=Enum)
_TICK: Final = "player-"
"""The names of the boxes for chosen players begin with it."""


def _(text: str) -> str:
    return text


_SUGGESTED: Final[tuple[tuple[str, Prize], ...]] = (
    (_("Best newcomer"), Prize("", group=PrizeGroup.NEWCOMERS)),
    (_("Best club"), Prize("", group=PrizeGroup.CLUBS, best=3)),
    (_("Best Sheriff"), Prize("", PrizeBasis.WON_AS_SHERIFF)),
)
"""Frequent prizes, offered as buttons until they are used."""


@get("/", needs=Permission.SET_UP)
async def prizes(here: AtTournament) -> Template:
    """Show the prizes; to head judges with the players who would win them now."""
    may_see = here.state.is_published or here.may(Permission.STANDINGS)
    desk, known = await here.service.of(Desk).record(here.state.tournament), here.state.prizes
    state = await here.service.of(Desk).with_newcomers(here.state)
    awards = tuple(AwardView(prize.name, describe_prize(prize, here.words), (), 0) for prize in known)
    if may_see:
        awards = await asyncio.to_thread(awards_in_words, state, here.rules, here.words)
    suggested = [(here.words.gettext(text), prize) for text, prize in _SUGGESTED]
    used = {prize.name for prize in known}
    return here.page(
        "judge/prizes.html",
        awards=awards,
        may_see=may_see,
        has_results=any(drawn.sheets for drawn in state.published_rounds),
        suggested=[(name, _typed(prize)) for name, prize in suggested if name not in used],
        may_add=len(known) < MOST_PRIZES and not state.is_published,
        for_newcomers=any(prize.group is PrizeGroup.NEWCOMERS for prize in known),
        newcomers=len(state.newcomers),
        are_marked=PrivateField.NEWCOMER in desk.private_fields,
        key=_key(here),
    )


def _key(here: TournamentContext) -> str:
    return content_key(here.state.prizes)


@get("/{number:int}", needs=Permission.SET_UP)
async def edit(here: AtTournament, number: FromPath[int]) -> Template:
    """Show the form of a prize. ``number`` counts from 1; 0 is for a new one."""
    prize = _prize(here, number) if number else None
    return _form(here, number, {} if prize is None else _typed(prize) | {"name": prize.name})


def _prize(here: TournamentContext, number: int) -> Prize:
    if not 1 <= number <= len(here.state.prizes):
        raise NotFoundException(Missing.PRIZE.value)
    return here.state.prizes[number - 1]


def _typed(prize: Prize) -> dict[str, str]:
    """Return the fields of a form, apart from the name."""
    return {
        "basis": prize.basis.value, "group": prize.group.value, "excluded": prize.excluded.value,
        "places": str(prize.places), "club": prize.club, "best": str(prize.best),
        **{f"{_TICK}{player}": "yes" for player in prize.players},
    }  # fmt: skip


class FormOption(msgspec.Struct, frozen=True):
    """An option of a list in the form."""

    value: str
    text: str
    is_chosen: bool


def _form(here: TournamentContext, number: int, typed: Mapping[str, str], status_code: int = 200) -> Template:
    known = (*(entrant.club for entrant in here.state.entrants), typed.get("club", ""))
    clubs = {fold_name(club): club for club in sorted(known, key=fold_name) if club}
    return here.page(
        "judge/prize.html",
        status_code,
        number=number,
        typed={"name": "", "places": "1", "best": "3", **typed},
        choices={
            name: [FormOption(one.value, here.words.label(one), typed.get(name) == one.value) for one in kind]
            for name, kind in (("basis", PrizeBasis), ("group", PrizeGroup), ("excluded", PrizeExclusion))
        },
        clubs=[FormOption(clubs[key], clubs[key], key == fold_name(typed.get("club", ""))) for key in clubs],
        chosen=[one.player for one in here.state.entrants if f"{_TICK}{one.player}" in typed],
        tick=_TICK,
        most=MOST_PLACES,
        key=typed.get("looked-at") or _key(here),
    )


@post("/{number:int}", needs=Permission.SET_UP, audit=Audit("Changed a prize", keeps="name basis group"))
async def save(here: AtTournament, number: FromPath[int]) -> Template | Redirect:
    """Add or change a prize, or show the filled-in form again if that is refused."""
    fields, former = await here.fields(), _prize(here, number) if number else None
    try:
        await here.require_unchanged(_key(here), FormReason.PRIZES_CHANGED)
        prize = _read(fields)
        prizes = tuple(prize if one is former else one for one in here.state.prizes)
        prizes = prizes if former else (*prizes, prize)
        refused = here.service.why_not(here.state.tournament, ChangePrizes(prizes))
        if refused is not None:
            raise refused
    except Refused as error:
        show_refusal(here.request, error)
        return _form(here, number, fields.typed_values(), 422)
    if prize.group is PrizeGroup.NEWCOMERS:
        await _keep_newcomers(here)
    return await _change(here, prizes)


def _read(fields: Fields) -> Prize:
    places, best = fields.number("places"), fields.number("best")
    return Prize(
        fields.text("name"),
        _choice(PrizeBasis, fields.text("basis")),
        _choice(PrizeGroup, fields.text("group")),
        _choice(PrizeExclusion, fields.text("excluded")),
        1 if places is None else places,
        fields.text("club"),
        tuple(PlayerId(name.removeprefix(_TICK)) for name in fields.typed_values() if name.startswith(_TICK)),
        1 if best is None else best,
    )


def _choice(kind: type[_Choice], value: str) -> _Choice:
    """Return the chosen member. Raises Refused for an unknown one."""
    try:
        return kind(value)
    except ValueError as error:
        raise Refused(FormReason.NO_ACTION) from error


async def _keep_newcomers(here: TournamentContext) -> None:
    """Let the desk keep who is a newcomer."""
    desk, tournament = here.service.of(Desk), here.state.tournament
    kept = (await desk.record(tournament)).private_fields
    if PrivateField.NEWCOMER not in kept:
        await desk.change(
            tournament,
            lambda record: record.with_private_fields(record.private_fields | {PrivateField.NEWCOMER}),
        )


@post("/{number:int}/remove", needs=Permission.SET_UP, audit=Audit("Removed a prize"))
async def remove(here: AtTournament, number: FromPath[int]) -> Redirect:
    prize = _prize(here, number)
    return await _change(here, tuple(one for one in here.state.prizes if one is not prize))


@post("/{number:int}/up", needs=Permission.SET_UP, audit=Audit("Moved a prize up"))
async def move_up(here: AtTournament, number: FromPath[int]) -> Redirect:
    """Move a prize up, so that it is awarded before the one above it."""
    prize, known = _prize(here, number), list(here.state.prizes)
    known.remove(prize)
    known.insert(max(0, number - 2), prize)
    return await _change(here, tuple(known))


async def _change(here: TournamentContext, prizes: tuple[Prize, ...]) -> Redirect:
    """Replace the prizes, unless somebody has changed them since the page was shown."""
    seen = (await here.fields()).text("looked-at")

    def _choose(state: TournamentState) -> ChangePrizes:
        if content_key(state.prizes) != seen:
            raise Refused(FormReason.PRIZES_CHANGED)
        return ChangePrizes(prizes)

    work = decide_on(here.service.context, here.state.tournament, _choose, here.judge)
    return await here.act(work, f"{here.url}/prizes", Done.CHANGED)


@get("/prizes", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def show_winners(here: AtTournament) -> Template:
    """Show everybody the winners and the candidates with their figures, once the ranking is public."""
    if not here.state.is_published:
        taken_back = here.state.ranking_taken_back
        raise NotFoundException((Missing.RANKING_TAKEN_BACK if taken_back else Missing.NOT_PUBLIC).value)
    awards = await asyncio.to_thread(awards_in_words, here.state, here.rules, here.words)
    return here.page("public/prizes.html", awards=awards)


routes = tournament_routes(prizes, edit, save, remove, move_up, under="/prizes")
public_routes = Router("/t/{tournament:str}", dependencies=TOURNAMENT, route_handlers=[show_winners])
