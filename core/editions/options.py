"""The optional rules of an edition, and its auction."""

import enum
from collections.abc import Iterator
from typing import Final

from core.editions.part import EditionFault, Part, negative
from core.editions.tables import RolesRow, size_faults
from core.terms import Dollars


class FirstNominator(enum.Enum):
    """The player who nominates the first character."""

    SHERIFF = "sheriff"
    RIGHT_OF_SHERIFF = "right_of_sheriff"


class BidOrder(enum.Enum):
    """The direction of bidding."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class NextNominator(enum.Enum):
    """The seat after which the search for the next nominator starts, in the order of bidding."""

    FROM_WINNER = "from_winner"
    FROM_NOMINATOR = "from_nominator"


class AuctionRule(Part, frozen=True, kw_only=True):
    """The auction of characters.

    minimum, step: the lowest bid and the step between bids, in dollars.
    last_pays: whether the last character costs anything.
    """

    first_nominator: FirstNominator
    order: BidOrder
    next_nominator: NextNominator
    minimum: Dollars
    step: Dollars
    last_pays: Dollars

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a negative amount, or for a minimum that isn't a multiple of the step."""
        yield from negative((("minimum", self.minimum), ("last_pays", self.last_pays)))
        if self.step < 1:
            yield EditionFault(("step",), f"is {self.step}; it must be at least 1")
        elif self.minimum % self.step:
            yield EditionFault(
                ("minimum",), f"is {self.minimum}; bids are multiples of step, {self.step}, so it must be one"
            )


LONGEST_REMINDER: Final = 160
"""The longest reminder that fits on a terminal's screen, in characters."""


class CashRewards(Part, frozen=True, kw_only=True):
    """The cash rewards option.

    printed: the document's text.
    dollars: paid to the player who personally eliminates an Outlaw.
    """

    printed: str
    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative((("dollars", self.dollars),))


class ExperienceRule(Part, frozen=True, kw_only=True):
    """The experience option. ``dollars`` is the price of each card kept."""

    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative((("dollars", self.dollars),))


class EnlistmentRule(Part, frozen=True, kw_only=True):
    """The character enlistment option. ``start_money`` replaces the edition's."""

    start_money: Dollars
    auction: AuctionRule

    def faults(self) -> Iterator[EditionFault]:
        return negative((("start_money", self.start_money),))


class RuthlessLawRule(Part, frozen=True, kw_only=True):
    """The Ruthless Law option. ``reminder`` is its text, shown when the Sheriff discards."""

    reminder: str

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for an empty reminder, or one too long for a terminal."""
        if not 1 <= len(self.reminder.strip()) <= LONGEST_REMINDER:
            yield EditionFault(
                ("reminder",), f"has {len(self.reminder)} characters; allowed are 1 to {LONGEST_REMINDER}"
            )


class RebelRule(Part, frozen=True, kw_only=True):
    """The Rebel! option. ``roles`` covers the table sizes with a Rebel!."""

    roles: tuple[RolesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for rows without exactly one Rebel!, and for repeated table sizes."""
        if not self.roles:
            yield EditionFault(("roles",), "is empty; it needs its rows")
        yield from size_faults(self.roles)
        for number, row in enumerate(self.roles):
            if row.rebel != 1:
                yield EditionFault(("roles", number, "rebel"), f"is {row.rebel}; there must be one Rebel!")


class Options(Part, frozen=True, kw_only=True):
    """The options that an edition offers, or None for each one it doesn't."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None
