"""The bids of an auction: nominating, raising, passing, and taking a remaining character.

A player who leaves passes on the current and all later characters. If that player has the highest bid, it is
annulled and the same nominator starts again.
"""

from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.game_rules import AuctionRule
from core.game.play.auction import (
    CharacterTaken,
    LeaveCharacter,
    bidders_after,
    bidders_from,
    call_next,
    call_next_after,
    open_auction,
    price_of_taking,
    recorded_auction,
    recorded_hand,
    require_auction,
    sell_if_all_passed,
)
from core.game.state.auction import Auction, Hand
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import GameState, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import require_money, seat_of
from core.terms import Dollars, SeatNo


class HandAnnulled(Event, frozen=True, tag="hand-annulled"):
    """The highest bidder left, so nobody gets the current character."""

    character: Character

    def apply(self, state: GameState) -> GameState:
        auction, _ = recorded_hand(state, self)
        return replace(state, auction=replace(auction, hand=None, nominator=None))


class CharacterNominated(Event, frozen=True, tag="character-nominated"):
    """A character was nominated. ``queue`` has the seats that may raise, in order of bidding."""

    seat: SeatNo
    character: Character
    bid: Dollars
    queue: tuple[SeatNo, ...]

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        hand = Hand(self.character, self.seat, self.seat, self.bid, self.queue)
        return replace(state, auction=replace(auction, nominator=self.seat, hand=hand))


class Nominate(Command, frozen=True):
    """Nominate a character with a first bid, for which it is sold at once if nobody can raise it.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """

    seat: SeatNo
    character: Character
    bid: Dollars

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = require_auction(state, edition)
        seat, auction = _speaker(state, self.seat)
        if auction.hand is not None:
            raise Refused(GameReason.HAND_OPEN, character=auction.hand.character)
        _require_word(auction.nominator, auction.taker, seat.seat)
        _require_free(auction, self.character)
        _check_bid(self.bid, rule.minimum, rule)
        require_money(seat, self.bid, edition)
        queue = tuple(bidders_after(state, seat.seat, rule, edition))
        nominated = CharacterNominated(seat.seat, self.character, self.bid, queue)
        return sell_if_all_passed(Draft(state).then(nominated), rule, edition).events


class Raise(Decision, frozen=True, tag="bid-raised"):
    """Raise the bid to a new amount. Source: Championship 2010 v1.1, 1.1; the steps: reading D32."""

    seat: SeatNo
    bid: Dollars

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = require_auction(state, edition)
        seat, hand = _in_hand(state, self.seat)
        _check_bid(self.bid, Dollars(hand.bid + rule.step), rule)
        require_money(seat, self.bid, edition)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        auction, hand = recorded_hand(state, self)
        after = tuple(other for other in hand.queue if other != self.seat)
        raised = replace(hand, leader=self.seat, bid=self.bid, queue=(*after, hand.leader))
        return replace(state, auction=replace(auction, hand=raised))


class Pass(Decision, frozen=True, tag="bid-passed"):
    """Stop bidding for this character, which the last pass sells.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = require_auction(state, edition)
        _in_hand(state, self.seat)
        return sell_if_all_passed(Draft(state).then(self), rule, edition).events

    def apply(self, state: GameState) -> GameState:
        auction, hand = recorded_hand(state, self)
        queue = tuple(other for other in hand.queue if other != self.seat)
        return replace(state, auction=replace(auction, hand=replace(hand, queue=queue)))


class TakeCharacter(Command, frozen=True):
    """Take a remaining character without a bid. Source: Championship 2010 v1.1, 1.1; readings D27, D32."""

    seat: SeatNo
    character: Character

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = require_auction(state, edition)
        seat, auction = _speaker(state, self.seat)
        if auction.hand is not None:
            raise Refused(GameReason.HAND_OPEN, character=auction.hand.character)
        _require_word(auction.taker, auction.nominator, seat.seat)
        _require_free(auction, self.character)
        price = price_of_taking(seat, rule, edition)
        taken = Draft(state).then(CharacterTaken(seat.seat, self.character, price))
        return call_next_after(taken, seat.seat, rule, edition).events


def without_leaver(draft: Draft, leaver: SeatNo, rule: AuctionRule, edition: Edition) -> Draft:
    """Add the changes to the auction that a player's departure causes."""
    auction = open_auction(draft.state)
    if leaver in auction.keepers:
        return draft.then(LeaveCharacter(leaver))
    hand = auction.hand
    if hand is None:
        if leaver in {auction.nominator, auction.taker}:
            return call_next_after(draft, leaver, rule, edition)
        # The characters are not turned up yet, so it's nobody's turn to act.
        return draft
    if hand.leader == leaver:
        free = draft.then(HandAnnulled(hand.character))
        again = next(bidders_from(free.state, hand.nominator, rule, edition), None)
        return call_next(free, again, rule, edition)
    if leaver in hand.queue:
        return sell_if_all_passed(draft.then(Pass(leaver)), rule, edition)
    return draft


def _speaker(state: GameState, number: SeatNo) -> tuple[Seat, Auction]:
    seat, auction = seat_of(state, number), open_auction(state)
    if not auction.revealed:
        raise Refused(GameReason.NOT_TURNED_UP)
    if seat.character is not None:
        raise Refused(GameReason.HAS_CHARACTER, seat=seat.seat)
    return seat, auction


def _in_hand(state: GameState, number: SeatNo) -> tuple[Seat, Hand]:
    seat, auction = _speaker(state, number)
    hand = auction.hand
    if hand is None:
        raise Refused(GameReason.NO_HAND)
    if seat.seat not in hand.queue and seat.seat != hand.leader:
        raise Refused(GameReason.HAS_PASSED, seat=seat.seat)
    _require_word(hand.word, None, seat.seat)
    return seat, hand


def _require_word(word: SeatNo | None, other: SeatNo | None, seat: SeatNo) -> None:
    if word != seat:
        raise Refused(GameReason.NOT_ITS_WORD, word=other if word is None else word, seat=seat)


def _require_free(auction: Auction, character: Character) -> None:
    if character not in auction.free:
        raise Refused(GameReason.NOT_FREE, character=character)


def _check_bid(bid: Dollars, minimum: Dollars, rule: AuctionRule) -> None:
    if bid % rule.step:
        raise Refused(GameReason.BID_STEP, step=rule.step)
    if bid < minimum:
        raise Refused(GameReason.BID_TOO_LOW, minimum=minimum)
