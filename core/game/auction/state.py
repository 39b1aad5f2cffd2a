"""The public state of an auction."""

import msgspec

from saloon.core.game.setup.characters import Character
from saloon.core.terms import Dollars, SeatNo


class Sale(msgspec.Struct, frozen=True):
    """A character assigned to its player. price: dollars paid for it. kept: from the last game."""

    seat: SeatNo
    character: Character
    price: Dollars
    kept: bool = False


class Hand(msgspec.Struct, frozen=True):
    """The character under the hammer.

    bid: dollars, offered by leader. queue: the seats still bidding except the leader, in speaking order;
    the first has the word. Seats that have passed are in neither.
    """

    character: Character
    nominator: SeatNo
    leader: SeatNo
    bid: Dollars
    queue: tuple[SeatNo, ...]

    @property
    def word(self) -> SeatNo | None:
        """Return the seat that raises or passes now; None if the leader has won."""
        return self.queue[0] if self.queue else None


class Auction(msgspec.Struct, frozen=True):
    """An auction between two steps.

    keepers: seats that have not yet decided whether to keep the character of their last game. revealed:
    the characters that were turned up, in that order; empty until then. nominator: the seat that puts a
    character up next, or has put up that of the hand. taker: the seat that takes one without bidding.
    """

    keepers: tuple[SeatNo, ...] = ()
    revealed: tuple[Character, ...] = ()
    sales: tuple[Sale, ...] = ()
    nominator: SeatNo | None = None
    hand: Hand | None = None
    taker: SeatNo | None = None

    @property
    def free(self) -> tuple[Character, ...]:
        """Return the characters on the table that nobody has yet, including the one under the hammer."""
        sold = {sale.character for sale in self.sales}
        return tuple(character for character in self.revealed if character not in sold)

    def sale(self, seat: SeatNo) -> Sale | None:
        """Return the sale that gave a seat its character; None while it has none."""
        return next((sale for sale in self.sales if sale.seat == seat), None)
