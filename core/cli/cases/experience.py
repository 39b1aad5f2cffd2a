"""Cases of experience: how many cards a player may keep for the next game."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from saloon.base.errors import BadData
from saloon.core.cli.cases.fields import named
from saloon.core.cli.cases.refusals import MORE_THAN_LIFE, NOT_IN_FRONT, TOO_LITTLE_MONEY
from saloon.core.cli.cases.vectors import Vector
from saloon.core.cli.files import decoded
from saloon.core.editions.edition import Edition
from saloon.core.editions.options import ExperienceRule
from saloon.core.game.setup.character_choice import starting_life
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.experience import most_cards
from saloon.core.terms import Dollars

PRINTED = ExperienceRule(dollars=Dollars(500))
"""The rule where the case names no edition that offers it. Source: Official Score System 2003."""

_ALSO_CALLED: Mapping[str, tuple[str, ...]] = {
    "total": ("balance", "money", "dollars", "total_so_far"),
    "starting_life": ("life", "next_starting_life", "next_game_starting_life", "starting_life_points"),
    "cards_in_front": ("in_front", "cards"),
    "wanted": ("keep", "kept", "cards_wanted", "cards_kept", "requested"),
    "sheriff": ("is_sheriff", "next_role_sheriff"),
    "alive": ("survived", "alive_at_end"),
}
"""Other names under which a case may give a field."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A player between two games. total: dollars so far. cards_in_front: at the end of the last game.

    Cards are a number or their names. starting_life: of the next game; or its character, and whether it
    is the Sheriff's. wanted: cards that the player asks for.
    """

    total: Dollars
    cards_in_front: int | tuple[str, ...] | None = None
    alive: bool = True
    starting_life: int | None = None
    character: Character | None = None
    sheriff: bool = False
    wanted: int | tuple[str, ...] | None = None


def experience(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the most cards that may be kept and their price; where some are asked for, whether they may.

    Source: Official Score System 2003; reading D33.
    """
    given = decoded(named(vector.input, _ALSO_CALLED, where), _Kept, f"{where}, input")
    rule = edition.options.experience or PRINTED
    life = given.starting_life
    if given.character is not None:
        life = starting_life(given.character, edition, sheriff=given.sheriff)
    in_front = given.cards_in_front if given.cards_in_front is not None else given.wanted
    if life is None or in_front is None:
        raise BadData(f"{where}, input", "the starting life, or the cards in front, are missing")
    lying = _count(in_front) if given.alive else 0
    most = most_cards(life, lying, given.total, rule)
    found: dict[str, object] = {"max_cards": most, "max_cost": most * rule.dollars}
    if given.wanted is None:
        return found | {"cost": most * rule.dollars}
    wanted = _count(given.wanted)
    reason = _refusal(given, wanted, lying, life, most)
    kept = 0 if reason else wanted
    cost = kept * rule.dollars
    allowed = dict.fromkeys(("allowed", "accepted"), reason is None)
    hand = {"drawn_cards": life - kept, "hand_size": life}
    return {**found, **allowed, **hand, "reason": reason, "cost": cost, "total_after": given.total - cost}


def _refusal(given: _Kept, wanted: int, lying: int, life: int, most: int) -> str | None:
    in_front, names = given.cards_in_front, given.wanted
    if isinstance(in_front, tuple) and isinstance(names, tuple) and Counter(names) - Counter(in_front):
        return NOT_IN_FRONT
    if not 0 <= wanted <= lying:
        return NOT_IN_FRONT
    if wanted > life:
        return MORE_THAN_LIFE
    return TOO_LITTLE_MONEY if wanted > most else None


def _count(cards: int | tuple[str, ...]) -> int:
    return cards if isinstance(cards, int) else len(cards)
