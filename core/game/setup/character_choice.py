"""The choice of characters and kept cards, and the life points at the start.

With the experience option, survivors buy cards that they had in play for their next starting hand.
"""

from base.errors import Refused
from core.characters import MOST_LIFE_POINTS, Character, life_points
from core.editions.edition import Edition
from core.editions.options import ExperienceRule
from core.game.commands import BeginGame, ChooseCharacter, KeepCards
from core.game.events import CardsKept, CharacterChosen, GameBegan, GameEvent
from core.game.play.turns import forget_turn, pass_turns, turn_start
from core.game.state.decisions import Draft
from core.game.state.game import GameState, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import money_left, require_phase, seat_of
from core.rule_set import OptionKey
from core.terms import SHERIFF_SEAT, Dollars


def starting_life(character: Character | None, edition: Edition, *, sheriff: bool) -> int:
    """Return the life points, which are also the maximum, of a player with this character at the start.

    character: None if it was not entered; then the most common number is used.
    Source: base game.
    """
    points = MOST_LIFE_POINTS if character is None else life_points(character)
    return points + (edition.characters.sheriff_extra_life if sheriff else 0)


def choose_character(state: GameState, command: ChooseCharacter, edition: Edition) -> tuple[GameEvent, ...]:
    """Choose a seat's character, unless somebody else has it. Raises Refused.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """
    require_phase(state, Phase.CHARACTERS)
    if edition.auction is not None:
        raise Refused(GameReason.AUCTIONED)
    seat = seat_of(state, command.seat)
    if command.character not in edition.characters.deck:
        raise Refused(GameReason.NOT_IN_DECK, character=command.character)
    for other in state.seats:
        if other.seat != command.seat and other.character is command.character:
            raise Refused(GameReason.CHARACTER_TAKEN, character=command.character, seat=other.seat)
    _check_offer(state, command, edition)
    chosen = CharacterChosen(command.seat, command.character, command.offered)
    if seat.cards.cards and seat.character is not command.character:
        # Another character may start with fewer life points, which limit the cards to keep.
        return (chosen, CardsKept(command.seat, 0, Dollars(0)))
    return (chosen,)


def begin_game(state: GameState, _command: BeginGame, edition: Edition) -> tuple[GameEvent, ...]:
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
    """Return the experience option in use; None if it's off."""
    return edition.options.experience if OptionKey.EXPERIENCE in edition.chosen else None


def may_keep_cards(seat: Seat, edition: Edition) -> bool:
    """Return whether a seat may keep cards: its player survived the last game and hasn't left."""
    survived = seat.stake is not None and seat.stake.survived
    return experience_of(edition) is not None and survived and not seat.passive


def most_cards(life: int, in_front: int, money: Dollars, rule: ExperienceRule) -> int:
    """Return the maximum number of cards that may be kept.

    life: points at the start of the next game. in_front: cards that the player had in play.
    Source: Official Score System 2003; reading D33.
    """
    return max(0, min(life, in_front, max(0, money) // rule.dollars))


def keep_cards(state: GameState, command: KeepCards, edition: Edition) -> tuple[GameEvent, ...]:
    """Keep a number of cards; may be changed until the game begins. Raises Refused.

    Source: Official Score System 2003; reading D33.
    """
    rule = experience_of(edition)
    if rule is None:
        raise Refused(GameReason.NO_CARDS_KEPT)
    require_phase(state, Phase.CHARACTERS)
    seat = seat_of(state, command.seat)
    if not may_keep_cards(seat, edition):
        raise Refused(GameReason.DID_NOT_SURVIVE, seat=seat.seat)
    if seat.character is None:
        raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
    most = starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT)
    if not 0 <= command.cards <= most:
        raise Refused(GameReason.TOO_MANY_CARDS, seat=seat.seat, maximum=most)
    money = Dollars(money_left(seat, edition) + seat.cards.dollars)
    if most_cards(most, command.cards, money, rule) < command.cards:
        raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)
    return (CardsKept(seat.seat, command.cards, Dollars(command.cards * rule.dollars)),)
