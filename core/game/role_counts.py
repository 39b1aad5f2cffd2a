"""How many of each role sit at a table, and which are still hidden."""

from collections import Counter
from collections.abc import Iterable, Mapping

from saloon.core.editions.edition import Edition, RolesRow
from saloon.core.errors import BadData
from saloon.core.game.roles import Role


def role_counts(players: int, edition: Edition) -> RolesRow:
    """The roles at a table of so many players.

    Raises BadData where the edition has no row for them.
    Source: base game; the rows stand in the edition's file.
    """
    for row in edition.roles:
        if row.players == players:
            return row
    allowed = ", ".join(str(row.players) for row in edition.roles)
    raise BadData(f"edition {edition.key}, roles", f"no row for a table of {players}; there are {allowed}")


def roles_left(row: RolesRow, shown: Iterable[Role]) -> Mapping[Role, int]:
    """How many of each role are left when these were shown; negative where too many were."""
    seen = Counter(shown)
    return {role: row.count(role) - seen[role] for role in Role}
