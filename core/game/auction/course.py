"""Automatic consequences in an auction: the next seat to speak, and the last characters.

A player who leaves passes in the hand and in all later ones; if that player's bid was the highest, it is
void with its hand, which the same nominator starts again; a character already bought, and its price, stay.
At the end, players who left get what remains for nothing, in the order of play, in the order turned up.
"""

from saloon.core.editions.auction_rule import AuctionRule, NextNominator
from saloon.core.editions.edition import Edition
from saloon.core.game.auction.events import (
    BidPassed,
    CharacterLeft,
    CharacterTaken,
    CharacterWon,
    HandAnnulled,
    NominatorCalled,
    TakerCalled,
)
from saloon.core.game.auction.order import bidders_after, bidders_from, first_place
from saloon.core.game.auction.state import Auction, Hand
from saloon.core.game.draft import Draft
from saloon.core.game.ending.money import money_left
from saloon.core.game.state import GameState, Phase, Seat
from saloon.core.terms import Dollars, SeatNo


def price_of_taking(seat: Seat, rule: AuctionRule, edition: Edition) -> Dollars:
    """Return the price of a character taken without a bid: the edition's fee, or the dollars left.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    return Dollars(min(rule.last_pays, max(0, money_left(seat, edition))))


def first_word(draft: Draft, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the first nominator called, once the characters are turned up."""
    first = next(bidders_from(draft.state, first_place(draft.state, rule), rule, edition), None)
    return _given(draft, first, rule, edition)


def hammer(draft: Draft, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the sale and what follows it, if all others have passed.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    hand = open_auction(draft.state).hand
    if hand is None or hand.queue:
        return draft
    sold = draft.then(CharacterWon(hand.leader, hand.character, hand.bid))
    match rule.next_nominator:
        case NextNominator.FROM_WINNER:
            return next_word(sold, hand.leader, rule, edition)
        case NextNominator.FROM_NOMINATOR:
            return next_word(sold, hand.nominator, rule, edition)


def next_word(draft: Draft, after: SeatNo, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the next seat after this one called to nominate, or to take what is left."""
    return _given(draft, next(bidders_after(draft.state, after, rule, edition), None), rule, edition)


def without_leaver(draft: Draft, leaver: SeatNo, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft of an auction without a player who just left and is already passive."""
    auction = open_auction(draft.state)
    if leaver in auction.keepers:
        return draft.then(CharacterLeft(leaver))
    hand = auction.hand
    if hand is None:
        if leaver in {auction.nominator, auction.taker}:
            return next_word(draft, leaver, rule, edition)
        # Nobody has the word only before the characters are turned up.
        return draft
    if hand.leader == leaver:
        return _annulled(draft, hand, rule, edition)
    if leaver in hand.queue:
        return hammer(draft.then(BidPassed(leaver)), rule, edition)
    return draft


def open_auction(state: GameState) -> Auction:
    """Return the auction in progress."""
    assert state.auction is not None  # the phase was checked earlier
    return state.auction


def _annulled(draft: Draft, hand: Hand, rule: AuctionRule, edition: Edition) -> Draft:
    free = draft.then(HandAnnulled(hand.character))
    again = next(bidders_from(free.state, hand.nominator, rule, edition), None)
    return _given(free, again, rule, edition)


def _given(draft: Draft, nominator: SeatNo | None, rule: AuctionRule, edition: Edition) -> Draft:
    while draft.state.phase is Phase.AUCTION:
        without = tuple(seat for seat in draft.state.seats if seat.character is None)
        if len(without) == 1:
            draft = _taken(draft, without[0], rule, edition)
        elif nominator is not None:
            return draft.then(NominatorCalled(nominator))
        elif here := [seat for seat in without if not seat.passive]:
            return draft.then(TakerCalled(here[0].seat))
        else:
            draft = _taken(draft, without[0], rule, edition)
    return draft


def _taken(draft: Draft, seat: Seat, rule: AuctionRule, edition: Edition) -> Draft:
    price = Dollars(0) if seat.passive else price_of_taking(seat, rule, edition)
    return draft.then(CharacterTaken(seat.seat, open_auction(draft.state).free[0], price))
