"""Cases of experience: how many cards a player may keep for the next game."""

from collections.abc import Mapping

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.editions.options import ExperienceRule
from saloon.core.game.character_choice import starting_life
from saloon.core.game.characters import Character
from saloon.core.game.experience import most_cards
from saloon.core.program.files import decoded
from saloon.core.program.vectors import Vector
from saloon.core.terms import Dollars

PRINTED = ExperienceRule(dollars=Dollars(500))
"""The rule where the case names no edition that offers it. Source: Official Score System 2003."""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player between two games. total: dollars so far. cards_in_front: at the end of the last game.

    starting_life: of the next game; or its character, and whether it is the Sheriff's. wanted: cards
    that the player asks for.
    """

    total: Dollars
    cards_in_front: int
    alive: bool = True
    starting_life: int | None = None
    character: Character | None = None
    sheriff: bool = False
    wanted: int | None = None

    def __post_init__(self) -> None:
        if (self.starting_life is None) is (self.character is None):
            raise ValueError("either starting_life or character must be given")


def experience(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """The most cards that may be kept and their price; where some are asked for, whether they may.

    Source: Official Score System 2003; reading D33.
    """
    given = decoded(vector.input, _Kept, f"{where}, input")
    rule = edition.options.experience or PRINTED
    life = given.starting_life
    if life is None:
        assert given.character is not None  # the case has one of both
        life = starting_life(given.character, edition, sheriff=given.sheriff)
    most = most_cards(life, given.cards_in_front if given.alive else 0, given.total, rule)
    found: dict[str, object] = {"max_cards": most, "max_cost": most * rule.dollars}
    if given.wanted is not None:
        allowed = 0 <= given.wanted <= most
        cost = given.wanted * rule.dollars if allowed else 0
        found |= {"allowed": allowed, "cost": cost, "total_after": given.total - cost}
    return found
