"""The clock of a round in the tournament's log: commands, pauses and extensions."""

from typing import assert_never

import msgspec

from core.terms import RoundNo, Seconds, TableNo
from core.tournament.state.clock_events import (
    ClockEvent,
    RoundClockExtended,
    RoundClockPaused,
    RoundClockResumed,
    RoundClockStarted,
)


class StartRoundClock(msgspec.Struct, frozen=True):
    """Start the clock of the round."""


class PauseRoundClock(msgspec.Struct, frozen=True):
    """Pause the clock."""

    table: TableNo | None = None
    reason: str = ""


class ResumeRoundClock(msgspec.Struct, frozen=True):
    """Resume the clock. pause: number of a pause by the table's own judge to end as well; 0 if none."""

    table: TableNo | None = None
    reason: str = ""
    pause: int = 0


class ExtendRoundClock(msgspec.Struct, frozen=True):
    """Add time."""

    seconds: Seconds
    table: TableNo | None = None
    reason: str = ""


ClockCommand = StartRoundClock | PauseRoundClock | ResumeRoundClock | ExtendRoundClock


class HallClock(msgspec.Struct, frozen=True):
    """The clock of one round.

    round: its number; None before the first. is_held: all tables are paused. held: tables paused
    individually. given: extensions in seconds, each for a table, or None for all. changes: the table of each
    change, or None for all, oldest first. let_run: numbers of pauses by a table's own judge that the
    station ended.
    """

    round: RoundNo | None = None
    is_started: bool = False
    is_held: bool = False
    held: tuple[TableNo, ...] = ()
    given: tuple[tuple[TableNo | None, Seconds], ...] = ()
    changes: tuple[TableNo | None, ...] = ()
    let_run: tuple[tuple[TableNo, int], ...] = ()

    def changes_of(self, table: TableNo) -> int:
        """Return the number of changes to a table's clock."""
        return sum(changed in {None, table} for changed in self.changes)

    def time_given_to(self, table: TableNo) -> Seconds:
        """Return the total time added to a table's limit."""
        return Seconds(sum(seconds for whom, seconds in self.given if whom in {None, table}))

    def ended_pause_of(self, table: TableNo) -> int:
        """Return the number of the last pause at a table that the station ended; 0 if there was none."""
        return next((pause for whom, pause in reversed(self.let_run) if whom == table), 0)

    def stands(self, table: TableNo) -> bool:
        """Return whether the clock of a table is paused, individually or with all."""
        return self.is_held or table in self.held


def clock_after(clock: HallClock, event: ClockEvent) -> HallClock:
    """Return the clock after an event. An event of another round starts a new clock."""
    if clock.round != event.round:
        clock = HallClock(event.round)
    table = None if isinstance(event, RoundClockStarted) else event.table
    changed = msgspec.structs.replace(clock, changes=(*clock.changes, table))
    match event:
        case RoundClockStarted():
            return msgspec.structs.replace(changed, is_started=True)
        case RoundClockPaused() | RoundClockResumed():
            is_held = isinstance(event, RoundClockPaused)
            if table is None:
                return msgspec.structs.replace(changed, is_held=is_held)
            held = tuple(number for number in clock.held if number != table)
            if isinstance(event, RoundClockResumed) and event.pause:
                changed = msgspec.structs.replace(changed, let_run=(*clock.let_run, (table, event.pause)))
            return msgspec.structs.replace(changed, held=(*held, table) if is_held else held)
        case RoundClockExtended(seconds=seconds):
            return msgspec.structs.replace(changed, given=(*clock.given, (table, seconds)))
        case _:
            assert_never(event)
