"""The consequences of a judge's step, shown before it is confirmed; nothing is stored here."""

from litestar import Router, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from saloon.base.errors import Refused
from saloon.core.terms import PlayerId
from saloon.core.tournament.commands import EjectPlayer, UndoSteps, WithdrawPlayer
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, page, referring_page, refused, site_of
from saloon.station.web.text.names import names_of
from saloon.station.web.tournament.voided import TICK


@post("/undo/what-if", status_code=200)
async def undo(request: PageRequest, tournament: FromPath[str]) -> Template | Redirect:
    """Show what would change if the last steps were taken back."""
    fields = await form_of(request)
    command = UndoSteps(fields.number("steps") or 0, fields.text("reason"))
    return await _shown(request, tournament, command, f"/judge/t/{tournament}/undo")


@post("/players/{player:str}/{change:str}/what-if", status_code=200)
async def leaving(
    request: PageRequest, tournament: FromPath[str], player: FromPath[str], change: FromPath[str]
) -> Template | Redirect:
    """Show what would change if a player left, or were ejected."""
    reason = (await form_of(request)).text("reason")
    ejects = change == "eject"
    command: EjectPlayer | WithdrawPlayer = (
        EjectPlayer(PlayerId(player), reason) if ejects else WithdrawPlayer(PlayerId(player), reason)
    )
    action = f"/judge/t/{tournament}/players/{player}/{'eject' if ejects else 'withdraw'}"
    return await _shown(request, tournament, command, action)


async def _shown(
    request: PageRequest, tournament: str, command: UndoSteps | EjectPlayer | WithdrawPlayer, action: str
) -> Template | Redirect:
    site = site_of(request)
    state = site.tournament(tournament)
    steps = command.steps if isinstance(command, UndoSteps) else 0
    back = referring_page(request, f"/judge/t/{tournament}")
    try:
        found = site.office.consequences(state.tournament, command)
    except Refused as error:
        refused(request, error)
        return Redirect(back)
    return page(
        request,
        "judge/what_if.html",
        t=state,
        names=names_of(state),
        edition=site.office.rules(state.tournament),
        found=found,
        action=action,
        back=back,
        typed=(await form_of(request)).typed(),
        steps=steps,
        player=None if isinstance(command, UndoSteps) else command.player,
        voided=() if steps == 0 else site.office.troubles.voided_games(state.tournament, steps),
        tick=TICK,
        ejects=isinstance(command, EjectPlayer),
    )


routes = Router("/judge/t/{tournament:str}", before_request=only_judges, route_handlers=[undo, leaving])
