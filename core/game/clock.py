"""The changes to the round's clock that a table's log records, and the end by time limit.

The log records extensions, pauses and the terminal's questions. The time left is computed elsewhere, as the
core has no clock (decision 0005).
"""

from abc import abstractmethod
from typing import ClassVar, Final, assert_never

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import TimeLimit
from core.game.ending.endings import GameEnded, check_ruling, ending_met
from core.game.ending.rebel import seats_out
from core.game.play.effects import after_sheriffs_fall
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import Because, GameState, HighNoon, Phase, RecordedClock
from core.game.state.reasons import GameReason
from core.game.state.seats import STILL_OPEN, require_phase, role_counts, roles_left
from core.terms import Ending, Role, Seconds

LONGEST_EXTENSION_S: Final = Seconds(60 * 60)


class ClockDecision(Decision, frozen=True):
    """A change to the clock at this table. It can't be undone."""

    keeps_agreement: ClassVar = True

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Return the change. Raises Refused if it has no effect, or an extension is out of range."""
        require_phase(state, *STILL_OPEN)
        return (self.accepted(state.clock),)

    def apply(self, state: GameState) -> GameState:
        return replace(state, clock=self.after(state.clock))

    def accepted(self, _clock: RecordedClock, /) -> "ClockDecision":
        return self

    @abstractmethod
    def after(self, clock: RecordedClock, /) -> RecordedClock:
        """Return the clock after the change."""


class StartClock(ClockDecision, frozen=True, tag="clock-started"):
    """Start the round's clock at this table because no station has started it."""

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if clock.started:
            raise Refused(GameReason.CLOCK_STARTED)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return replace(clock, started=True)


class PauseClock(ClockDecision, frozen=True, tag="clock-paused"):
    """Pause this table's clock. ``left_s`` is the time left now, which is negative after the end."""

    left_s: Seconds

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if clock.is_paused:
            raise Refused(GameReason.CLOCK_PAUSED)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return replace(clock, paused_at_s=self.left_s, pauses=clock.pauses + 1)


class ResumeClock(ClockDecision, frozen=True, tag="clock-resumed"):
    """Resume the clock. ``paused_s`` is the length of the pause while the hall's clock ran."""

    paused_s: Seconds

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if not clock.is_paused:
            raise Refused(GameReason.CLOCK_NOT_PAUSED)
        return replace(self, paused_s=Seconds(max(0, self.paused_s)))

    def after(self, clock: RecordedClock) -> RecordedClock:
        return replace(clock, paused_at_s=None, paused_s=Seconds(clock.paused_s + self.paused_s))


class ExtendClock(ClockDecision, frozen=True, tag="clock-extended"):
    """Give this table more time."""

    seconds: Seconds

    def accepted(self, _clock: RecordedClock) -> ClockDecision:
        if not 0 < self.seconds <= LONGEST_EXTENSION_S:
            raise Refused(GameReason.CLOCK_EXTENSION, minutes=LONGEST_EXTENSION_S // 60)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return replace(clock, extensions=(*clock.extensions, self.seconds))


class RequestTimeLeft(ClockDecision, frozen=True, tag="clock-doubted"):
    """Ask the station for the time left, after being off or disconnected for too long.

    left_s: the time left that the terminal assumes until the station answers, or None if unknown.
    """

    left_s: Seconds | None = None

    def after(self, clock: RecordedClock) -> RecordedClock:
        return replace(clock, doubts=clock.doubts + 1)


ClockEvent = StartClock | PauseClock | ResumeClock | ExtendClock | RequestTimeLeft


class HighNoonCalled(Event, frozen=True, tag="high-noon-called"):
    """The judge called High Noon at the time limit; it begins with the next turn."""

    reason: str = ""

    def apply(self, state: GameState) -> GameState:
        return replace(state, high_noon=HighNoon.CALLED, ruled=self.reason)


class EndByTimeLimit(Command, frozen=True):
    """End the game because time is up, on the judge's order.

    If eliminations have already ended it while a question was open, that ending counts.

    how: None for the edition's reading (D09).
    ending, reason: the judge's ruling, if the judge decides the ending.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers"; the result: reading D09.
    """

    refused_in_duel: ClassVar = GameReason.NO_TIME_LIMIT
    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
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
    if state.phase is not Phase.PLAYING or after_sheriffs_fall(Draft(state), edition) is not None:
        return None
    met = ending_met(state, edition)
    return None if met is None else GameEnded(met.ending, met.because)
