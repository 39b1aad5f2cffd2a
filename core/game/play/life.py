"""Life points: how far they fall, and what a Beer can do."""

from typing import Final

LOWEST_LIFE: Final = -3
"""Dynamite, the hardest hit, takes three points of at least one; one tap more is counted too."""

_DUEL: Final = 2


def beer_has_effect(*, life: int, max_life: int, players_left: int) -> bool:
    """Whether a Beer gives a life point. players_left: in play, the one who drinks included.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    return players_left > _DUEL and life < max_life


def life_after_beers(*, life: int, max_life: int, beers: int, players_left: int) -> int:
    """The life points after so many Beers: 2 points, Dynamite's 3 and two Beers leave 1.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    for _ in range(beers):
        if beer_has_effect(life=life, max_life=max_life, players_left=players_left):
            life += 1
    return life
