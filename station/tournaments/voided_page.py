"""Games voided by an undo: those that the judge confirmed, and the steps played of them."""

from collections.abc import Sequence

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template

from core.game.setup import TableSeated
from core.terms import GameId
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.state.decision import VoidedGame
from station.accounts.permissions import Permission
from station.projections.floor_cards import TimedGameStep
from station.text.reasons import Missing
from station.text.story_in_words import story_lines
from station.web.forms import Fields
from station.web.tournament_context import AtTournament, tournament_routes

TICK = "void-"
"""The prefix of the boxes with which the judge confirms voiding games; the game's id follows."""


@get("/", needs=Permission.HISTORY)
async def show_voided(here: AtTournament, game: FromPath[str]) -> Template:
    """Show the steps played of a game before it was voided."""
    voided = _last_of(here.service.history(here.state.tournament), GameId(game))
    if voided is None:
        raise NotFoundException(Missing.TABLE.value)
    logs = here.service.troubles.voided_stories(voided.game)
    stories = [story_lines(steps, _seat_names(steps), here.words) for steps in logs]
    return here.page("judge/voided.html", v=voided, stories=stories)


def ticked_games(fields: Fields) -> tuple[GameId, ...]:
    """Return the games whose boxes are ticked."""
    return tuple(GameId(name.removeprefix(TICK)) for name in fields.typed_values() if name.startswith(TICK))


def _last_of(history: Sequence[TournamentStep], game: GameId) -> VoidedGame | None:
    undone = [event for step in history for event in step.events if isinstance(event, UndoSteps)]
    games = (voided for event in reversed(undone) for voided in event.voided)
    return next((voided for voided in games if voided.game == game), None)


def _seat_names(story: Sequence[TimedGameStep]) -> tuple[str, ...]:
    first = story[0].step.events[0]
    return tuple(seat.name for seat in first.seats) if isinstance(first, TableSeated) else ()


routes = tournament_routes(show_voided, under="/voided/{game:str}")
