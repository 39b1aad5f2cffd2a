"""The events of the clock of a round, for all tables or for one."""

import msgspec

from saloon.core.terms import RoundNo, Seconds, TableNo


class _ClockEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event", omit_defaults=True):
    pass


class RoundClockStarted(_ClockEvent, frozen=True, tag="clock-started"):
    """The clock of the round runs, at all tables."""

    round: RoundNo
    by: str


class RoundClockPaused(_ClockEvent, frozen=True, tag="clock-paused"):
    """The clock was paused: at one table, or at all if none is named."""

    round: RoundNo
    by: str
    table: TableNo | None = None
    reason: str = ""


class RoundClockResumed(_ClockEvent, frozen=True, tag="clock-resumed"):
    """The clock was resumed. A table that was paused alone stays paused until it is resumed alone.

    pause: the number of the pause made at the table that this ends; 0 for none.
    """

    round: RoundNo
    by: str
    table: TableNo | None = None
    reason: str = ""
    pause: int = 0


class RoundClockExtended(_ClockEvent, frozen=True, tag="clock-extended"):
    """More time was given to one table, or to all where none is named."""

    round: RoundNo
    seconds: Seconds
    by: str
    table: TableNo | None = None
    reason: str = ""


ClockEvent = RoundClockStarted | RoundClockPaused | RoundClockResumed | RoundClockExtended
