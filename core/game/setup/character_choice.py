"""The choice of characters and kept cards, and the life points at the start.

With the experience option, survivors buy cards that they had in play for their next starting hand.
"""

from typing import ClassVar

import msgspec

from base.errors import BadData, Refused
from core.characters import MOST_LIFE_POINTS, Character, life_points
from core.editions.edition import Edition
from core.editions.options import ExperienceRule
from core.game.play.turns import forget_turn, pass_turns, turn_start
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import CardsBought, GameState, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seat_updates import recorded_seat, with_seat
from core.game.state.seats import money_left, require_phase, seat_of
from core.rule_set import OptionKey
from core.terms import SHERIFF_SEAT, Dollars, SeatNo

_replace = msgspec.structs.replace


def starting_life(character: Character | None, edition: Edition, *, sheriff: bool) -> int:
    """Return the life points, which are also the maximum, of a player with this character at the start.

    ``character`` is None if it was not entered; then the most common number is used.
    Source: base game.
    """
    points = MOST_LIFE_POINTS if character is None else life_points(character)
    return points + (edition.characters.sheriff_extra_life if sheriff else 0)


class ChooseCharacter(Decision, frozen=True, tag="character-chosen"):
    """Show the chosen character; may be changed until the game begins.

    offered: the two cards that were dealt, if known (in a rehearsal); empty for real cards.
    """

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Choose a seat's character, unless somebody else has it. Raises Refused.

        Source: Championship 2022/23 v1.4, 1.1 "The rounds".
        """
        require_phase(state, Phase.CHARACTERS)
        if edition.auction is not None:
            raise Refused(GameReason.AUCTIONED)
        seat = seat_of(state, self.seat)
        if self.character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=self.character)
        for other in state.seats:
            if other.seat != self.seat and other.character is self.character:
                raise Refused(GameReason.CHARACTER_TAKEN, character=self.character, seat=other.seat)
        _check_offer(state, self, edition)
        if seat.cards.cards and seat.character is not self.character:
            # Another character may start with fewer life points, which limit the cards to keep.
            return (self, CardsKept(self.seat, 0, Dollars(0)))
        return (self,)

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        return with_seat(state, _replace(seat, character=self.character, offered=self.offered))


class GameBegan(Event, frozen=True, tag="game-began"):
    """All characters are shown and the first turn starts.

    ``life`` contains the starting life points by seat, including the Sheriff's extra point.
    """

    life: tuple[int, ...]

    def apply(self, state: GameState) -> GameState:
        if len(self.life) != len(state.seats):
            raise BadData(
                "game log", f"{len(self.life)} life points begin a game of {len(state.seats)} seats"
            )
        pairs = zip(state.seats, self.life, strict=True)
        seats = tuple(_replace(seat, life=points, max_life=points) for seat, points in pairs)
        return _replace(state, phase=Phase.PLAYING, seats=seats)


class BeginGame(Command, frozen=True):
    """Begin the game with the Sheriff's first turn, once all characters are shown."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Set the life points and start the Sheriff's first turn. Raises Refused."""
        require_phase(state, Phase.CHARACTERS)
        life: list[int] = []
        for seat in state.seats:
            if seat.character is None and needs_characters(edition):
                raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
            life.append(starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT))
        draft = Draft(state).then(GameBegan(tuple(life)))
        return forget_turn(pass_turns(turn_start(draft, SHERIFF_SEAT, edition), edition), edition).events


def needs_characters(edition: Edition) -> bool:
    """Return whether the characters are needed to begin: they are bought, or limit kept cards."""
    return edition.auction is not None or experience_of(edition) is not None


def _check_offer(state: GameState, command: ChooseCharacter, edition: Edition) -> None:
    offered = command.offered
    if not offered:
        return
    dealt = edition.characters.dealt
    if len(offered) != dealt or len(set(offered)) != dealt:
        raise Refused(GameReason.OFFER_SIZE, expected=dealt, found=len(offered))
    if command.character not in offered:
        raise Refused(GameReason.NOT_OFFERED, character=command.character, seat=command.seat)
    for character in offered:
        if character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=character)
        for other in state.seats:
            if other.seat != command.seat and (character in other.offered or character is other.character):
                raise Refused(GameReason.OFFERED_TWICE, character=character, seat=other.seat)


def experience_of(edition: Edition) -> ExperienceRule | None:
    """Return the experience option in use, or None if it's off."""
    return edition.options.experience if OptionKey.EXPERIENCE in edition.chosen else None


def may_keep_cards(seat: Seat, edition: Edition) -> bool:
    """Return whether a seat may keep cards: its player survived the last game and hasn't left."""
    survived = seat.stake is not None and seat.stake.survived
    return experience_of(edition) is not None and survived and not seat.passive


def most_cards(life: int, in_front: int, money: Dollars, rule: ExperienceRule) -> int:
    """Return the maximum number of cards that may be kept.

    life: points at the start of the next game.
    in_front: cards that the player had in play.
    Source: Official Score System 2003; reading D33.
    """
    return max(0, min(life, in_front, max(0, money) // rule.dollars))


class CardsKept(Event, frozen=True, tag="cards-kept"):
    """A survivor kept cards from the last game.

    cards: how many, or 0 for none.
    dollars: their total price.
    """

    seat: SeatNo
    cards: int
    dollars: Dollars

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        spent = Dollars(seat.spent - seat.cards.dollars + self.dollars)
        return with_seat(state, _replace(seat, cards=CardsBought(self.cards, self.dollars), spent=spent))


class KeepCards(Command, frozen=True):
    """Start with some of the cards that the player had in play at the end of the last game."""

    seat: SeatNo
    cards: int

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Keep a number of cards; may be changed until the game begins. Raises Refused.

        Source: Official Score System 2003; reading D33.
        """
        rule = experience_of(edition)
        if rule is None:
            raise Refused(GameReason.NO_CARDS_KEPT)
        require_phase(state, Phase.CHARACTERS)
        seat = seat_of(state, self.seat)
        if not may_keep_cards(seat, edition):
            raise Refused(GameReason.DID_NOT_SURVIVE, seat=seat.seat)
        if seat.character is None:
            raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
        most = starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT)
        if not 0 <= self.cards <= most:
            raise Refused(GameReason.TOO_MANY_CARDS, seat=seat.seat, maximum=most)
        money = Dollars(money_left(seat, edition) + seat.cards.dollars)
        if most_cards(most, self.cards, money, rule) < self.cards:
            raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)
        return (CardsKept(seat.seat, self.cards, Dollars(self.cards * rule.dollars)),)
