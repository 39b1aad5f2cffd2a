"""The roles at a table, by its size."""

from collections.abc import Iterator, Sequence
from typing import Final

from saloon.core.editions.part import EditionFault, Part
from saloon.core.game.setup.roles import Role

FEWEST_AT_A_TABLE: Final = 4
"""Source: base game."""
MOST_AT_A_TABLE: Final = 10
"""Source: The Rebel!; no terminal shows more seats."""


class RolesRow(Part, frozen=True, kw_only=True):
    """The number of each role at a table of a size."""

    players: int
    sheriff: int
    deputy: int
    outlaw: int
    renegade: int
    rebel: int = 0

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a sum that differs from the players, or for other than one Sheriff."""
        counts = (self.sheriff, self.deputy, self.outlaw, self.renegade, self.rebel)
        if min(counts) < 0 or sum(counts) != self.players:
            yield EditionFault((), f"the row of {self.players} players has {sum(counts)} roles")
        if self.sheriff != 1:
            yield EditionFault(("sheriff",), f"is {self.sheriff}; there must be one Sheriff")

    def count(self, role: Role) -> int:
        """Return how many players of this role."""
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
    """Yield a fault for each row of a table size that has one already, or that nobody can play at."""
    listed = [row.players for row in rows]
    for number, players in enumerate(listed):
        if not FEWEST_AT_A_TABLE <= players <= MOST_AT_A_TABLE:
            yield EditionFault(
                ("roles", number, "players"),
                f"is {players}; allowed are {FEWEST_AT_A_TABLE} to {MOST_AT_A_TABLE} at a table",
            )
        if players in listed[:number]:
            yield EditionFault(("roles", number), f"a second row for one table size, {players}")
