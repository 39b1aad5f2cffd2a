"""State changes caused by the events of an auction."""

from typing import assert_never

import msgspec

from base.errors import BadData
from core.game.auction import events as e
from core.game.state.auction import Auction, Hand, Sale
from core.game.state.game import GameState, Phase
from core.game.state.seat_updates import recorded_seat, with_seat
from core.terms import Dollars, SeatNo

_Word = e.NominatorCalled | e.CharacterNominated | e.TakerCalled
_InHand = e.BidRaised | e.BidPassed | e.HandAnnulled
_Found = e.CharacterKept | e.CharacterWon | e.CharacterTaken

_replace = msgspec.structs.replace


def evolve_auction(state: GameState, event: e.AuctionEvent) -> GameState:
    """Return the state after an auction event; assigning the last character closes the auction.

    Raises BadData for an event that is impossible in this state.
    """
    if isinstance(event, e.AuctionOpened):
        return _replace(state, phase=Phase.AUCTION, auction=Auction(keepers=event.keepers))
    auction = state.auction
    if auction is None:
        raise BadData("game log", f"{type(event).__name__} without an auction")
    match event:
        case e.CharacterLeft(seat=seat):
            return _replace(state, auction=_remove_keeper(auction, seat))
        case e.CharactersRevealed(characters=characters):
            return _replace(state, auction=_replace(auction, revealed=characters))
        case e.NominatorCalled() | e.CharacterNominated() | e.TakerCalled():
            return _replace(state, auction=_word_given(auction, event))
        case e.BidRaised() | e.BidPassed() | e.HandAnnulled():
            return _replace(state, auction=_bid(auction, event))
        case e.CharacterKept() | e.CharacterWon() | e.CharacterTaken():
            return _assign_character(state, auction, event)
        case _:
            assert_never(event)


def _remove_keeper(auction: Auction, seat: SeatNo) -> Auction:
    return _replace(auction, keepers=tuple(other for other in auction.keepers if other != seat))


def _word_given(auction: Auction, event: _Word) -> Auction:
    match event:
        case e.NominatorCalled(seat=seat):
            return _replace(auction, nominator=seat, hand=None, taker=None)
        case e.CharacterNominated(seat=seat, character=character, bid=bid, queue=queue):
            return _replace(auction, nominator=seat, hand=Hand(character, seat, seat, bid, queue))
        case e.TakerCalled(seat=seat):
            return _replace(auction, nominator=None, hand=None, taker=seat)
        case _:
            assert_never(event)


def _bid(auction: Auction, event: _InHand) -> Auction:
    hand = auction.hand
    if hand is None:
        raise BadData("game log", f"{type(event).__name__} while no character is being auctioned")
    match event:
        case e.BidRaised(seat=seat, bid=bid):
            after = tuple(other for other in hand.queue if other != seat)
            raised = _replace(hand, leader=seat, bid=bid, queue=(*after, hand.leader))
            return _replace(auction, hand=raised)
        case e.BidPassed(seat=seat):
            queue = tuple(other for other in hand.queue if other != seat)
            return _replace(auction, hand=_replace(hand, queue=queue))
        case e.HandAnnulled():
            return _replace(auction, hand=None, nominator=None)
        case _:
            assert_never(event)


def _assign_character(state: GameState, auction: Auction, event: _Found) -> GameState:
    seat = recorded_seat(state, event.seat)
    sale = Sale(event.seat, event.character, event.price, kept=isinstance(event, e.CharacterKept))
    owner = _replace(seat, character=event.character, spent=Dollars(seat.spent + event.price))
    after = _replace(
        _remove_keeper(auction, event.seat),
        sales=(*auction.sales, sale),
        nominator=None,
        hand=None,
        taker=None,
    )
    sold = _replace(with_seat(state, owner), auction=after)
    if all(other.character is not None for other in sold.seats):
        return _replace(sold, phase=Phase.CHARACTERS)
    return sold
