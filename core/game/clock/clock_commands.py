"""Commands from the judge, or from the terminal itself, for the round's clock at one table."""

import msgspec

from saloon.core.terms import Seconds


class StartClock(msgspec.Struct, frozen=True):
    """Start the clock here."""


class PauseClock(msgspec.Struct, frozen=True):
    """Stop it. left_s: what is left now."""

    left_s: Seconds = Seconds(0)


class ResumeClock(msgspec.Struct, frozen=True):
    """Let it run again. paused_s: how long it stood while the hall's clock ran."""

    paused_s: Seconds = Seconds(0)


class ExtendClock(msgspec.Struct, frozen=True):
    """Give the table more time."""

    seconds: Seconds


class DoubtClock(msgspec.Struct, frozen=True):
    """The terminal asks the station what is left. left_s: what it goes on from; None for nothing."""

    left_s: Seconds | None = None


ClockCommand = StartClock | PauseClock | ResumeClock | ExtendClock | DoubtClock
