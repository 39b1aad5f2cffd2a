"""Events of the round's clock at one table; the rest of a game needs no clock."""

import msgspec

from saloon.core.terms import Seconds


class _ClockEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class ClockStarted(_ClockEvent, frozen=True, tag="clock-started"):
    """The judge started the round's clock at this table because no station had started it."""


class ClockPaused(_ClockEvent, frozen=True, tag="clock-paused"):
    """The judge paused the clock of this table. left_s: the time left, negative if it was over."""

    left_s: Seconds


class ClockResumed(_ClockEvent, frozen=True, tag="clock-resumed"):
    """The judge resumed the clock. paused_s: length of the pause while the hall's clock ran."""

    paused_s: Seconds


class ClockExtended(_ClockEvent, frozen=True, tag="clock-extended"):
    """The judge gave this table more time."""

    seconds: Seconds


class ClockDoubted(_ClockEvent, frozen=True, tag="clock-doubted"):
    """The terminal distrusts its clock, after being off or away for too long, and asks the station.

    left_s: the time left that it continues from until the answer; None if it knows nothing.
    """

    left_s: Seconds | None = None


ClockEvent = ClockStarted | ClockPaused | ClockResumed | ClockExtended | ClockDoubted
