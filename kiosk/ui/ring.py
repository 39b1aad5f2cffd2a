"""The ring: panels along the edge, each turned to its player, and the middle that all share.

Seats go clockwise, as at the table: the player to the left of seat 1 is seat 2. The long sides of
the glass take up to three players each, the short sides one, or two at the largest tables. A tall
glass is a wide one, turned.
"""

from functools import lru_cache
from typing import Final

import msgspec

from saloon.kiosk.ui.geometry import Glass, Rect, turned

GAP_MM: Final = 2.0
STRIP_MM: Final = 4.6
"""A line of the strip that tells how far the table's entries have come; a narrow strip has two."""
NAME_ROW_MM: Final = 5.5
NUMERAL_MM: Final = 11.0
"""The height of the life points, and of the hold for the menu, where they stand above the buttons."""
_RIM_MM: Final = 0.6
_TOURNAMENT_SEATS: Final = 7
_ONE_AT_A_SHORT_SIDE: Final = 8
_SMALL_GLASS_MM: Final = 70.0

_SIDES: Final = {
    2: (1, 0, 1, 0),
    3: (1, 1, 1, 0),
    4: (2, 0, 2, 0),
    5: (2, 1, 2, 0),
    6: (3, 0, 3, 0),
    7: (3, 1, 3, 0),
    8: (3, 1, 3, 1),
    9: (3, 1, 3, 2),
    10: (3, 2, 3, 2),
}
"""Players at the bottom, left, top and right of a wide glass."""


class Place(msgspec.Struct, frozen=True):
    """Where a player's panel lies, and how it is turned."""

    rect: Rect
    quarter_turns: int


class Ring(msgspec.Struct, frozen=True):
    """Places by seat, index 0 is seat 1; the middle; the strip under it."""

    places: tuple[Place, ...]
    middle: Rect
    strip: Rect


def life_button_mm(glass: Glass, seats: int) -> float:
    """The least side of plus and minus: 18 mm; less on a small glass and at a crowded table."""
    if min(glass.width, glass.height) / glass.px_per_mm < _SMALL_GLASS_MM:
        return 13.0
    if seats <= _TOURNAMENT_SEATS:
        return 18.0
    return 15.0 if seats <= _ONE_AT_A_SHORT_SIDE else 13.5


@lru_cache(maxsize=16)
def ring(glass: Glass, seats: int) -> Ring:
    """The places of so many seats, 2 to 10."""
    life = life_button_mm(glass, seats)
    depth = glass.mm(NAME_ROW_MM + life + _RIM_MM)
    deep = glass.mm(NAME_ROW_MM + 2 * life + GAP_MM + _RIM_MM)
    if seats > _ONE_AT_A_SHORT_SIDE:
        # Two share a short side: the life points stand above plus and minus, not beside them.
        deep += glass.mm(NUMERAL_MM + GAP_MM)
    if glass.width >= glass.height:
        places, middle = _wide(glass.rect, _SIDES[seats], (depth, deep, glass.mm(GAP_MM)))
    else:
        size = glass.height, glass.width
        lying, middle = _wide(Rect(0, 0, *size), _SIDES[seats], (depth, deep, glass.mm(GAP_MM)))
        places = tuple(Place(turned(p.rect, size, 1), (p.quarter_turns + 1) % 4) for p in lying)
        middle = turned(middle, size, 1)
    lines = 1 if glass.width >= glass.height else 2
    strip, middle = middle.foot(lines * glass.mm(STRIP_MM), glass.mm(0.8))
    return Ring(places, middle, strip)


def _wide(
    room: Rect, sides: tuple[int, int, int, int], sizes: tuple[int, int, int]
) -> tuple[tuple[Place, ...], Rect]:
    bottom, left, top, right = sides
    depth, deep, gap = sizes
    low, middle = room.foot(depth, gap)
    high, middle = middle.top(depth, gap)
    places = [Place(rect, 0) for rect in reversed(low.columns([1] * bottom, gap))]
    if left:
        rect, middle = middle.left(deep, gap)
        places += [Place(spot, 1) for spot in reversed(rect.rows([1] * left, gap))]
    places += [Place(rect, 2) for rect in high.columns([1] * top, gap)]
    if right:
        rect, middle = middle.end(deep, gap)
        places += [Place(spot, 3) for spot in rect.rows([1] * right, gap)]
    return tuple(places), middle
