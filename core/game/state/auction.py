"""The public state of an auction."""

import msgspec

from core.characters import Character
from core.terms import Dollars, SeatNo


class Sale(msgspec.Struct, frozen=True):
    """A character assigned to a player."""

    seat: SeatNo
    character: Character
    price: Dollars
    kept: bool = False


class Hand(msgspec.Struct, frozen=True):
    """The character being auctioned.

    bid: dollars, offered by leader.
    queue: the seats still bidding except the leader, in order of bidding; the first one is next.
    Seats that have passed are in neither.
    """

    character: Character
    nominator: SeatNo
    leader: SeatNo
    bid: Dollars
    queue: tuple[SeatNo, ...]

    @property
    def word(self) -> SeatNo | None:
        """Return the seat that must raise or pass now, or None if the leader has won."""
        return self.queue[0] if self.queue else None


class Auction(msgspec.Struct, frozen=True):
    """The state of an auction.

    keepers: seats that have not yet decided whether to keep the character of their last game.
    revealed: the characters turned up, in that order, or empty until then.
    nominator: the seat that nominates next, or that nominated the current character.
    """

    keepers: tuple[SeatNo, ...] = ()
    revealed: tuple[Character, ...] = ()
    sales: tuple[Sale, ...] = ()
    nominator: SeatNo | None = None
    hand: Hand | None = None
    taker: SeatNo | None = None

    @property
    def free(self) -> tuple[Character, ...]:
        """Return the revealed characters without an owner, including the one being auctioned."""
        sold = {sale.character for sale in self.sales}
        return tuple(character for character in self.revealed if character not in sold)

    def sale(self, seat: SeatNo) -> Sale | None:
        return next((sale for sale in self.sales if sale.seat == seat), None)
