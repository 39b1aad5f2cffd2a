"""The order of bidding and the seats that take part."""

from collections.abc import Iterator

from saloon.core.editions.auction_rule import AuctionRule, BidOrder, FirstNominator
from saloon.core.editions.edition import Edition
from saloon.core.game.ending.money import money_left
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import GameState, Seat
from saloon.core.terms import SeatNo


def is_bidder(seat: Seat, rule: AuctionRule, edition: Edition) -> bool:
    """Return whether a seat bids: it has no character, and its player is present and can afford a bid.

    A player without dollars, or with fewer than the least bid, always passes and never nominates.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D26.
    """
    if seat.character is not None or seat.passive:
        return False
    left = money_left(seat, edition)
    return left > 0 and left >= rule.minimum


def bidders_from(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Return the bidders in the order of bidding, starting with this seat if it bids itself."""
    return (other.seat for other in _round_from(state, seat, rule.order) if is_bidder(other, rule, edition))


def bidders_after(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Return the other bidders in the order of bidding, from the seat that speaks after this one."""
    return (other for other in bidders_from(state, seat, rule, edition) if other != seat)


def first_place(state: GameState, rule: AuctionRule) -> SeatNo:
    """Return the seat from which the search for the first nominator starts.

    Source: Championship 2010 v1.1, 1.1; to the right of the Sheriff: Official Score System 2003.
    """
    match rule.first_nominator:
        case FirstNominator.SHERIFF:
            return SHERIFF_SEAT
        case FirstNominator.RIGHT_OF_SHERIFF:
            return SeatNo(len(state.seats)) if SHERIFF_SEAT == 1 else SeatNo(SHERIFF_SEAT - 1)


def _round_from(state: GameState, seat: SeatNo, order: BidOrder) -> tuple[Seat, ...]:
    clockwise = (*state.seats[seat - 1 :], *state.seats[: seat - 1])
    match order:
        case BidOrder.CLOCKWISE:
            return clockwise
        case BidOrder.COUNTERCLOCKWISE:
            return (clockwise[0], *reversed(clockwise[1:]))
