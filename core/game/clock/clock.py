"""The round's clock at one table, as recorded in that table's log.

The log holds extensions, pauses and the terminal's requests, but not the time left; a
caller with a clock computes that (decision 0005).
"""

from typing import Final, assert_never

import msgspec

from base.errors import Refused
from core.game.state.game import RecordedClock
from core.game.state.reasons import GameReason
from core.terms import Seconds


class StartClock(msgspec.Struct, frozen=True):
    """Start the clock at this table."""


class PauseClock(msgspec.Struct, frozen=True):
    """Pause the clock. left_s: the time left at this moment."""

    left_s: Seconds = Seconds(0)


class ResumeClock(msgspec.Struct, frozen=True):
    """Resume the clock. paused_s: length of the pause while the hall's clock ran."""

    paused_s: Seconds = Seconds(0)


class ExtendClock(msgspec.Struct, frozen=True):
    """Give the table more time."""

    seconds: Seconds


class RequestTimeLeft(msgspec.Struct, frozen=True):
    """Ask the station for the time left.

    left_s: the value that the terminal continues from until the answer; None if unknown.
    """

    left_s: Seconds | None = None


ClockCommand = StartClock | PauseClock | ResumeClock | ExtendClock | RequestTimeLeft


class _ClockEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class ClockStarted(_ClockEvent, frozen=True, tag="clock-started"):
    """The judge started the round's clock at this table because no station had started it."""


class ClockPaused(_ClockEvent, frozen=True, tag="clock-paused"):
    """The judge paused this table's clock. left_s: the time left, negative after the end."""

    left_s: Seconds


class ClockResumed(_ClockEvent, frozen=True, tag="clock-resumed"):
    """The judge resumed the clock. paused_s: length of the pause while the hall's clock ran."""

    paused_s: Seconds


class ClockExtended(_ClockEvent, frozen=True, tag="clock-extended"):
    """The judge gave this table more time."""

    seconds: Seconds


class TimeLeftRequested(_ClockEvent, frozen=True, tag="clock-doubted"):
    """The terminal asked the station for the time left, after being off or disconnected for too long.

    left_s: the value that it continues from until the answer; None if unknown.
    """

    left_s: Seconds | None = None


ClockEvent = ClockStarted | ClockPaused | ClockResumed | ClockExtended | TimeLeftRequested


LONGEST_EXTENSION_S: Final = Seconds(60 * 60)


def decide_at_clock(told: RecordedClock, command: ClockCommand) -> ClockEvent:
    """Return the event that a command causes.

    Raises Refused if the clock is already in the requested state, or if an extension is out of range.
    """
    match command:
        case StartClock():
            if told.started:
                raise Refused(GameReason.CLOCK_STARTED)
            return ClockStarted()
        case PauseClock(left_s=left_s):
            if told.is_paused:
                raise Refused(GameReason.CLOCK_PAUSED)
            return ClockPaused(left_s)
        case ResumeClock(paused_s=paused_s):
            if not told.is_paused:
                raise Refused(GameReason.CLOCK_NOT_PAUSED)
            return ClockResumed(Seconds(max(0, paused_s)))
        case ExtendClock(seconds=seconds):
            if not 0 < seconds <= LONGEST_EXTENSION_S:
                raise Refused(GameReason.CLOCK_EXTENSION, minutes=LONGEST_EXTENSION_S // 60)
            return ClockExtended(seconds)
        case RequestTimeLeft(left_s=left_s):
            return TimeLeftRequested(left_s)
        case _:
            assert_never(command)


def clock_after(told: RecordedClock, event: ClockEvent) -> RecordedClock:
    """Return the clock after an event."""
    match event:
        case ClockStarted():
            return msgspec.structs.replace(told, started=True)
        case ClockPaused(left_s=left_s):
            return msgspec.structs.replace(told, paused_at_s=left_s, pauses=told.pauses + 1)
        case ClockResumed(paused_s=paused_s):
            whole = Seconds(told.paused_s + paused_s)
            return msgspec.structs.replace(told, paused_at_s=None, paused_s=whole)
        case ClockExtended(seconds=seconds):
            return msgspec.structs.replace(told, extensions=(*told.extensions, seconds))
        case TimeLeftRequested():
            return msgspec.structs.replace(told, doubts=told.doubts + 1)
        case _:
            assert_never(event)
