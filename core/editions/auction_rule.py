"""The rule of an auction of characters."""

import enum
from collections.abc import Iterator

from saloon.core.editions.part import EditionFault, Part, negative
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
    """An auction of characters. minimum, step: dollars of a bid. last_pays: for the last character."""

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
