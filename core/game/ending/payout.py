"""A player's winnings in a game, part by part, each with the rule that it comes from."""

import enum

import msgspec

from saloon.core.editions.winnings_table import Counted
from saloon.core.terms import Dollars, SeatNo


class PayoutKind(enum.Enum):
    """The grounds on which an amount is paid."""

    TABLE = "table"
    """The row of the winnings table."""
    REWARD = "reward"
    """An Outlaw was eliminated, and cash rewards are on."""
    PENALTY = "penalty"
    """A Deputy eliminated the Sheriff; negative."""


class PayoutTerm(msgspec.Struct, frozen=True):
    """A product in a formula: an amount in dollars, times a count."""

    each: Dollars
    times: int
    counted: Counted

    @property
    def dollars(self) -> Dollars:
        """Return the product."""
        return Dollars(self.each * self.times)


class PayoutPart(msgspec.Struct, frozen=True):
    """One amount. printed: the words of its row. terms: of a formula, empty for a printed amount.

    eliminated: the seat that a reward or a penalty is for.
    """

    kind: PayoutKind
    dollars: Dollars
    printed: str
    terms: tuple[PayoutTerm, ...] = ()
    eliminated: SeatNo | None = None


class Payout(msgspec.Struct, frozen=True):
    """All winnings of a seat in a game, without deducting its spending there."""

    seat: SeatNo
    parts: tuple[PayoutPart, ...]

    @property
    def dollars(self) -> Dollars:
        """Return the sum of the parts; below zero if a penalty is more than the rest."""
        return Dollars(sum(part.dollars for part in self.parts))

    def of(self, kind: PayoutKind) -> Dollars:
        """Return the sum of the parts of a kind."""
        return Dollars(sum(part.dollars for part in self.parts if part.kind is kind))
