"""The auction of characters: its opening, its sales, and who acts next. ``bidding`` has the bids.

At the end, players who have left get the remaining characters for free, in order of play.
"""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.game_rules import AuctionRule, BidOrder, FirstNominator, NextNominator
from core.game.state.auction import Auction, Hand, Sale
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import GameState, Phase, Seat, Stake
from core.game.state.reasons import GameReason
from core.game.state.seats import money_left, recorded_seat, require_money, require_phase, seat_of, with_seat
from core.rule_set import OptionKey
from core.terms import SHERIFF_SEAT, Dollars, SeatNo


class AuctionOpened(Event, frozen=True, tag="auction-opened"):
    """The auction of characters began. ``keepers`` are the seats that may keep their last character."""

    keepers: tuple[SeatNo, ...] = ()

    def apply(self, state: GameState) -> GameState:
        return replace(state, phase=Phase.AUCTION, auction=Auction(keepers=self.keepers))


class _CharacterSold(Event, frozen=True):
    is_kept: ClassVar = False
    seat: SeatNo
    character: Character
    price: Dollars

    def apply(self, state: GameState) -> GameState:
        auction = without_keeper(recorded_auction(state, self), self.seat)
        seat = recorded_seat(state, self.seat)
        owner = replace(seat, character=self.character, spent=Dollars(seat.spent + self.price))
        sale = Sale(self.seat, self.character, self.price, self.is_kept)
        auction = replace(auction, sales=(*auction.sales, sale), nominator=None, hand=None, taker=None)
        sold = replace(with_seat(state, owner), auction=auction)
        if all(other.character is not None for other in sold.seats):
            return replace(sold, phase=Phase.CHARACTERS)
        return sold


class CharacterKept(_CharacterSold, frozen=True, tag="character-kept"):
    """A player paid the old price again to keep the character of the last game."""

    is_kept: ClassVar = True


class CharacterWon(_CharacterSold, frozen=True, tag="character-won"):
    """The highest bidder won a character."""


class CharacterTaken(_CharacterSold, frozen=True, tag="character-taken"):
    """A player got a remaining character without a bid."""


def begin_auction(draft: Draft, edition: Edition) -> Draft:
    """Open the auction, if the edition has one. With enlistment, survivors may keep their last character.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    if edition.auction is None:
        return draft
    keepers: tuple[SeatNo, ...] = ()
    if OptionKey.ENLISTMENT in edition.chosen:
        keepers = tuple(seat.seat for seat in draft.state.seats if _stake_of(seat, edition) is not None)
    return draft.then(AuctionOpened(keepers))


class KeepCharacter(Command, frozen=True):
    """Keep the character of the last game for its old price. Source: Official Score System 2003."""

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_auction(state, edition)
        seat, stake = _check_keeper(state, self.seat, edition)
        assert stake.owned is not None  # only owners are asked
        for other in state.seats:
            if other.character is stake.owned:
                raise Refused(GameReason.CHARACTER_TAKEN, character=stake.owned, seat=other.seat)
        require_money(seat, stake.price, edition)
        return (CharacterKept(seat.seat, stake.owned, stake.price),)


class LeaveCharacter(Decision, frozen=True, tag="character-left"):
    """Give up the character of the last game, to bid for another one."""

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_auction(state, edition)
        _check_keeper(state, self.seat, edition)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return replace(state, auction=without_keeper(auction, self.seat))


class RevealCharacters(Decision, frozen=True, tag="characters-revealed"):
    """Enter the characters turned up at random, one for each player who doesn't have one.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """

    characters: tuple[Character, ...]

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = require_auction(state, edition)
        auction = open_auction(state)
        if auction.keepers:
            raise Refused(GameReason.KEEPER_ASKED, seat=auction.keepers[0])
        if auction.revealed:
            raise Refused(GameReason.TURNED_UP)
        for character in self.characters:
            if character not in edition.characters.deck:
                raise Refused(GameReason.NOT_IN_DECK, character=character)
            for seat in state.seats:
                if seat.character is character:
                    raise Refused(GameReason.CHARACTER_TAKEN, character=character, seat=seat.seat)
        expected = sum(seat.character is None for seat in state.seats)
        different = len(set(self.characters))
        if len(self.characters) != expected or different != expected:
            raise Refused(GameReason.HOW_MANY_UP, expected=expected, found=different)
        first = next(bidders_from(state, first_place(state, rule), rule, edition), None)
        return call_next(Draft(state).then(self), first, rule, edition).events

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return replace(state, auction=replace(auction, revealed=self.characters))


def _stake_of(seat: Seat, edition: Edition) -> Stake | None:
    stake = seat.stake
    if stake is None or not stake.survived or seat.passive or stake.owned not in edition.characters.deck:
        return None
    return stake


def _check_keeper(state: GameState, number: SeatNo, edition: Edition) -> tuple[Seat, Stake]:
    seat = seat_of(state, number)
    stake = _stake_of(seat, edition)
    if stake is None or seat.seat not in open_auction(state).keepers:
        raise Refused(GameReason.NOT_A_KEEPER, seat=seat.seat)
    return seat, stake


def require_auction(state: GameState, edition: Edition) -> AuctionRule:
    """Return the rule of the auction in progress. Raises Refused if there is none."""
    rule = edition.auction
    if rule is None:
        raise Refused(GameReason.NO_AUCTION)
    require_phase(state, Phase.AUCTION)
    return rule


def open_auction(state: GameState) -> Auction:
    assert state.auction is not None  # the phase was checked earlier
    return state.auction


def recorded_auction(state: GameState, event: Event) -> Auction:
    """Return the auction to which an event belongs. Raises BadData if there is none."""
    if state.auction is None:
        raise BadData("game log", f"{type(event).__name__} without an auction")
    return state.auction


def recorded_hand(state: GameState, event: Event) -> tuple[Auction, Hand]:
    """Return the auction and its current character. Raises BadData if there is none."""
    auction = recorded_auction(state, event)
    if auction.hand is None:
        raise BadData("game log", f"{type(event).__name__} while no character is being auctioned")
    return auction, auction.hand


def without_keeper(auction: Auction, seat: SeatNo) -> Auction:
    return replace(auction, keepers=tuple(other for other in auction.keepers if other != seat))


class NominatorCalled(Event, frozen=True, tag="nominator-called"):
    """It became a player's turn to nominate a character."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return replace(state, auction=replace(auction, nominator=self.seat, hand=None, taker=None))


class TakerCalled(Event, frozen=True, tag="taker-called"):
    """It became the turn of a player who can't bid to take one of the remaining characters."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return replace(state, auction=replace(auction, nominator=None, hand=None, taker=self.seat))


def is_bidder(seat: Seat, rule: AuctionRule, edition: Edition) -> bool:
    """Return whether a player needs a character, is present and can afford the minimum bid.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D26.
    """
    if seat.character is not None or seat.passive:
        return False
    left = money_left(seat, edition)
    return left > 0 and left >= rule.minimum


def bidders_from(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Yield the bidders in the order of bidding, starting with this seat if it can bid."""
    first, *others = (*state.seats[seat - 1 :], *state.seats[: seat - 1])
    if rule.order is BidOrder.COUNTERCLOCKWISE:
        others.reverse()
    return (other.seat for other in (first, *others) if is_bidder(other, rule, edition))


def bidders_after(state: GameState, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Iterator[SeatNo]:
    """Yield the other bidders in the order of bidding, starting after this seat."""
    return (other for other in bidders_from(state, seat, rule, edition) if other != seat)


def first_place(state: GameState, rule: AuctionRule) -> SeatNo:
    """Return the seat that nominates first, if its player can bid.

    Source: Championship 2010 v1.1, 1.1; to the right of the Sheriff: Official Score System 2003.
    """
    match rule.first_nominator:
        case FirstNominator.SHERIFF:
            return SHERIFF_SEAT
        case FirstNominator.RIGHT_OF_SHERIFF:
            return SeatNo(len(state.seats))


def price_of_taking(seat: Seat, rule: AuctionRule, edition: Edition) -> Dollars:
    """Return the price of a character taken without a bid: the edition's fee, or all dollars if less.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    return Dollars(min(rule.last_pays, max(0, money_left(seat, edition))))


def sell_if_all_passed(draft: Draft, rule: AuctionRule, edition: Edition) -> Draft:
    """Sell the current character to the leader once all others have passed, and call the next nominator.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003; reading D32.
    """
    hand = open_auction(draft.state).hand
    if hand is None or hand.queue:
        return draft
    sold = draft.then(CharacterWon(hand.leader, hand.character, hand.bid))
    match rule.next_nominator:
        case NextNominator.FROM_WINNER:
            return call_next_after(sold, hand.leader, rule, edition)
        case NextNominator.FROM_NOMINATOR:
            return call_next_after(sold, hand.nominator, rule, edition)


def call_next_after(draft: Draft, seat: SeatNo, rule: AuctionRule, edition: Edition) -> Draft:
    """Call the next bidder after a seat to nominate a character, or else somebody to take one."""
    return call_next(draft, next(bidders_after(draft.state, seat, rule, edition), None), rule, edition)


def call_next(draft: Draft, nominator: SeatNo | None, rule: AuctionRule, edition: Edition) -> Draft:
    """Call a seat to nominate a character. If nobody can bid, assign the remaining characters instead."""
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
