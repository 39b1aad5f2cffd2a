"""The number of each role at a table, and of those still hidden."""

from collections.abc import Iterable, Mapping

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.tables import RolesRow
from core.game.state.reasons import GameReason
from core.terms import SHERIFF_SEAT, Role


def role_counts(players: int, edition: Edition) -> RolesRow:
    """Return the roles at a table of this many players.

    Raises BadData if the edition has no row for them.
    Source: base game; the rows are in the edition's file.
    """
    for row in edition.role_rows:
        if row.players == players:
            return row
    allowed = ", ".join(str(row.players) for row in edition.role_rows)
    raise BadData(f"edition {edition.key}, roles", f"no row for a table of {players}; there are {allowed}")


def roles_left(row: RolesRow, public_roles: Iterable[Role]) -> Mapping[Role, int]:
    """Return the number of hidden cards of each role; negative if too many were shown."""
    seen = tuple(public_roles)
    return {role: row.count(role) - seen.count(role) for role in Role}


def check_roles(roles: tuple[Role, ...], players: int, edition: Edition) -> None:
    """Raise Refused unless these are the roles for a table of this size, with the Sheriff at seat 1."""
    if len(roles) != players:
        raise Refused(GameReason.ROLES_BY_SEAT, found=len(roles), expected=players)
    if roles[SHERIFF_SEAT - 1] is not Role.SHERIFF:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=SHERIFF_SEAT)
    counts = role_counts(players, edition)
    for role, left in roles_left(counts, roles).items():
        if left != 0:
            expected = counts.count(role)
            raise Refused(
                GameReason.ROLES_DO_NOT_FIT,
                players=players,
                expected=expected,
                role=role,
                found=expected - left,
            )
