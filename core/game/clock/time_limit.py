"""The end of a game by time limit, decided by the judge."""

from typing import ClassVar, assert_never

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import TimeLimit
from core.game.ending.endings import GameEnded, check_ruling, ending_met
from core.game.play.effects import after_sheriffs_fall
from core.game.rebel.revolution import seats_out
from core.game.state.causes import Because
from core.game.state.decisions import Command, Draft, Event
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts, roles_left
from core.game.state.seats import require_phase
from core.terms import Ending, Role


class HighNoonCalled(Event, frozen=True, tag="high-noon-called"):
    """The judge called High Noon at the time limit; it begins with the next turn.

    ``reason`` is for the record.
    """

    reason: str = ""

    def apply(self, state: GameState) -> GameState:
        return msgspec.structs.replace(state, high_noon=HighNoon.CALLED, ruled=self.reason)


class EndByTimeLimit(Command, frozen=True):
    """End the game on the judge's order because time is over.

    how: None for the edition's reading (D09).
    ending: the judge's ruling, if any.
    reason: the judge's words for the record sheet.
    """

    refused_in_duel: ClassVar = GameReason.NO_TIME_LIMIT
    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Return the events that end a game at the time limit: no winner, High Noon, or the judge's ruling.

        Open questions stay unanswered; an ending already met by eliminations takes precedence.
        Raises Refused for a ruling without a reason, or an impossible one.
        Source: Championship 2022/23 v1.4, 1.3 "Waivers"; the result: reading D09.
        """
        require_phase(state, Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING)
        decided = _ending_already_met(state, edition)
        if decided is not None:
            return (decided,)
        how = edition.readings.time_limit if self.how is None else self.how
        match how:
            case TimeLimit.NO_WINNER:
                return (GameEnded(Ending.NO_WINNER, Because.TIME_LIMIT, self.reason),)
            case TimeLimit.HIGH_NOON:
                require_phase(state, Phase.PLAYING)
                if state.high_noon in {HighNoon.CALLED, HighNoon.ON}:
                    raise Refused(GameReason.HIGH_NOON_ALREADY)
                return (HighNoonCalled(self.reason),)
            case TimeLimit.JUDGE:
                return (self._rule(state, edition),)
            case _:
                assert_never(how)

    def _rule(self, state: GameState, edition: Edition) -> GameEnded:
        if self.ending is None:
            raise Refused(GameReason.RULING_ENDING)
        if not self.reason.strip():
            raise Refused(GameReason.RULING_WITHOUT_REASON)
        counts = role_counts(len(state.seats), edition)
        left = roles_left(counts, seats_out(state.eliminations, state.revolutions, state.comebacks).values())
        check_ruling(self.ending, left[Role.RENEGADE])
        nobody = self.ending is Ending.NO_WINNER
        return GameEnded(self.ending, Because.TIME_LIMIT if nobody else Because.JUDGE, self.reason)


def _ending_already_met(state: GameState, edition: Edition) -> GameEnded | None:
    """Return the ending already met by eliminations while another question is open.

    None if no ending condition is met, or if the player who eliminated the Sheriff may be the Rebel!.
    """
    if state.phase is not Phase.PLAYING or after_sheriffs_fall(Draft(state), edition) is not None:
        return None
    met = ending_met(state, edition)
    return None if met is None else GameEnded(met.ending, met.because)
