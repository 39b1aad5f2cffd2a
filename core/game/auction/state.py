"""What everybody at the table knows of an auction."""

import msgspec

from saloon.core.game.setup.characters import Character
from saloon.core.terms import Dollars, SeatNo


class Sale(msgspec.Struct, frozen=True):
    """A character that has found its player. price: dollars paid for it. kept: from the last game."""

    seat: SeatNo
    character: Character
    price: Dollars
    kept: bool = False


class Hand(msgspec.Struct, frozen=True):
    """The character under the hammer.

    bid: dollars, offered by leader. queue: who is still in, the leader left out, in the order in
    which they speak; the first has the word. Who has passed is in neither.
    """

    character: Character
    nominator: SeatNo
    leader: SeatNo
    bid: Dollars
    queue: tuple[SeatNo, ...]

    @property
    def word(self) -> SeatNo | None:
        """Who raises or passes now; None for nobody, when the leader has won."""
        return self.queue[0] if self.queue else None


class Auction(msgspec.Struct, frozen=True):
    """An auction between two steps.

    keepers: who has not said yet whether the character of the last game is kept. revealed: the
    characters that were turned up, in that order; empty before. nominator: who puts a character up
    next, or has put up that of the hand. taker: who takes one without bidding.
    """

    keepers: tuple[SeatNo, ...] = ()
    revealed: tuple[Character, ...] = ()
    sales: tuple[Sale, ...] = ()
    nominator: SeatNo | None = None
    hand: Hand | None = None
    taker: SeatNo | None = None

    @property
    def free(self) -> tuple[Character, ...]:
        """The characters on the table that nobody has yet, the one under the hammer included."""
        sold = {sale.character for sale in self.sales}
        return tuple(character for character in self.revealed if character not in sold)

    def sale(self, seat: SeatNo) -> Sale | None:
        """What a seat came by; None while it has no character."""
        return next((sale for sale in self.sales if sale.seat == seat), None)
