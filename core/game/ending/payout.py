"""What a player wins in a game, part by part, each with the rule that it comes from."""

import enum

import msgspec

from saloon.core.terms import Dollars, SeatNo


class PayoutKind(enum.Enum):
    """What an amount is paid for."""

    TABLE = "table"
    """The row of the winnings table."""
    REWARD = "reward"
    """An Outlaw was eliminated, and cash rewards are on."""
    PENALTY = "penalty"
    """A Deputy eliminated the Sheriff; negative."""


class Counted(enum.Enum):
    """Whom a formula counts; the value names them for people."""

    OUTLAWS = "Outlaws at the start"
    PLAYERS = "players at the start"
    ELIMINATED = "players eliminated at the end"


class PayoutTerm(msgspec.Struct, frozen=True):
    """A product of a formula: so many dollars each, so many times."""

    each: Dollars
    times: int
    counted: Counted


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
    """All that a seat wins in a game; what it spends there is not among it."""

    seat: SeatNo
    parts: tuple[PayoutPart, ...]

    @property
    def dollars(self) -> Dollars:
        """The sum of the parts; below zero where a penalty is more than the rest."""
        return Dollars(sum(part.dollars for part in self.parts))

    def of(self, kind: PayoutKind) -> Dollars:
        """The sum of the parts of a kind."""
        return Dollars(sum(part.dollars for part in self.parts if part.kind is kind))
