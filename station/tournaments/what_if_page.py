"""The consequences of a judge's step, shown for confirmation, and the games that an undo would void."""

from collections.abc import Sequence

import msgspec
from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template

from core.game.setup import TableSeated
from core.terms import GameId, PlayerId
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.state.decision import VoidedGame
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit import PREVIEW
from station.hall.hall_facts import voided_games, voided_stories
from station.projections.cards import TimedGameStep
from station.text.plan import plan_of
from station.text.reasons import Missing
from station.text.story_in_words import story_lines
from station.web.forms import Fields
from station.web.site import referring_page
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_TICK = "void-"
"""The prefix, before a game's id, of the boxes that confirm voiding it."""


@get("/voided/{game:str}", needs=Permission.HISTORY)
async def show_voided(here: AtTournament, game: FromPath[str]) -> Template:
    """Show the steps of a game that was voided."""
    voided = _last_of(here.service.history(here.state.tournament), GameId(game))
    if voided is None:
        raise NotFoundException(Missing.TABLE.value)
    logs = voided_stories(here.service.context, voided.game)
    stories = [story_lines(steps, _seat_names(steps), here.words) for steps in logs]
    return here.page("judge/voided.html", v=voided, stories=stories)


def ticked_games(fields: Fields) -> tuple[GameId, ...]:
    return tuple(GameId(name.removeprefix(_TICK)) for name in fields.typed_values() if name.startswith(_TICK))


def _last_of(history: Sequence[TournamentStep], game: GameId) -> VoidedGame | None:
    undone = [event for step in history for event in step.events if isinstance(event, UndoSteps)]
    games = (voided for event in reversed(undone) for voided in event.voided)
    return next((voided for voided in games if voided.game == game), None)


def _seat_names(story: Sequence[TimedGameStep]) -> tuple[str, ...]:
    first = story[0].step.events[0]
    return tuple(seat.name for seat in first.seats) if isinstance(first, TableSeated) else ()


@post("/undo/what-if", needs=Permission.STANDINGS, audit=PREVIEW, status_code=200)
async def undo(here: AtTournament) -> Template:
    """Show the consequences of undoing the last steps."""
    fields = await here.fields()
    here.require_last_step(fields.number("seen"))
    command = UndoSteps(fields.number("steps") or 0, fields.text("reason"), seen=fields.number("seen"))
    return await show_consequences(here, command, f"{here.url}/undo")


@post("/players/{player:str}/withdraw/what-if", needs=Permission.STANDINGS, audit=PREVIEW, status_code=200)
async def withdrawal(here: AtTournament, player: FromPath[str]) -> Template:
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

    action: the address that carries out the command.
    is_warning: the ejection follows from a second warning.
    """
    tournament = here.state.tournament
    steps = command.steps if isinstance(command, UndoSteps) else 0
    player = None if isinstance(command, UndoSteps) else command.player
    typed = {"seen": str(here.service.steps_written(tournament))} | (await here.fields()).typed_values()
    return here.page(
        "judge/what_if.html",
        found=here.service.consequences(tournament, command),
        action=action,
        back=referring_page(here.request, here.url),
        typed=typed | {"ejects": "yes"} if is_warning else typed,
        steps=steps,
        player=player,
        running=next((one for one in here.state.missing_sheets if player in one[1].players), None),
        voided=() if steps == 0 else voided_games(here.service.context, tournament, steps),
        tick=_TICK,
        ejects=isinstance(command, EjectPlayer),
        is_warning=is_warning,
        left=0 if player is None else _too_few_left(here, player),
    )


def _too_few_left(here: TournamentContext, leaver: PlayerId) -> int:
    """Return how many players would remain if they are too few to be seated, or 0."""
    state = here.state
    entrants = tuple(entrant for entrant in state.entrants if entrant.player != leaver)
    after = msgspec.structs.replace(state, entrants=entrants)
    is_over = state.stage in {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}
    if is_over or not plan_of(state, here.rules).sizes or plan_of(after, here.rules).sizes:
        return 0
    return len(after.contenders)


routes = tournament_routes(undo, withdrawal, show_voided)
