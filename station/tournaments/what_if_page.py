"""The consequences of a judge's step, shown for confirmation; nothing is stored here."""

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response import Template

from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit.actions import PREVIEW
from station.text.plan import plan_of
from station.tournaments.voided_page import TICK
from station.web.site import referring_page
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


@post("/undo/what-if", needs=Permission.STANDINGS, audit=PREVIEW, status_code=200)
async def undo(here: AtTournament) -> Template:
    """Show what would change if the last steps were undone."""
    fields = await here.fields()
    command = UndoSteps(fields.number("steps") or 0, fields.text("reason"), seen=fields.number("seen"))
    return await show_consequences(here, command, f"{here.url}/undo")


@post("/players/{player:str}/withdraw/what-if", needs=Permission.STANDINGS, audit=PREVIEW, status_code=200)
async def withdrawal(here: AtTournament, player: FromPath[str]) -> Template:
    """Show what would change if a player withdrew."""
    command = WithdrawPlayer(PlayerId(player), (await here.fields()).text("reason"))
    return await show_consequences(here, command, f"{here.url}/players/{player}/withdraw")


async def show_consequences(
    here: TournamentContext,
    command: UndoSteps | EjectPlayer | WithdrawPlayer,
    action: str,
    *,
    is_warning: bool = False,
) -> Template:
    """Show a command's consequences, with a form to confirm it.

    action: the address that carries it out.
    is_warning: the ejection follows from a second warning.
    """
    tournament = here.state.tournament
    steps = command.steps if isinstance(command, UndoSteps) else 0
    typed = {"seen": str(here.service.steps_written(tournament))} | (await here.fields()).typed_values()
    return here.page(
        "judge/what_if.html",
        found=here.service.consequences(tournament, command),
        action=action,
        back=referring_page(here.request, here.url),
        typed=typed | {"ejects": "yes"} if is_warning else typed,
        steps=steps,
        player=None if isinstance(command, UndoSteps) else command.player,
        voided=() if steps == 0 else here.service.troubles.voided_games(tournament, steps),
        tick=TICK,
        ejects=isinstance(command, EjectPlayer),
        is_warning=is_warning,
        left=0 if isinstance(command, UndoSteps) else _too_few_left(here, command.player),
    )


def _too_few_left(here: TournamentContext, leaver: PlayerId) -> int:
    """Return how many players would remain, if too few to be seated; 0 otherwise."""
    state = here.state
    entrants = tuple(entrant for entrant in state.entrants if entrant.player != leaver)
    after = msgspec.structs.replace(state, entrants=entrants)
    is_over = state.stage in {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}
    if is_over or not plan_of(state, here.rules).sizes or plan_of(after, here.rules).sizes:
        return 0
    return len(after.contenders)


routes = tournament_routes(undo, withdrawal)
