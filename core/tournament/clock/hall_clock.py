"""The clock of a round as the tournament's log knows it: commands, stopped tables, time given, changes."""

from typing import assert_never

import msgspec

from saloon.core.terms import RoundNo, Seconds, TableNo
from saloon.core.tournament.clock.clock_events import (
    ClockEvent,
    RoundClockExtended,
    RoundClockPaused,
    RoundClockResumed,
    RoundClockStarted,
)


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


class HallClock(msgspec.Struct, frozen=True):
    """The clock of one round.

    round: whose clock it is; None before the first. is_held: all tables stand. held: tables that stand
    by themselves. given: seconds, each for a table, or None for all. changes: of which table, or None for
    all, oldest first. let_run: pauses of a table's own judge that were ended from here, by their numbers.
    """

    round: RoundNo | None = None
    is_started: bool = False
    is_held: bool = False
    held: tuple[TableNo, ...] = ()
    given: tuple[tuple[TableNo | None, Seconds], ...] = ()
    changes: tuple[TableNo | None, ...] = ()
    let_run: tuple[tuple[TableNo, int], ...] = ()

    def changes_of(self, table: TableNo) -> int:
        """Return how often the clock of a table has changed."""
        return sum(changed in {None, table} for changed in self.changes)

    def time_given_to(self, table: TableNo) -> Seconds:
        """Return the total time that a table was given in addition to the limit."""
        return Seconds(sum(seconds for whom, seconds in self.given if whom in {None, table}))

    def ended_pause_of(self, table: TableNo) -> int:
        """Return the number of the pause at a table that was ended from here last; 0 for none."""
        return next((pause for whom, pause in reversed(self.let_run) if whom == table), 0)

    def stands(self, table: TableNo) -> bool:
        """Return whether the clock of a table is stopped, alone or with all."""
        return self.is_held or table in self.held


def clock_after(clock: HallClock, event: ClockEvent) -> HallClock:
    """Return the clock after one event more. Events of another round start it again."""
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
