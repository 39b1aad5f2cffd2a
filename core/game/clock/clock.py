"""The round's clock at one table, as recorded in that table's log.

The log holds extensions, pauses and the terminal's requests, but not the time left; a
caller with a clock computes that (decision 0005).
"""

from abc import abstractmethod
from typing import ClassVar, Final

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.state.decisions import Decision, Event
from core.game.state.game import GameState, RecordedClock
from core.game.state.reasons import GameReason
from core.game.state.seats import STILL_OPEN, require_phase
from core.terms import Seconds

LONGEST_EXTENSION_S: Final = Seconds(60 * 60)

_replace = msgspec.structs.replace


class ClockDecision(Decision, frozen=True):
    """A change to the clock at this table. It can't be undone."""

    keeps_agreement: ClassVar = True

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Return the change. Raises Refused if the clock is already so, or an extension is out of range."""
        require_phase(state, *STILL_OPEN)
        return (self.accepted(state.clock),)

    def apply(self, state: GameState) -> GameState:
        return _replace(state, clock=self.after(state.clock))

    def accepted(self, _clock: RecordedClock, /) -> "ClockDecision":
        """Return the change as it is recorded. Raises Refused if the clock can't be changed so."""
        return self

    @abstractmethod
    def after(self, clock: RecordedClock, /) -> RecordedClock:
        """Return the clock after it."""


class StartClock(ClockDecision, frozen=True, tag="clock-started"):
    """Start the round's clock at this table because no station has started it."""

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if clock.started:
            raise Refused(GameReason.CLOCK_STARTED)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return _replace(clock, started=True)


class PauseClock(ClockDecision, frozen=True, tag="clock-paused"):
    """Pause this table's clock. left_s: the time left at this moment, negative after the end."""

    left_s: Seconds

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if clock.is_paused:
            raise Refused(GameReason.CLOCK_PAUSED)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return _replace(clock, paused_at_s=self.left_s, pauses=clock.pauses + 1)


class ResumeClock(ClockDecision, frozen=True, tag="clock-resumed"):
    """Resume the clock. ``paused_s`` is the length of the pause while the hall's clock ran."""

    paused_s: Seconds

    def accepted(self, clock: RecordedClock) -> ClockDecision:
        if not clock.is_paused:
            raise Refused(GameReason.CLOCK_NOT_PAUSED)
        return _replace(self, paused_s=Seconds(max(0, self.paused_s)))

    def after(self, clock: RecordedClock) -> RecordedClock:
        return _replace(clock, paused_at_s=None, paused_s=Seconds(clock.paused_s + self.paused_s))


class ExtendClock(ClockDecision, frozen=True, tag="clock-extended"):
    """Give this table more time."""

    seconds: Seconds

    def accepted(self, _clock: RecordedClock) -> ClockDecision:
        if not 0 < self.seconds <= LONGEST_EXTENSION_S:
            raise Refused(GameReason.CLOCK_EXTENSION, minutes=LONGEST_EXTENSION_S // 60)
        return self

    def after(self, clock: RecordedClock) -> RecordedClock:
        return _replace(clock, extensions=(*clock.extensions, self.seconds))


class RequestTimeLeft(ClockDecision, frozen=True, tag="clock-doubted"):
    """Ask the station for the time left, after being off or disconnected for too long.

    left_s: the value that the terminal continues from until the answer; None if unknown.
    """

    left_s: Seconds | None = None

    def after(self, clock: RecordedClock) -> RecordedClock:
        return _replace(clock, doubts=clock.doubts + 1)


ClockEvent = StartClock | PauseClock | ResumeClock | ExtendClock | RequestTimeLeft
