"""A player's winnings in a game, part by part, each with the rule that it comes from."""

import enum

import msgspec

from core.editions.winnings_table import Counted
from core.terms import Dollars, SeatNo


class PayoutKind(enum.Enum):
    """The reason for an amount."""

    TABLE = "table"
    """The amount in the winnings table."""
    REWARD = "reward"
    """The reward for eliminating an Outlaw, if cash rewards are on."""
    PENALTY = "penalty"
    """The penalty of a Deputy who eliminated the Sheriff; negative."""


class PayoutTerm(msgspec.Struct, frozen=True):
    """A product in a formula: dollars times a count."""

    each: Dollars
    times: int
    counted: Counted

    @property
    def dollars(self) -> Dollars:
        return Dollars(self.each * self.times)


class PayoutPart(msgspec.Struct, frozen=True):
    """One amount.

    printed: the text of its row.
    terms: the formula's products, or empty for a fixed amount.

    ``eliminated`` is the seat whose elimination earned the reward or penalty.
    """

    kind: PayoutKind
    dollars: Dollars
    printed: str
    terms: tuple[PayoutTerm, ...] = ()
    eliminated: SeatNo | None = None


class Payout(msgspec.Struct, frozen=True):
    """All winnings of a seat in a game, before deducting its spending."""

    seat: SeatNo
    parts: tuple[PayoutPart, ...]

    @property
    def dollars(self) -> Dollars:
        """Return the sum of the parts; negative if a penalty outweighs the rest."""
        return Dollars(sum(part.dollars for part in self.parts))

    def of(self, kind: PayoutKind) -> Dollars:
        """Return the sum of the parts of one kind."""
        return Dollars(sum(part.dollars for part in self.parts if part.kind is kind))
