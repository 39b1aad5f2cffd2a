"""Tables, and rounds, by the number of players: the chart of an edition."""

import enum
from itertools import pairwise

from saloon.core.editions.part import Part


class RoundsRow(Part, frozen=True, kw_only=True):
    """So many rounds for players_from to players_to players; players_to None means and more."""

    players_from: int
    players_to: int | None = None
    rounds: int


class ChartRow(Part, frozen=True, kw_only=True):
    """A printed row of the table chart: the sizes of the tables in printed order."""

    players: int
    tables: tuple[int, ...]


class AboveChart(enum.Enum):
    """How the table chart goes on above its last printed row (reading D02)."""

    FIVES_FIRST = "fives_first"
    """As many tables as fives fit in; the players left over make sixes, named first."""


class Tables(Part, frozen=True, kw_only=True):
    """Players and their tables. min_players: fewer may not start a tournament (D01 has the waiver).

    sizes: seats of a table, ascending; winnings are listed in this order. sheriff_once: nobody
    is Sheriff twice while players who were never Sheriff are left. chart: for a schedule by chart.
    """

    sizes: tuple[int, ...]
    min_players: int
    sheriff_once: bool = False
    above_chart: AboveChart = AboveChart.FIVES_FIRST
    chart: tuple[ChartRow, ...] = ()

    def __post_init__(self) -> None:
        if not self.sizes or any(a >= b for a, b in pairwise(self.sizes)):
            raise ValueError(f"sizes are {self.sizes}; they must ascend and differ")
        expected = self.min_players
        for row in self.chart:
            if row.players != expected:
                raise ValueError(
                    f"chart row {row.players} stands where {expected} must; "
                    "rows start at min_players and leave no gap"
                )
            if sum(row.tables) != row.players:
                raise ValueError(f"chart row {row.players} seats {sum(row.tables)} players")
            if not set(row.tables) <= set(self.sizes):
                raise ValueError(f"chart row {row.players} has a table size that is not one of {self.sizes}")
            expected += 1
