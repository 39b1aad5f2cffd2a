"""The rules of a tournament's course: the number of rounds, the sizes of tables, and the finals."""

import enum
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.editions.part import EditionFault, Part, find_repeated, list_sizes
from core.terms import Dollars, MatchKind


class RoundsRow(Part, frozen=True, kw_only=True):
    """The number of rounds for numbers of players in a range, which may have no upper limit."""

    players_from: int
    players_to: int | None = None
    rounds: int


class ChartRow(Part, frozen=True, kw_only=True):
    """A row of the table chart: the table sizes for a number of players."""

    players: int
    tables: tuple[int, ...]


class AboveChart(enum.Enum):
    """The rule for table sizes above the chart's last row (reading D02)."""

    FIVES_FIRST = "fives_first"
    """As many tables of five as possible, some of which become tables of six."""
    FEWEST_TABLES = "fewest_tables"
    """As few tables as possible, as equal as possible, larger ones first."""


class Tables(Part, frozen=True, kw_only=True):
    """The table sizes and the table chart.

    sizes: ascending; a winnings row has its amounts in this order.
    min_players: the fewest players for a tournament, unless the judge decides otherwise (D01).
    sheriff_once: whether nobody is Sheriff again before everyone has been.
    """

    sizes: tuple[int, ...]
    min_players: int
    sheriff_once: bool = False
    above_chart: AboveChart = AboveChart.FIVES_FIRST
    chart: tuple[ChartRow, ...] = ()

    def faults(self) -> Iterator[EditionFault]:
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
"""The number of players in the finals. Source: Championship 2010 v1.1, 1.2."""


class PrizesRow(Part, frozen=True, kw_only=True):
    """The prizes of the finals after a number of rounds, first place first."""

    rounds: int
    dollars: tuple[Dollars, ...]

    def faults(self) -> Iterator[EditionFault]:
        if len(self.dollars) != FINALISTS:
            yield EditionFault(("dollars",), f"has {len(self.dollars)} prizes; it needs {FINALISTS}")
        if any(better < worse for better, worse in pairwise((*self.dollars, 0))):
            yield EditionFault(
                ("dollars",), "no prize may be negative, or larger than that of a better place"
            )
        if self.rounds < 1:
            yield EditionFault(("rounds",), f"is {self.rounds}; allowed is 1 or more")


class FinalsRule(Part, frozen=True, kw_only=True):
    """The finals: 1st against 4th, 2nd against 3rd, then both winners. ``modes`` are the allowed duels."""

    modes: tuple[MatchKind, ...]
    prizes: tuple[PrizesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        if not self.modes:
            yield EditionFault(("modes",), "is empty; allowed: long-duel, short-duel")
        yield from find_repeated("modes", self.modes, "mode")
        for number, mode in enumerate(self.modes):
            if mode is MatchKind.GAME:
                yield EditionFault(("modes", number), "is game; allowed: long-duel, short-duel")
        yield from find_repeated("prizes", [row.rounds for row in self.prizes], "number of rounds")
