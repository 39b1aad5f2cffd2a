"""The sixteen characters of the base game and their printed life points."""

from enum import Enum
from typing import Final


class Character(Enum):
    """A character card; the value is the printed name."""

    BART_CASSIDY = "Bart Cassidy"
    BLACK_JACK = "Black Jack"
    CALAMITY_JANET = "Calamity Janet"
    EL_GRINGO = "El Gringo"
    JESSE_JONES = "Jesse Jones"
    JOURDONNAIS = "Jourdonnais"
    KIT_CARLSON = "Kit Carlson"
    LUCKY_DUKE = "Lucky Duke"
    PAUL_REGRET = "Paul Regret"
    PEDRO_RAMIREZ = "Pedro Ramirez"
    ROSE_DOOLAN = "Rose Doolan"
    SID_KETCHUM = "Sid Ketchum"
    SLAB_THE_KILLER = "Slab the Killer"
    SUZY_LAFAYETTE = "Suzy Lafayette"
    VULTURE_SAM = "Vulture Sam"
    WILLY_THE_KID = "Willy the Kid"


MOST_LIFE_POINTS: Final = 4
"""The printed life points of most characters."""


def life_points(character: Character) -> int:
    """Return the printed life points of a character, without the Sheriff's extra one. Source: base game."""
    match character:
        case Character.EL_GRINGO | Character.PAUL_REGRET:
            return 3
        case _:
            return MOST_LIFE_POINTS
