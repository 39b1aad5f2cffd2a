"""The tables of the hall at which a tournament plays.

A draw counts a tournament's tables from 1. The judge chooses which table of the hall is its first, so that
several tournaments can play in one hall.
"""

from collections.abc import Iterable, Sequence

import msgspec

from saloon.base.errors import Refused
from saloon.core.terms import TableNo
from saloon.core.tournament.commands import MoveTables
from saloon.core.tournament.events import DrawnTable, TableInUse, TablesMoved
from saloon.core.tournament.guards import still_secret
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.state import TournamentState

LAST_FIRST_TABLE = 900
"""The highest table that a tournament may begin with; tables have up to three digits."""


def check_first_table(first: TableNo) -> TableNo:
    """Return a possible first table. Raises Refused for any other number."""
    if not 1 <= first <= LAST_FIRST_TABLE:
        raise Refused(TournamentReason.FIRST_TABLE_OUT_OF_RANGE, first=first, last=LAST_FIRST_TABLE)
    return first


def move(state: TournamentState, command: MoveTables, by: str) -> TablesMoved:
    """Let a tournament play at other tables from the next publication on. Refused while it plays."""
    still_secret(state)
    running = state.running_round
    if running is not None:
        tables = ", ".join(str(table.table) for table in running.missing)
        raise Refused(TournamentReason.ROUND_RUNS, round=running.round, tables=tables)
    open_duels = () if state.finals is None else state.finals.open_duels
    if open_duels:
        raise Refused(
            TournamentReason.DUELS_RUN, tables=", ".join(str(drawn.table) for _, drawn in open_duels)
        )
    if check_first_table(command.first) == state.first_table:
        raise Refused(TournamentReason.SAME_FIRST_TABLE, first=command.first)
    return TablesMoved(first=command.first, by=by)


def in_hall(tables: Iterable[DrawnTable], first: TableNo) -> tuple[DrawnTable, ...]:
    """Give a draw's tables, which count from 1, the numbers of the tables in the hall."""
    return tuple(msgspec.structs.replace(one, table=TableNo(one.table + first - 1)) for one in tables)


def tables_are_free(tables: Sequence[TableNo], in_use: Sequence[TableInUse]) -> None:
    """Refuse tables at which another tournament plays."""
    wanted = set(tables)
    taken: dict[str, list[TableNo]] = {}
    for used in in_use:
        if used.table in wanted:
            taken.setdefault(used.tournament, []).append(used.table)
    if taken:
        named = (f"{', '.join(map(str, sorted(numbers)))} ({name})" for name, numbers in taken.items())
        raise Refused(TournamentReason.TABLES_IN_USE, tables="; ".join(named))
