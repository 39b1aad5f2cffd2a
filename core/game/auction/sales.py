"""The auction in a game's state: the one in progress, and what a sale changes."""

import msgspec

from base.errors import BadData
from core.game.state.auction import Auction, Hand, Sale
from core.game.state.decisions import Event
from core.game.state.game import GameState, Phase
from core.game.state.seat_updates import recorded_seat, with_seat
from core.terms import Dollars, SeatNo

_replace = msgspec.structs.replace


def open_auction(state: GameState) -> Auction:
    """Return the auction in progress. The game must have one."""
    assert state.auction is not None  # the phase was checked earlier
    return state.auction


def recorded_auction(state: GameState, event: Event) -> Auction:
    """Return the auction that an event belongs to. Raises BadData if there is none."""
    if state.auction is None:
        raise BadData("game log", f"{type(event).__name__} without an auction")
    return state.auction


def recorded_hand(state: GameState, event: Event) -> tuple[Auction, Hand]:
    """Return the auction and the character being auctioned. Raises BadData if there is none."""
    auction = recorded_auction(state, event)
    if auction.hand is None:
        raise BadData("game log", f"{type(event).__name__} while no character is being auctioned")
    return auction, auction.hand


def without_keeper(auction: Auction, seat: SeatNo) -> Auction:
    """Return the auction after a player's decision about the character of the last game."""
    return _replace(auction, keepers=tuple(other for other in auction.keepers if other != seat))


def character_sold(state: GameState, event: Event, sale: Sale) -> GameState:
    """Return the state after a sale; assigning the last character closes the auction."""
    auction = recorded_auction(state, event)
    seat = recorded_seat(state, sale.seat)
    owner = _replace(seat, character=sale.character, spent=Dollars(seat.spent + sale.price))
    after = _replace(
        without_keeper(auction, sale.seat),
        sales=(*auction.sales, sale),
        nominator=None,
        hand=None,
        taker=None,
    )
    sold = _replace(with_seat(state, owner), auction=after)
    if all(other.character is not None for other in sold.seats):
        return _replace(sold, phase=Phase.CHARACTERS)
    return sold
