"""The tables of the hall that a tournament uses.

A draw numbers its tables from 1. The judge chooses which tables of the hall these are, so that
several tournaments can share one hall.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import TableNo
from core.tournament.state.decision import (
    Decision,
    HallFacts,
    TableInUse,
    require_sheets,
    require_unpublished,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.table_list import TableList, check_tables, list_from
from core.tournament.state.tournament import TournamentState


class MoveTables(Decision, frozen=True, tag="tables-moved"):
    """Move to other tables of the hall between rounds. tables: None for ``first`` and all that follow it."""

    first: TableNo = TableNo(1)
    by: str = ""
    tables: TableList | None = None

    @property
    def hall_tables(self) -> TableList:
        return self.tables or list_from(self.first)

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        running, tables = state.running_round, self.hall_tables
        if running is not None:
            require_sheets(running, edition)
        if state.open_duels:
            playing = ", ".join(str(drawn.table) for _, drawn in state.open_duels)
            raise Refused(TournamentReason.DUELS_RUN, tables=playing)
        if check_tables(tables) == state.hall_tables:
            raise Refused(TournamentReason.SAME_TABLES, tables=state.hall_tables.describe())
        if state.pending_round is not None:
            require_enough_tables(tables, len(state.pending_round.tables))
        return replace(self, first=tables.ranges[0].first, tables=None if tables.is_open else tables)

    def apply(self, state: TournamentState) -> TournamentState:
        pending, rounds = state.pending_round, state.rounds
        before, after = state.hall_tables, self.hall_tables
        if pending is not None:
            tables, drawn = _moved(pending.tables, before, after), _moved(pending.drawn_tables, before, after)
            rounds = (*state.published_rounds, replace(pending, tables=tables, drawn_tables=drawn))
        return replace(state, rounds=rounds, hall_tables=after)


def in_hall(drawn: Iterable[DrawnTable], tables: TableList) -> tuple[DrawnTable, ...]:
    return tuple(replace(one, table=tables.find_number(one.table)) for one in drawn)


def _moved(drawn: Iterable[DrawnTable], before: TableList, after: TableList) -> tuple[DrawnTable, ...]:
    return tuple(replace(one, table=after.find_number(before.find_place(one.table))) for one in drawn)


def require_enough_tables(tables: TableList, needed: int) -> None:
    """Raise Refused if a round needs more tables than there are."""
    if needed > tables.capacity:
        raise Refused(
            TournamentReason.TOO_FEW_TABLES, needed=needed, count=tables.capacity, tables=tables.describe()
        )


def require_free_tables(tables: Sequence[TableNo], in_use: Sequence[TableInUse]) -> None:
    """Raise Refused if another tournament uses one of the tables."""
    wanted = set(tables)
    taken: dict[str, list[TableNo]] = {}
    for used in in_use:
        if used.table in wanted:
            taken.setdefault(used.tournament, []).append(used.table)
    if taken:
        named = (f"{', '.join(map(str, sorted(numbers)))} ({name})" for name, numbers in taken.items())
        raise Refused(TournamentReason.TABLES_IN_USE, tables="; ".join(named))
