"""The options of an edition, and its auction."""

import enum
from collections.abc import Iterator
from typing import Final

from saloon.core.editions.part import EditionFault, Part, negative
from saloon.core.editions.tables import RolesRow, size_faults
from saloon.core.terms import Dollars


class FirstNominator(enum.Enum):
    """The player who puts the first character up."""

    SHERIFF = "sheriff"
    RIGHT_OF_SHERIFF = "right_of_sheriff"


class BidOrder(enum.Enum):
    """Which way the bidding goes round."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class NextNominator(enum.Enum):
    """After whom the next nominator is looked for, in the order of bidding."""

    FROM_WINNER = "from_winner"
    FROM_NOMINATOR = "from_nominator"


class AuctionRule(Part, frozen=True, kw_only=True):
    """The auction of characters. minimum, step: of bids, in dollars. last_pays: for the last character."""

    first_nominator: FirstNominator
    order: BidOrder
    next_nominator: NextNominator
    minimum: Dollars
    step: Dollars
    last_pays: Dollars

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a negative amount, or for a minimum that is no multiple of the step."""
        yield from negative((("minimum", self.minimum), ("last_pays", self.last_pays)))
        if self.step < 1:
            yield EditionFault(("step",), f"is {self.step}; it must be at least 1")
        elif self.minimum % self.step:
            yield EditionFault(
                ("minimum",), f"is {self.minimum}; bids are multiples of step, {self.step}, so it must be one"
            )


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
