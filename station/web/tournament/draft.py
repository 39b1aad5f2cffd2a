"""The judge's changes of a draft by hand: what one breaks is shown before it is made."""

from litestar import post
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.terms import PlayerId, TableNo
from saloon.core.tournament.commands import ChangeDraw
from saloon.core.tournament.draw.by_hand import change_effects
from saloon.core.tournament.events import MovedPlayer, SeatingChange, SwappedPlayers
from saloon.core.tournament.reasons import TournamentReason
from saloon.station.web.forms import Fields
from saloon.station.web.text.events_in_words import change_in_words
from saloon.station.web.text.reasons import Done, FormReason
from saloon.station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_ANY_REASON = "-"
"""A placeholder for the reason while only the change itself is checked."""


@post("/what-if", status_code=200)
async def show_effects(here: AtTournament) -> Template:
    """Show what a change of the draft would break; nothing is changed yet."""
    fields = await here.fields()
    change = _change(here, fields)
    refused = here.service.why_not(here.state.tournament, ChangeDraw(change, _ANY_REASON))
    if refused is not None:
        raise refused
    return here.page(
        "judge/draft_change.html",
        effects=change_effects(here.state, change, here.rules),
        change=change_in_words(change, here.names, here.words, here.state.hall_tables),
        typed=fields.typed_values(),
    )


@post("/")
async def change_draft(here: AtTournament) -> Redirect:
    """Change the draft, with a reason that everybody can read."""
    fields = await here.fields()
    command = ChangeDraw(_change(here, fields), fields.text("reason"))
    return await here.run(command, f"{here.url}/draw", Done.DRAFT_CHANGED)


def _change(here: TournamentContext, fields: Fields) -> SeatingChange:
    """Return the change that a form asks for: a swap where another player is named, else a move."""
    player, other, table = PlayerId(fields.text("player")), fields.text("with"), fields.table()
    if not player or bool(other) is (table is not None):
        raise Refused(FormReason.SWAP_OR_MOVE)
    if table is None:
        return SwappedPlayers(player, PlayerId(other))
    place = here.state.hall_tables.find_place(table)
    if not place:
        raise Refused(TournamentReason.NO_TABLE_IN_DRAFT, table=table)
    return MovedPlayer(player, TableNo(place))


routes = tournament_routes(show_effects, change_draft, under="/draw/change")
