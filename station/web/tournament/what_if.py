"""The consequences of a judge's step, shown before it is confirmed; nothing is stored here."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Template

from saloon.core.terms import PlayerId
from saloon.core.tournament.commands import EjectPlayer, UndoSteps, WithdrawPlayer
from saloon.station.web.site import referring_page
from saloon.station.web.tournament.voided import TICK
from saloon.station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


@post("/undo/what-if", status_code=200)
async def undo(here: AtTournament) -> Template:
    """Show what would change if the last steps were taken back."""
    fields = await here.fields()
    command = UndoSteps(fields.number("steps") or 0, fields.text("reason"))
    return await _show(here, command, f"{here.url}/undo")


@post("/players/{player:str}/{change:str}/what-if", status_code=200)
async def leaving(here: AtTournament, player: FromPath[str], change: FromPath[str]) -> Template:
    """Show what would change if a player left, or were ejected."""
    reason = (await here.fields()).text("reason")
    kind, action = (EjectPlayer, "eject") if change == "eject" else (WithdrawPlayer, "withdraw")
    return await _show(here, kind(PlayerId(player), reason), f"{here.url}/players/{player}/{action}")


async def _show(
    here: TournamentContext, command: UndoSteps | EjectPlayer | WithdrawPlayer, action: str
) -> Template:
    tournament = here.state.tournament
    steps = command.steps if isinstance(command, UndoSteps) else 0
    return here.page(
        "judge/what_if.html",
        found=here.service.consequences(tournament, command),
        action=action,
        back=referring_page(here.request, here.url),
        typed=(await here.fields()).typed_values(),
        steps=steps,
        player=None if isinstance(command, UndoSteps) else command.player,
        voided=() if steps == 0 else here.service.troubles.voided_games(tournament, steps),
        tick=TICK,
        ejects=isinstance(command, EjectPlayer),
    )


routes = tournament_routes(undo, leaving)
