"""The clock of a round, as the tournament's log has it."""

import msgspec

from core.terms import RoundNo, Seconds, TableNo


class HallClock(msgspec.Struct, frozen=True):
    """The clock of one round.

    round: its number, or None before the first.
    is_held: all tables are paused.
    held: tables paused individually.
    extensions: in seconds, each for a table, or None for all.
    changes: the table of each change, or None for all, oldest first.
    let_run: numbers of pauses by a table's own judge that the station ended.
    """

    round: RoundNo | None = None
    is_started: bool = False
    is_held: bool = False
    held: tuple[TableNo, ...] = ()
    extensions: tuple[tuple[TableNo | None, Seconds], ...] = ()
    changes: tuple[TableNo | None, ...] = ()
    let_run: tuple[tuple[TableNo, int], ...] = ()

    def changes_of(self, table: TableNo) -> int:
        """Return the number of changes to a table's clock."""
        return sum(changed in {None, table} for changed in self.changes)

    def time_given_to(self, table: TableNo) -> Seconds:
        """Return the total time added to a table's limit."""
        return Seconds(sum(seconds for whom, seconds in self.extensions if whom in {None, table}))

    def ended_pause_of(self, table: TableNo) -> int:
        """Return the number of the last pause at a table that the station ended, or 0 if there was none."""
        return next((pause for whom, pause in reversed(self.let_run) if whom == table), 0)

    def stands(self, table: TableNo) -> bool:
        """Return whether the clock of a table is paused, individually or with all."""
        return self.is_held or table in self.held
