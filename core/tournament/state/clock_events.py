"""Events of a round's clock, for all tables or for one."""

import msgspec

from core.terms import RoundNo, Seconds, TableNo


class _ClockEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event", omit_defaults=True):
    pass


class RoundClockStarted(_ClockEvent, frozen=True, tag="clock-started"):
    """The round's clock was started, for all tables."""

    round: RoundNo
    by: str


class RoundClockPaused(_ClockEvent, frozen=True, tag="clock-paused"):
    """The clock was paused, at one table or at all (None)."""

    round: RoundNo
    by: str
    table: TableNo | None = None
    reason: str = ""


class RoundClockResumed(_ClockEvent, frozen=True, tag="clock-resumed"):
    """The clock was resumed. A table paused individually stays paused until it is resumed individually.

    pause: number of the pause by the table's own judge that this ends; 0 if it ends none.
    """

    round: RoundNo
    by: str
    table: TableNo | None = None
    reason: str = ""
    pause: int = 0


class RoundClockExtended(_ClockEvent, frozen=True, tag="clock-extended"):
    """Time was added for one table, or for all (None)."""

    round: RoundNo
    seconds: Seconds
    by: str
    table: TableNo | None = None
    reason: str = ""


ClockEvent = RoundClockStarted | RoundClockPaused | RoundClockResumed | RoundClockExtended
