"""Commands from the judge, or from the terminal itself, for the round's clock at one table."""

import msgspec

from saloon.core.terms import Seconds


class StartClock(msgspec.Struct, frozen=True):
    """Start the clock here."""


class PauseClock(msgspec.Struct, frozen=True):
    """Pause the clock. left_s: the time left now."""

    left_s: Seconds = Seconds(0)


class ResumeClock(msgspec.Struct, frozen=True):
    """Resume the clock. paused_s: length of the pause while the hall's clock ran."""

    paused_s: Seconds = Seconds(0)


class ExtendClock(msgspec.Struct, frozen=True):
    """Give the table more time."""

    seconds: Seconds


class DoubtClock(msgspec.Struct, frozen=True):
    """Ask the station for the time left.

    left_s: the time left that the terminal continues from until the answer; None for nothing.
    """

    left_s: Seconds | None = None


ClockCommand = StartClock | PauseClock | ResumeClock | ExtendClock | DoubtClock
