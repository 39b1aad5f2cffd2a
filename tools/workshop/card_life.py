"""The life of a memory card under a terminal's writes. Pure functions.

A card is worn by writes to its flash, not by the bytes it receives: each small write that must be durable at
once can cost a whole page, and on the poorest cards a whole block. Both extremes are computed; a real card is
in between.
"""

from typing import Final

import msgspec

PAGE: Final = 16 * 1024
BLOCK: Final = 4 * 1024 * 1024
"""The sizes of a page and of an erase block of common flash, in bytes; from memory."""
RESERVE: Final = 0.5
"""The share of a card that wear levelling can use; a cautious guess."""


class Card(msgspec.Struct, frozen=True):
    """A kind of card. size_gb: nominal size. cycles: writes that each block survives; from memory."""

    name: str
    size_gb: int
    cycles: int


CARDS: Final = (
    Card("cheap, 16 GB (TLC)", 16, 300),
    Card("“endurance”, 16 GB", 16, 1_500),
    Card("industrial, 16 GB (pSLC)", 16, 20_000),
)


def games_of(card: Card, *, writes: float, unit: int) -> int:
    """Return how many games a card lasts. writes: those of a game. unit: bytes of flash worn by each."""
    budget = card.size_gb * 10**9 * RESERVE * card.cycles
    return int(budget / (writes * unit))
