"""The end of a game by time limit, decided by the judge."""

from typing import assert_never

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import TimeLimit
from core.game.commands import EndByTimeLimit
from core.game.ending.endings import ending_met
from core.game.events import GameEnded, GameEvent, HighNoonCalled
from core.game.rebel.rebel import after_sheriffs_fall
from core.game.rebel.revolution import seats_out
from core.game.state.causes import Because
from core.game.state.decisions import Draft
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts, roles_left
from core.game.state.seats import require_phase
from core.terms import Ending, Role


def end_by_time_limit(state: GameState, command: EndByTimeLimit, edition: Edition) -> tuple[GameEvent, ...]:
    """Return the events that end a game at the time limit: no winner, High Noon, or a ruling by the judge.

    Open questions stay unanswered; an ending already met by eliminations takes precedence.
    Raises Refused for a ruling without a reason, or an impossible one.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers"; the result: reading D09.
    """
    require_phase(state, Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING)
    decided = _ending_already_met(state, edition)
    if decided is not None:
        return (decided,)
    how = edition.readings.time_limit if command.how is None else command.how
    match how:
        case TimeLimit.NO_WINNER:
            return (GameEnded(Ending.NO_WINNER, Because.TIME_LIMIT, command.reason),)
        case TimeLimit.HIGH_NOON:
            require_phase(state, Phase.PLAYING)
            if state.high_noon in {HighNoon.CALLED, HighNoon.ON}:
                raise Refused(GameReason.HIGH_NOON_ALREADY)
            return (HighNoonCalled(command.reason),)
        case TimeLimit.JUDGE:
            return (_rule_ending(state, command, edition),)
        case _:
            assert_never(how)


def _ending_already_met(state: GameState, edition: Edition) -> GameEnded | None:
    """Return the ending already met by eliminations while another question is open.

    None if no ending condition is met, or if the player who eliminated the Sheriff may be the Rebel!.
    """
    if state.phase is not Phase.PLAYING or after_sheriffs_fall(Draft(state), edition) is not None:
        return None
    met = ending_met(state, edition)
    return None if met is None else GameEnded(met.ending, met.because)


def check_ruling(ending: Ending, renegades_left: int) -> None:
    """Raise Refused for an impossible ruling: the Renegade can only win alone."""
    if ending is Ending.RENEGADE_WINS and renegades_left != 1:
        raise Refused(GameReason.RULED_RENEGADE, count=renegades_left)


def _rule_ending(state: GameState, command: EndByTimeLimit, edition: Edition) -> GameEnded:
    if command.ending is None:
        raise Refused(GameReason.RULING_ENDING)
    if not command.reason.strip():
        raise Refused(GameReason.RULING_WITHOUT_REASON)
    counts = role_counts(len(state.seats), edition)
    left = roles_left(counts, seats_out(state.eliminations, state.revolutions, state.comebacks).values())
    check_ruling(command.ending, left[Role.RENEGADE])
    nobody = command.ending is Ending.NO_WINNER
    return GameEnded(command.ending, Because.TIME_LIMIT if nobody else Because.JUDGE, command.reason)
