"""Commands for a duel from the table or the judge, in addition to those for all matches."""

import msgspec

from core.characters import Character
from core.game.state.duel import Advantage, Remedy
from core.terms import SeatNo


class TurnUpCharacters(msgspec.Struct, frozen=True):
    """Name the characters that the judge turned up for a long duel."""

    characters: tuple[Character, ...]


class TakeAdvantage(msgspec.Struct, frozen=True):
    """Choose, as the better placed player, to pick first or to start."""

    advantage: Advantage


class PickCharacter(msgspec.Struct, frozen=True):
    """Pick a face-up character."""

    seat: SeatNo
    character: Character


class ShowLine(msgspec.Struct, frozen=True):
    """Turn up the top two characters of a player's pile, and place them."""

    seat: SeatNo
    front: Character
    rear: Character


class DrawStarter(msgspec.Struct, frozen=True):
    """Name the starter of a short duel."""

    seat: SeatNo


class EnterCharacter(msgspec.Struct, frozen=True):
    """Name the character that was turned up from the pile."""

    seat: SeatNo
    character: Character


class ChooseLine(msgspec.Struct, frozen=True):
    """Choose the front character at the start of a player's turn. jailed: held by Jail this turn."""

    seat: SeatNo
    front: Character
    jailed: Character | None = None


class WoundCharacter(msgspec.Struct, frozen=True):
    """Wound a character in play."""

    seat: SeatNo
    character: Character
    points: int = 1


class HealCharacter(msgspec.Struct, frozen=True):
    """Give a character in play life points back."""

    seat: SeatNo
    character: Character
    points: int = 1
    remedy: Remedy = Remedy.OTHER


class CarryWounds(msgspec.Struct, frozen=True):
    """Carry the previous character's excess wounds over to the one about to enter."""

    seat: SeatNo
    points: int = 1


class RuleDuel(msgspec.Struct, frozen=True):
    """Name the winner by the judge's ruling, for example when the time is over."""

    winner: SeatNo
    reason: str


DuelCommand = (
    TurnUpCharacters
    | TakeAdvantage
    | PickCharacter
    | ShowLine
    | DrawStarter
    | EnterCharacter
    | ChooseLine
    | WoundCharacter
    | HealCharacter
    | CarryWounds
    | RuleDuel
)
