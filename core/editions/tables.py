"""The rules of a tournament's course: the number of rounds, the sizes of tables, and the finals."""

import enum
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.editions.part import EditionFault, Part, find_repeated, list_sizes
from core.terms import Dollars, MatchKind


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
                ("sizes",), f"are {list_sizes(self.sizes) or 'none'}; they must ascend and differ"
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
                    f"{list_sizes(self.sizes)}",
                )


FINALISTS: Final = 4
"""Number of players in the finals. Source: Championship 2010 v1.1, 1.2."""


class PrizesRow(Part, frozen=True, kw_only=True):
    """The prizes of the finals after a number of rounds, first place first."""

    rounds: int
    dollars: tuple[Dollars, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for missing, negative or unsorted prizes, and for no rounds."""
        if len(self.dollars) != FINALISTS:
            yield EditionFault(("dollars",), f"has {len(self.dollars)} prizes; it needs {FINALISTS}")
        if any(better < worse for better, worse in pairwise((*self.dollars, 0))):
            yield EditionFault(
                ("dollars",), "no prize may be negative, or larger than that of a better place"
            )
        if self.rounds < 1:
            yield EditionFault(("rounds",), f"is {self.rounds}; allowed is 1 or more")


class FinalsRule(Part, frozen=True, kw_only=True):
    """The rule of the finals: 1st against 4th, 2nd against 3rd, then both winners.

    ``modes`` are the duels allowed.
    """

    modes: tuple[MatchKind, ...]
    prizes: tuple[PrizesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for an empty list of duels, a kind that isn't a duel, or repeated prize rows."""
        if not self.modes:
            yield EditionFault(("modes",), "is empty; allowed: long-duel, short-duel")
        yield from find_repeated("modes", self.modes, "mode")
        for number, mode in enumerate(self.modes):
            if mode is MatchKind.GAME:
                yield EditionFault(("modes", number), "is game; allowed: long-duel, short-duel")
        yield from find_repeated("prizes", [row.rounds for row in self.prizes], "number of rounds")
