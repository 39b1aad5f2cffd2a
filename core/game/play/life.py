"""Limits of life points, and the effect of a Beer."""

from typing import Final

LOWEST_LIFE: Final = -3
"""Dynamite, the hardest hit, takes three points of at least one; one tap more is counted too."""

_DUEL: Final = 2


def beer_has_effect(*, life: int, max_life: int, players_left: int) -> bool:
    """Return whether a Beer gives a life point. players_left: in play, including the drinker.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    return players_left > _DUEL and life < max_life


def life_after_beers(*, life: int, max_life: int, beers: int, players_left: int) -> int:
    """Return the life points after a number of Beers: 2 points less Dynamite's 3 plus two Beers are 1.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    for _ in range(beers):
        if beer_has_effect(life=life, max_life=max_life, players_left=players_left):
            life += 1
    return life
