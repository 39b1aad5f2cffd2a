"""The winnings tables of an edition, row by row."""

import enum
from collections.abc import Iterable

from saloon.core.editions.part import Part
from saloon.core.game.events import Ending
from saloon.core.game.roles import Role
from saloon.core.terms import Dollars


class WinningsCase(enum.Enum):
    """The sub-case of an ending that a winnings row is for.

    Each ending and role has either ``always`` alone, or one of the two pairs, complete.
    """

    ALWAYS = "always"
    ALIVE = "alive"
    ELIMINATED = "eliminated"
    LOST_FINAL_DUEL = "lost_final_duel"
    NO_FINAL_DUEL = "no_final_duel"


class WinningsRow(Part, frozen=True, kw_only=True):
    """A row of a winnings table. printed: its words. dollars: by table size, ascending, where printed so.

    per_outlaw, per_player: dollars for each Outlaw, or player, at the start. per_eliminated: for each
    player who is out at the end, to those alive. A row is printed by size or as such a formula; one
    without any amount pays nothing.
    """

    ending: Ending
    role: Role
    case: WinningsCase = WinningsCase.ALWAYS
    printed: str
    dollars: tuple[Dollars, ...] = ()
    per_outlaw: Dollars = Dollars(0)
    per_player: Dollars = Dollars(0)
    per_eliminated: Dollars = Dollars(0)

    def __post_init__(self) -> None:
        if self.dollars and (self.per_outlaw or self.per_player or self.per_eliminated):
            raise ValueError(
                f"winnings row {self.printed!r} has dollars and a formula; "
                "allowed is dollars, or per_outlaw, per_player and per_eliminated"
            )


_CASES = (
    {WinningsCase.ALWAYS},
    {WinningsCase.ALIVE, WinningsCase.ELIMINATED},
    {WinningsCase.LOST_FINAL_DUEL, WinningsCase.NO_FINAL_DUEL},
)


def check_winnings(rows: Iterable[WinningsRow], roles: Iterable[Role], sizes: tuple[int, ...]) -> None:
    """Raises ValueError unless each ending has its rows for each of these roles, and no other role any.

    sizes: of the tables that rows by size state, ascending.
    """
    rows, roles = tuple(rows), tuple(roles)
    for row in rows:
        if row.dollars and len(row.dollars) != len(sizes):
            raise ValueError(
                f"winnings row {row.printed!r} has {len(row.dollars)} amounts; "
                f"it needs one for each of tables.sizes, {len(sizes)}"
            )
        if row.role not in roles:
            raise ValueError(f"winnings row {row.printed!r} is for {row.role.value}, a role that roles lack")
    for ending in Ending:
        for role in roles:
            cases = [row.case for row in rows if row.ending is ending and row.role is role]
            if len(set(cases)) != len(cases) or set(cases) not in _CASES:
                found = ", ".join(case.value for case in cases) or "no row"
                raise ValueError(
                    f"winnings for {ending.value}, {role.value}: {found}; allowed are "
                    "always, or alive with eliminated, or lost_final_duel with no_final_duel"
                )
