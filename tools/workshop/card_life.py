"""The life of a memory card under a terminal's writes. Pure.

A card wears by the writes of its flash, not by those it receives: each small write that must be safe at once
can cost a page, and on the poorest cards a whole block. Both extremes are computed; a real card is in
between.
"""

from typing import Final

import msgspec

PAGE: Final = 16 * 1024
BLOCK: Final = 4 * 1024 * 1024
"""A page and an erase block of common flash, in bytes; from memory."""
RESERVE: Final = 0.5
"""The share of a card that wear levelling can really use; a cautious guess."""


class Card(msgspec.Struct, frozen=True):
    """A kind of card. size_gb: as sold. cycles: writes that each block survives; from memory."""

    name: str
    size_gb: int
    cycles: int


CARDS: Final = (
    Card("cheap, 16 GB (TLC)", 16, 300),
    Card("“endurance”, 16 GB", 16, 1_500),
    Card("industrial, 16 GB (pSLC)", 16, 20_000),
)


def games_of(card: Card, *, writes: float, unit: int) -> int:
    """Return the number of games a card lasts if each of a game's writes costs ``unit`` bytes of flash."""
    budget = card.size_gb * 10**9 * RESERVE * card.cycles
    return int(budget / (writes * unit))
