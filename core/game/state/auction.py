"""The public state of an auction."""

import msgspec

from core.characters import Character
from core.terms import Dollars, SeatNo


class Sale(msgspec.Struct, frozen=True):
    """A character that a player has bought, or kept from their last game."""

    seat: SeatNo
    character: Character
    price: Dollars
    kept: bool = False


class Hand(msgspec.Struct, frozen=True):
    """The character being auctioned.

    bid: dollars offered by the leader.
    queue: seats that may still raise, in order of bidding.
    """

    character: Character
    nominator: SeatNo
    leader: SeatNo
    bid: Dollars
    queue: tuple[SeatNo, ...]

    @property
    def word(self) -> SeatNo | None:
        """The seat that must raise or pass now, or None if the leader has won."""
        return self.queue[0] if self.queue else None


class Auction(msgspec.Struct, frozen=True):
    """The state of an auction.

    keepers: seats that have not yet decided whether to keep the character of their last game.
    revealed: the characters turned up, in that order.
    nominator: the seat that nominates next, or that nominated the current character.
    taker: the seat that must take a remaining character without a bid.
    """

    keepers: tuple[SeatNo, ...] = ()
    revealed: tuple[Character, ...] = ()
    sales: tuple[Sale, ...] = ()
    nominator: SeatNo | None = None
    hand: Hand | None = None
    taker: SeatNo | None = None

    @property
    def free(self) -> tuple[Character, ...]:
        """The revealed characters without an owner, including the one being auctioned."""
        sold = {sale.character for sale in self.sales}
        return tuple(character for character in self.revealed if character not in sold)

    def sale(self, seat: SeatNo) -> Sale | None:
        return next((sale for sale in self.sales if sale.seat == seat), None)
