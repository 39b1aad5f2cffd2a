"""The options of an edition."""

from collections.abc import Iterator
from typing import Final

from saloon.core.editions.auction_rule import AuctionRule
from saloon.core.editions.part import EditionFault, Part, negative
from saloon.core.editions.role_table import RolesRow, size_faults
from saloon.core.terms import Dollars

LONGEST_REMINDER: Final = 160
"""Characters that a terminal shows in one glance."""


class CashRewards(Part, frozen=True, kw_only=True):
    """The option of cash rewards. printed: its words. dollars: to who personally eliminates an Outlaw."""

    printed: str
    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        """Return a reward that takes dollars away."""
        return negative((("dollars", self.dollars),))


class ExperienceRule(Part, frozen=True, kw_only=True):
    """The option of experience. dollars: for each card kept."""

    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        """Return a price that gives dollars."""
        return negative((("dollars", self.dollars),))


class EnlistmentRule(Part, frozen=True, kw_only=True):
    """The option of character enlistment. start_money: each player's, instead of the edition's."""

    start_money: Dollars
    auction: AuctionRule

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for debts at the start."""
        return negative((("start_money", self.start_money),))


class RuthlessLawRule(Part, frozen=True, kw_only=True):
    """The option of the Ruthless Law. reminder: its words, shown at the Sheriff's discard."""

    reminder: str

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a reminder without words, or with too many for a terminal."""
        if not 1 <= len(self.reminder.strip()) <= LONGEST_REMINDER:
            yield EditionFault(
                ("reminder",), f"has {len(self.reminder)} characters; allowed are 1 to {LONGEST_REMINDER}"
            )


class RebelRule(Part, frozen=True, kw_only=True):
    """The Rebel! role. roles: the tables that have one."""

    roles: tuple[RolesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield tables without exactly one Rebel!, and sizes given twice."""
        if not self.roles:
            yield EditionFault(("roles",), "is empty; it needs its rows")
        yield from size_faults(self.roles)
        for number, row in enumerate(self.roles):
            if row.rebel != 1:
                yield EditionFault(("roles", number, "rebel"), f"is {row.rebel}; there must be one Rebel!")


class Options(Part, frozen=True, kw_only=True):
    """The options that an edition offers; None for those it does not."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None
