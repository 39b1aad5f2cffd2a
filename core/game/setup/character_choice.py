"""The choice of characters, and the life points at the start of the game."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.commands import BeginGame, ChooseCharacter
from saloon.core.game.draft import Draft
from saloon.core.game.events import CardsKept, CharacterChosen, GameBegan, GameEvent
from saloon.core.game.play.turns import passed_on, turn_start
from saloon.core.game.reasons import GameReason
from saloon.core.game.seats import require_phase, seat_of
from saloon.core.game.setup.characters import Character, life_points
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import GameState, Phase
from saloon.core.terms import Dollars


def starting_life(character: Character, edition: Edition, *, sheriff: bool) -> int:
    """Return the life points, and their maximum, that a player of this character begins with.

    Source: base game.
    """
    return life_points(character) + (edition.characters.sheriff_extra_life if sheriff else 0)


def choose_character(state: GameState, command: ChooseCharacter, edition: Edition) -> tuple[GameEvent, ...]:
    """Choose a seat's character, which nobody else may have. Raises Refused.

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
        # Another character may begin with fewer life points, which are the most cards to keep.
        return (chosen, CardsKept(command.seat, 0, Dollars(0)))
    return (chosen,)


def begin_game(state: GameState, _command: BeginGame, edition: Edition) -> tuple[GameEvent, ...]:
    """Set the life points and start the Sheriff's first turn. Raises Refused."""
    require_phase(state, Phase.CHARACTERS)
    life: list[int] = []
    for seat in state.seats:
        if seat.character is None:
            raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
        life.append(starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT))
    draft = Draft(state).then(GameBegan(tuple(life)))
    return passed_on(turn_start(draft, SHERIFF_SEAT, edition), edition).events


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
