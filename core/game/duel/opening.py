"""The moves before the first turn of a duel."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.editions.readings import ShortDuelStart
from saloon.core.game.duel.commands import (
    DrawStarter,
    PickCharacter,
    ShowLine,
    TakeAdvantage,
    TurnUpCharacters,
)
from saloon.core.game.duel.ending import BETTER_PLACED
from saloon.core.game.duel.events import (
    AdvantageTaken,
    CharacterPicked,
    CharactersTurnedUp,
    DuelEvent,
    LineShown,
    StarterDrawn,
)
from saloon.core.game.duel.state import TURNED_UP, DuelPhase, DuelState
from saloon.core.game.duel.steps import DuelDraft, begun_if_ready, require_duel_phase, require_duel_seat
from saloon.core.game.reasons import GameReason


def turn_up(duel: DuelState, command: TurnUpCharacters, edition: Edition) -> tuple[DuelEvent, ...]:
    """Turn ten different characters of the deck face up; correctable until the choice. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.FACE_UP, DuelPhase.CHOICE)
    for character in command.characters:
        if character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=character.value)
    different = len(set(command.characters))
    if different != TURNED_UP or len(command.characters) != TURNED_UP:
        raise Refused(GameReason.HOW_MANY_UP, expected=TURNED_UP, found=different)
    return (CharactersTurnedUp(command.characters),)


def take_advantage(duel: DuelState, command: TakeAdvantage) -> tuple[DuelEvent, ...]:
    """Choose for the better placed player to pick first or to start. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.CHOICE)
    return (AdvantageTaken(command.advantage),)


def pick(duel: DuelState, command: PickCharacter) -> tuple[DuelEvent, ...]:
    """Pick a free character, strictly by turns. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.DRAFT)
    require_duel_seat(command.seat)
    if command.seat != duel.picker:
        raise Refused(GameReason.PICKS_NOT_NOW, seat=command.seat)
    if command.character not in duel.face_up:
        raise Refused(GameReason.NOT_FACE_UP, character=command.character.value)
    if command.character not in duel.free:
        raise Refused(GameReason.ALREADY_PICKED, character=command.character.value)
    return (CharacterPicked(command.seat, command.character),)


def show_line(duel: DuelState, command: ShowLine) -> tuple[DuelEvent, ...]:
    """Place the top two characters of a player's pile; after both players, the first turn starts.

    The order of the others stays secret. Raises Refused.
    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.LINES)
    require_duel_seat(command.seat)
    side = duel.side(command.seat)
    if side.shown:
        raise Refused(GameReason.LINE_SHOWN, seat=command.seat)
    for character in (command.front, command.rear):
        if character not in side.picks:
            raise Refused(GameReason.NOT_OF_THIS_SIDE, character=character.value, seat=command.seat)
    if command.front is command.rear:
        raise Refused(GameReason.ONE_FOR_TWO_PLACES, character=command.front.value)
    return begun_if_ready(DuelDraft(duel).then(LineShown(command.seat, command.front, command.rear))).events


def draw_starter(duel: DuelState, command: DrawStarter, edition: Edition) -> tuple[DuelEvent, ...]:
    """Record the starter of a short duel, drawn by lot as its rules do not name one. Raises Refused.

    The reading may give the start to the better placed player instead.
    Source: reading D40.
    """
    require_duel_phase(duel, DuelPhase.OPENING)
    require_duel_seat(command.seat)
    better_placed = edition.readings.short_duel_start is ShortDuelStart.BETTER_PLACED
    if better_placed and command.seat != BETTER_PLACED:
        raise Refused(GameReason.BETTER_PLACED_STARTS)
    return begun_if_ready(DuelDraft(duel).then(StarterDrawn(command.seat))).events
