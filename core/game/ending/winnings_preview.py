"""The winnings of each role by an ending, while the roles of those in play are still secret."""

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.editions.winnings_table import WinningsCase, WinningsRow
from saloon.core.game.events import Ending
from saloon.core.game.setup.role_counts import role_counts, roles_left
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import GameState
from saloon.core.terms import Dollars


class RolePay(msgspec.Struct, frozen=True):
    """The winnings of a role. case: the players of that role concerned, if they do not all win the same."""

    role: Role
    case: WinningsCase
    dollars: Dollars


def winnings_by_role(state: GameState, edition: Edition) -> tuple[RolePay, ...]:
    """Return the rows of the winnings table that this ending may pay, for the roles at the table.

    Empty if the game has no ending yet, for a table size that the edition pays nothing for, and with the
    Rebel!, as the Revolution decides the role that each player is paid by. Rewards and penalties are not
    included.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; Official Score System 2003; reading D34.
    """
    players = len(state.seats)
    counts = role_counts(players, edition)
    if state.ending is None or counts.rebel or players not in edition.sizes:
        return ()
    return tuple(
        RolePay(row.role, row.case, _dollars(row, state, edition))
        for row in edition.winnings
        if row.ending is state.ending and counts.count(row.role) and _may_be(row, state)
    )


def _may_be(row: WinningsRow, state: GameState) -> bool:
    """Return whether the case of a row is possible with the eliminations so far."""
    if row.case is WinningsCase.LOST_FINAL_DUEL:
        return state.ending is Ending.LAW_WINS and any(e.role is Role.RENEGADE for e in state.eliminations)
    return row.case is not WinningsCase.ELIMINATED or any(e.role is row.role for e in state.eliminations)


def _dollars(row: WinningsRow, state: GameState, edition: Edition) -> Dollars:
    players = len(state.seats)
    if row.dollars:
        return row.dollars[edition.tables.sizes.index(players)]
    counts = role_counts(players, edition)
    start, alive = roles_left(counts, ()), roles_left(counts, (out.role for out in state.eliminations))
    return Dollars(sum(each * term.count(start, alive) for term, each in row.terms(edition.readings)))
