"""Tables, and rounds, by the number of players: the chart of an edition."""

import enum
from collections.abc import Iterator
from itertools import pairwise

from saloon.core.editions.part import EditionFault, Part


class RoundsRow(Part, frozen=True, kw_only=True):
    """The number of rounds for players_from to players_to players; players_to None means and more."""

    players_from: int
    players_to: int | None = None
    rounds: int


class ChartRow(Part, frozen=True, kw_only=True):
    """A printed row of the table chart: the sizes of the tables in printed order."""

    players: int
    tables: tuple[int, ...]


class AboveChart(enum.Enum):
    """The table chart above its last printed row (reading D02)."""

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

    def faults(self) -> Iterator[EditionFault]:
        """Yield sizes out of order, and chart rows with a gap, a wrong sum, or a size that is not allowed."""
        if not self.sizes or self.sizes[0] < 1 or any(a >= b for a, b in pairwise(self.sizes)):
            yield EditionFault(
                ("sizes",), f"are {_listed(self.sizes) or 'none'}; they must ascend and differ"
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
                    f"{_listed(self.sizes)}",
                )


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(str(size) for size in sizes)
