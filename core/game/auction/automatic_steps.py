"""The automatic course of an auction: the next seat to act, and the last characters.

A player who leaves passes on the current and all later characters. If that player has the highest bid,
the bid is annulled and the same nominator starts again; a character already bought, and its price, stay.
At the end, players who have left get the remaining characters for free, in order of play.
"""

from collections.abc import Iterator

import msgspec

from core.characters import Character
from core.editions.edition import Edition
from core.editions.options import AuctionRule, BidOrder, FirstNominator, NextNominator
from core.game.auction.sales import character_sold, open_auction, recorded_auction
from core.game.state.auction import Sale
from core.game.state.decisions import Draft, Event
from core.game.state.game import GameState, Phase, Seat
from core.game.state.seats import money_left
from core.terms import SHERIFF_SEAT, Dollars, SeatNo

_replace = msgspec.structs.replace


class NominatorCalled(Event, frozen=True, tag="nominator-called"):
    """A player is called to nominate a character."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return _replace(state, auction=_replace(auction, nominator=self.seat, hand=None, taker=None))


class TakerCalled(Event, frozen=True, tag="taker-called"):
    """A player who couldn't bid is called to take a character."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return _replace(state, auction=_replace(auction, nominator=None, hand=None, taker=self.seat))


class CharacterWon(Event, frozen=True, tag="character-won"):
    """The highest bidder won the character. ``price`` is in dollars."""

    seat: SeatNo
    character: Character
    price: Dollars

    def apply(self, state: GameState) -> GameState:
        return character_sold(state, self, Sale(self.seat, self.character, self.price))


class CharacterTaken(Event, frozen=True, tag="character-taken"):
    """A player got a character without a bid: the last one, or a remaining one. ``price`` is in dollars."""

    seat: SeatNo
    character: Character
    price: Dollars

    def apply(self, state: GameState) -> GameState:
        return character_sold(state, self, Sale(self.seat, self.character, self.price))


def is_bidder(seat: Seat, rule: AuctionRule, edition: Edition) -> bool:
    """Return whether a seat can bid: it has no character, its player is present and can afford a bid.

    A player with less than the minimum bid always passes and never nominates.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D26.
    """
    if seat.character is not None or seat.passive:
        return False
    left = money_left(seat, edition)
    return left > 0 and left >= rule.minimum


def bidders_from(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Yield the bidders in the order of bidding, starting with this seat if it can bid."""
    return (other.seat for other in _round_from(state, seat, rule.order) if is_bidder(other, rule, edition))


def bidders_after(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Yield the other bidders in the order of bidding, starting after this seat."""
    return (other for other in bidders_from(state, seat, rule, edition) if other != seat)


def first_place(state: GameState, rule: AuctionRule) -> SeatNo:
    """Return the seat where the search for the first nominator starts.

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


def price_of_taking(seat: Seat, rule: AuctionRule, edition: Edition) -> Dollars:
    """Return the price of a character taken without a bid: the edition's fee, or all remaining dollars.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    return Dollars(min(rule.last_pays, max(0, money_left(seat, edition))))


def first_word(draft: Draft, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the first nominator called, after the characters were turned up."""
    first = next(bidders_from(draft.state, first_place(draft.state, rule), rule, edition), None)
    return assign_next(draft, first, rule, edition)


def hammer(draft: Draft, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the sale and its consequences, once all others have passed.

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
    """Return the draft with the next seat called to nominate, or to take a remaining character."""
    return assign_next(draft, next(bidders_after(draft.state, after, rule, edition), None), rule, edition)


def assign_next(draft: Draft, nominator: SeatNo | None, rule: AuctionRule, edition: Edition) -> Draft:
    """Return the draft with the next act: a nomination, or taking or getting a remaining character."""
    while draft.state.phase is Phase.AUCTION:
        without = tuple(seat for seat in draft.state.seats if seat.character is None)
        if len(without) == 1:
            draft = _take_last_character(draft, without[0], rule, edition)
        elif nominator is not None:
            return draft.then(NominatorCalled(nominator))
        elif here := [seat for seat in without if not seat.passive]:
            return draft.then(TakerCalled(here[0].seat))
        else:
            draft = _take_last_character(draft, without[0], rule, edition)
    return draft


def _take_last_character(draft: Draft, seat: Seat, rule: AuctionRule, edition: Edition) -> Draft:
    price = Dollars(0) if seat.passive else price_of_taking(seat, rule, edition)
    return draft.then(CharacterTaken(seat.seat, open_auction(draft.state).free[0], price))
