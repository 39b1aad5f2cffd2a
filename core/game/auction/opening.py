"""The start of an auction, after the roles are dealt: keeping characters and turning up others."""

import msgspec

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.options import AuctionRule
from core.game.auction.automatic_steps import first_word
from core.game.auction.sales import character_sold, open_auction, recorded_auction, without_keeper
from core.game.state.auction import Auction, Sale
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import GameState, Phase, Seat, Stake
from core.game.state.reasons import GameReason
from core.game.state.seats import require_money, require_phase, seat_of
from core.rule_set import OptionKey
from core.terms import Dollars, SeatNo

_replace = msgspec.structs.replace


class AuctionOpened(Event, frozen=True, tag="auction-opened"):
    """The auction of characters began.

    ``keepers`` are the seats that may keep their last character, in order.
    """

    keepers: tuple[SeatNo, ...] = ()

    def apply(self, state: GameState) -> GameState:
        return _replace(state, phase=Phase.AUCTION, auction=Auction(keepers=self.keepers))


class CharacterKept(Event, frozen=True, tag="character-kept"):
    """A player paid the old price again to keep the same character."""

    seat: SeatNo
    character: Character
    price: Dollars

    def apply(self, state: GameState) -> GameState:
        return character_sold(state, self, Sale(self.seat, self.character, self.price, kept=True))


def begin_auction(draft: Draft, edition: Edition) -> Draft:
    """Return the draft with the auction open, if the edition has one.

    Survivors of the last game are asked first whether they keep their character (enlistment only).
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    if edition.auction is None:
        return draft
    keepers: tuple[SeatNo, ...] = ()
    if OptionKey.ENLISTMENT in edition.chosen:
        keepers = tuple(seat.seat for seat in draft.state.seats if _stake_of(seat, edition) is not None)
    return draft.then(AuctionOpened(keepers))


def require_auction(state: GameState, edition: Edition) -> AuctionRule:
    """Return the rule of the auction in progress. Raises Refused if there is none."""
    rule = edition.auction
    if rule is None:
        raise Refused(GameReason.NO_AUCTION)
    require_phase(state, Phase.AUCTION)
    return rule


class KeepCharacter(Command, frozen=True):
    """Keep the character of the last game, for the same price."""

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Keep a player's last character for its old price. Raises Refused, without revealing the dollars.

        Source: Official Score System 2003.
        """
        require_auction(state, edition)
        seat, stake = _check_keeper(state, self.seat, edition)
        assert stake.owned is not None  # only owners are asked
        for other in state.seats:
            if other.character is stake.owned:
                raise Refused(GameReason.CHARACTER_TAKEN, character=stake.owned, seat=other.seat)
        require_money(seat, stake.price, edition)
        return (CharacterKept(seat.seat, stake.owned, stake.price),)


class LeaveCharacter(Decision, frozen=True, tag="character-left"):
    """Give up the character of the last game."""

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Give up a player's last character, to bid for another one. Raises Refused."""
        require_auction(state, edition)
        _check_keeper(state, self.seat, edition)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return _replace(state, auction=without_keeper(auction, self.seat))


class RevealCharacters(Decision, frozen=True, tag="characters-revealed"):
    """Record the characters turned up at random, one for each player without one."""

    characters: tuple[Character, ...]

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Turn up one random character for each player without one. Raises Refused.

        Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
        """
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
        return first_word(Draft(state).then(self), rule, edition).events

    def apply(self, state: GameState) -> GameState:
        auction = recorded_auction(state, self)
        return _replace(state, auction=_replace(auction, revealed=self.characters))


def _stake_of(seat: Seat, edition: Edition) -> Stake | None:
    """Return a seat's stake if its character may be kept: a survivor still here, with a card of this deck."""
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
