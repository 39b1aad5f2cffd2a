"""The judge's commands for the clock of a round. table: one of them, None for all."""

import msgspec

from saloon.core.terms import Seconds, TableNo


class StartRoundClock(msgspec.Struct, frozen=True):
    """Let the clock of the round run."""


class PauseRoundClock(msgspec.Struct, frozen=True):
    """Stop it."""

    table: TableNo | None = None
    reason: str = ""


class ResumeRoundClock(msgspec.Struct, frozen=True):
    """Let it run again. pause: of the table's own judge, by its number, that ends as well; 0 for none."""

    table: TableNo | None = None
    reason: str = ""
    pause: int = 0


class ExtendRoundClock(msgspec.Struct, frozen=True):
    """Give more time."""

    seconds: Seconds
    table: TableNo | None = None
    reason: str = ""


ClockCommand = StartRoundClock | PauseRoundClock | ResumeRoundClock | ExtendRoundClock
