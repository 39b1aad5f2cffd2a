"""The tables of the hall that a tournament uses.

A draw numbers its tables from 1. The judge chooses which tables of the hall these are, so that
several tournaments can share one hall.
"""

from collections.abc import Iterable, Sequence

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import TableNo
from core.tournament.commands import MoveTables
from core.tournament.events import TablesMoved
from core.tournament.state import TournamentState
from core.tournament.state.guards import no_sheet_missing, still_secret
from core.tournament.state.hall_facts import TableInUse
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.seating import DrawnTable
from core.tournament.state.table_list import TableList, check_tables


def move(state: TournamentState, command: MoveTables, edition: Edition, by: str) -> TablesMoved:
    """Move a tournament to other tables from the next publication on. Refused during a round."""
    still_secret(state)
    running = state.running_round
    if running is not None:
        no_sheet_missing(running, edition)
    if state.open_duels:
        tables = ", ".join(str(drawn.table) for _, drawn in state.open_duels)
        raise Refused(TournamentReason.DUELS_RUN, tables=tables)
    if check_tables(command.tables) == state.hall_tables:
        raise Refused(TournamentReason.SAME_TABLES, tables=state.hall_tables.describe())
    if state.pending_round is not None:
        tables_suffice(command.tables, len(state.pending_round.tables))
    return TablesMoved(
        first=command.tables.ranges[0].first,
        by=by,
        tables=None if command.tables.is_open else command.tables,
    )


def in_hall(drawn: Iterable[DrawnTable], tables: TableList) -> tuple[DrawnTable, ...]:
    """Return the tables of a draw, numbered from 1, with their numbers in the hall."""
    return tuple(msgspec.structs.replace(one, table=tables.find_number(one.table)) for one in drawn)


def moved(drawn: Iterable[DrawnTable], before: TableList, after: TableList) -> tuple[DrawnTable, ...]:
    """Return tables renumbered from one list of hall tables to another, by position."""
    return tuple(
        msgspec.structs.replace(one, table=after.find_number(before.find_place(one.table))) for one in drawn
    )


def tables_suffice(tables: TableList, needed: int) -> None:
    """Raise Refused if a round needs more tables than there are."""
    if needed > tables.capacity:
        raise Refused(
            TournamentReason.TOO_FEW_TABLES, needed=needed, count=tables.capacity, tables=tables.describe()
        )


def tables_are_free(tables: Sequence[TableNo], in_use: Sequence[TableInUse]) -> None:
    """Raise Refused if another tournament uses one of the tables."""
    wanted = set(tables)
    taken: dict[str, list[TableNo]] = {}
    for used in in_use:
        if used.table in wanted:
            taken.setdefault(used.tournament, []).append(used.table)
    if taken:
        named = (f"{', '.join(map(str, sorted(numbers)))} ({name})" for name, numbers in taken.items())
        raise Refused(TournamentReason.TABLES_IN_USE, tables="; ".join(named))
