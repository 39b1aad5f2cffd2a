"""Events of a duel. Seat 1 is the better placed player."""

import msgspec

from core.characters import Character
from core.game.state.duel import Advantage, DuelBecause
from core.terms import SeatNo


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class CharactersTurnedUp(_Event, frozen=True, tag="characters-turned-up"):
    """The characters of a long duel were turned up."""

    characters: tuple[Character, ...]


class AdvantageTaken(_Event, frozen=True, tag="advantage-taken"):
    """The better placed player chose to pick first or to start; the opponent gets the other."""

    advantage: Advantage


class CharacterPicked(_Event, frozen=True, tag="character-picked"):
    """A player picked a face-up character."""

    seat: SeatNo
    character: Character


class LineShown(_Event, frozen=True, tag="line-shown"):
    """A player turned up the top two characters of the pile and placed them."""

    seat: SeatNo
    front: Character
    rear: Character


class StarterDrawn(_Event, frozen=True, tag="starter-drawn"):
    """The starter of a short duel was drawn by lot."""

    seat: SeatNo


class CharacterEntered(_Event, frozen=True, tag="character-entered"):
    """The next character of a pile entered, with the wounds carried over to it."""

    seat: SeatNo
    character: Character


class DuelTurnStarted(_Event, frozen=True, tag="duel-turn-started"):
    """The turn of a seat started."""

    seat: SeatNo


class LineChosen(_Event, frozen=True, tag="line-chosen"):
    """A player named the front character before drawing. jailed: held by Jail this turn."""

    seat: SeatNo
    front: Character
    jailed: Character | None = None


class CharacterWounded(_Event, frozen=True, tag="character-wounded"):
    """A character in play lost life points."""

    seat: SeatNo
    character: Character
    points: int = 1


class CharacterHealed(_Event, frozen=True, tag="character-healed"):
    """A character in play regained life points, up to its maximum."""

    seat: SeatNo
    character: Character
    points: int = 1


class WoundsCarried(_Event, frozen=True, tag="wounds-carried"):
    """Excess wounds were carried over to the character that enters next."""

    seat: SeatNo
    points: int = 1


class CharacterOut(_Event, frozen=True, tag="character-out"):
    """A character is eliminated. excess: wounds carried over to the next one."""

    seat: SeatNo
    character: Character
    excess: int = 0


class DuelWon(_Event, frozen=True, tag="duel-won"):
    """The duel is over. ruling: the judge's reason, if the judge decided it."""

    winner: SeatNo
    because: DuelBecause
    ruling: str = ""


DuelEvent = (
    CharactersTurnedUp
    | AdvantageTaken
    | CharacterPicked
    | LineShown
    | StarterDrawn
    | CharacterEntered
    | DuelTurnStarted
    | LineChosen
    | CharacterWounded
    | CharacterHealed
    | WoundsCarried
    | CharacterOut
    | DuelWon
)
