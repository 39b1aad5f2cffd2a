"""The sizes of tables, the number of rounds, and the roles, by number of players."""

import enum
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from core.editions.part import EditionFault, Part
from core.terms import Role

FEWEST_AT_A_TABLE: Final = 4
"""The smallest table. Source: base game."""
MOST_AT_A_TABLE: Final = 10
"""The largest table, which is also the most seats that a terminal shows. Source: The Rebel!"""


class RolesRow(Part, frozen=True, kw_only=True):
    """The number of players of each role for a table size."""

    players: int
    sheriff: int
    deputy: int
    outlaw: int
    renegade: int
    rebel: int = 0

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault if the sum differs from the players, or there isn't exactly one Sheriff."""
        counts = (self.sheriff, self.deputy, self.outlaw, self.renegade, self.rebel)
        if min(counts) < 0 or sum(counts) != self.players:
            yield EditionFault((), f"the row of {self.players} players has {sum(counts)} roles")
        if self.sheriff != 1:
            yield EditionFault(("sheriff",), f"is {self.sheriff}; there must be one Sheriff")

    def count(self, role: Role) -> int:
        """Return the number of players of this role."""
        match role:
            case Role.SHERIFF:
                return self.sheriff
            case Role.DEPUTY:
                return self.deputy
            case Role.OUTLAW:
                return self.outlaw
            case Role.RENEGADE:
                return self.renegade
            case Role.REBEL:
                return self.rebel


def size_faults(rows: Sequence[RolesRow]) -> Iterator[EditionFault]:
    """Yield a fault for each repeated or impossible table size."""
    listed = [row.players for row in rows]
    for number, players in enumerate(listed):
        if not FEWEST_AT_A_TABLE <= players <= MOST_AT_A_TABLE:
            yield EditionFault(
                ("roles", number, "players"),
                f"is {players}; allowed are {FEWEST_AT_A_TABLE} to {MOST_AT_A_TABLE} at a table",
            )
        if players in listed[:number]:
            yield EditionFault(("roles", number), f"a second row for one table size, {players}")


class RoundsRow(Part, frozen=True, kw_only=True):
    """The number of rounds for players_from to players_to players (None: no upper limit)."""

    players_from: int
    players_to: int | None = None
    rounds: int


class ChartRow(Part, frozen=True, kw_only=True):
    """A row of the table chart. Table sizes are in printed order."""

    players: int
    tables: tuple[int, ...]


class AboveChart(enum.Enum):
    """The rule for table sizes above the chart's last row (reading D02)."""

    FIVES_FIRST = "fives_first"
    """There are as many tables of five as possible; the remaining players make some of them sixes."""
    FEWEST_TABLES = "fewest_tables"
    """There are as few tables as the largest size allows, as equal as possible, larger ones first."""


class Tables(Part, frozen=True, kw_only=True):
    """The table sizes and the table chart.

    min_players: the fewest to start a tournament (D01 has the waiver).
    sizes: seats of a table, ascending; winnings are listed in this order.
    sheriff_once: nobody is Sheriff again before everyone has been.
    chart: for a schedule by chart.
    """

    sizes: tuple[int, ...]
    min_players: int
    sheriff_once: bool = False
    above_chart: AboveChart = AboveChart.FIVES_FIRST
    chart: tuple[ChartRow, ...] = ()

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for unsorted sizes, and for chart rows with a gap, a wrong sum or a wrong size."""
        if not self.sizes or self.sizes[0] < 1 or any(a >= b for a, b in pairwise(self.sizes)):
            yield EditionFault(
                ("sizes",), f"are {_list_sizes(self.sizes) or 'none'}; they must ascend and differ"
            )
        if self.min_players < 1:
            yield EditionFault(("min_players",), f"is {self.min_players}; allowed is 1 or more")
        for number, row in enumerate(self.chart):
            expected = self.min_players + number
            if row.players != expected:
                yield EditionFault(
                    ("chart", number),
                    f"the row of {row.players} players stands where {expected} must; "
                    "rows start at min_players and leave no gap",
                )
                break
        for number, row in enumerate(self.chart):
            if sum(row.tables) != row.players:
                yield EditionFault(
                    ("chart", number), f"the row of {row.players} players seats {sum(row.tables)}"
                )
            if not set(row.tables) <= set(self.sizes):
                yield EditionFault(
                    ("chart", number),
                    f"the row of {row.players} players has a table size that is not one of "
                    f"{_list_sizes(self.sizes)}",
                )


def _list_sizes(sizes: tuple[int, ...]) -> str:
    return ", ".join(str(size) for size in sizes)
