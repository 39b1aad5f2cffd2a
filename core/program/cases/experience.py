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

_ALSO_CALLED: Mapping[str, tuple[str, ...]] = {
    "total": ("balance", "money", "dollars", "total_so_far"),
    "starting_life": ("life", "next_starting_life", "next_game_starting_life", "starting_life_points"),
    "cards_in_front": ("in_front", "cards"),
    "wanted": ("keep", "cards_wanted", "cards_kept", "requested"),
    "sheriff": ("is_sheriff", "next_role_sheriff"),
    "alive": ("survived", "alive_at_end"),
}
"""Other names under which a case may give a field."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A player between two games. total: dollars so far. cards_in_front: at the end of the last game.

    starting_life: of the next game; or its character, and whether it is the Sheriff's. wanted: cards
    that the player asks for.
    """

    total: Dollars
    cards_in_front: int | None = None
    alive: bool = True
    starting_life: int | None = None
    character: Character | None = None
    sheriff: bool = False
    wanted: int | None = None


def experience(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """The most cards that may be kept and their price; where some are asked for, whether they may.

    Source: Official Score System 2003; reading D33.
    """
    fields = msgspec.Raw(msgspec.json.encode(_named(vector, where)))
    given = decoded(fields, _Kept, f"{where}, input")
    rule = edition.options.experience or PRINTED
    life = given.starting_life
    if given.character is not None:
        life = starting_life(given.character, edition, sheriff=given.sheriff)
    in_front = given.cards_in_front if given.cards_in_front is not None else given.wanted
    if life is None or in_front is None:
        return {"unread": "neither starting_life nor character, or neither cards_in_front nor wanted"}
    most = most_cards(life, in_front if given.alive else 0, given.total, rule)
    found: dict[str, object] = {"max_cards": most, "max_cost": most * rule.dollars}
    if given.wanted is None:
        return found | {"cost": most * rule.dollars}
    allowed = 0 <= given.wanted <= most
    cost = given.wanted * rule.dollars if allowed else 0
    return found | {"allowed": allowed, "cost": cost, "total_after": given.total - cost}


def _named(vector: Vector, where: str) -> Mapping[str, object]:
    """The fields of a case by the names of ``_Kept``."""
    fields = decoded(vector.input, dict[str, object], f"{where}, input")
    for name, others in _ALSO_CALLED.items():
        for other in others:
            if name not in fields and other in fields:
                fields[name] = fields[other]
    return fields
