"""The ring layout: panels around the edge, each turned towards its player, and a shared middle.

Seats go clockwise: seat 2 is to the left of seat 1. The long sides of the screen take up to three players
each, the short sides one, or two at the largest tables. A portrait screen has the same places as a landscape
one, turned.
"""

from typing import Final

import msgspec

from kiosk.ui.geometry import Rect, ScreenGeometry, rotate_within

GAP_MM: Final = 2.0
RIM_MM: Final = 1.0
"""The gap between a card and the rim of the screen, where touches still reach the card's buttons."""
STRIP_MM: Final = 4.6
"""The height of a line in the status strip; a narrow strip has two lines."""
NUMERAL_MM: Final = 13.0
"""The height of the life points and the hold area if they are above the buttons."""
NEAR_MM: Final = 1.5
"""The gap between a button and the hold area beside it, where a stray tap does nothing."""
_NAME_ROW_MM: Final = 5.5
_SMALL_NAME_ROW_MM: Final = 4.6
_REACH_MM: Final = 1.6
_PAD_MM: Final = 0.6
"""The gap between a button and the edge of its card."""
_TOURNAMENT_SEATS: Final = 7
_ONE_AT_A_SHORT_SIDE: Final = 8
_DUEL: Final = 2
_DUELIST_MM: Final = 1.0
"""Additional height for a character's name on a card with the life points below it."""
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
"""The numbers of players at the bottom, left, top and right of a landscape screen."""


class CardPlace(msgspec.Struct, frozen=True):
    """The place and direction of a player's card.

    ``rim`` is the number of touchable pixels below the card.
    """

    rect: Rect
    quarter_turns: int
    rim: int = 0


class TableLayout(msgspec.Struct, frozen=True):
    """A layout: places by seat (index 0 is seat 1), the middle, and the status strip.

    button_mm: the minimum side of plus and minus.
    reach_mm: how far their touch areas extend into the name row.
    """

    places: tuple[CardPlace, ...]
    middle: Rect
    strip: Rect
    button_mm: float
    reach_mm: float


def life_button_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return the minimum side of plus and minus: 18 mm, 15 mm at a crowded table, 13 mm on a small screen."""
    if is_small(glass):
        return 13.0
    return 18.0 if seats <= _TOURNAMENT_SEATS else 15.0


def name_row_mm(glass: ScreenGeometry) -> float:
    """Return the height of a card's name row."""
    return _SMALL_NAME_ROW_MM if is_small(glass) else _NAME_ROW_MM


def reach_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return how far the touch areas of plus and minus extend into the name row of low cards."""
    return _REACH_MM if is_small(glass) or seats > _TOURNAMENT_SEATS else 0.0


def is_small(glass: ScreenGeometry) -> bool:
    """Return whether the screen is small, about five inches."""
    return min(glass.width, glass.height) / glass.px_per_mm < _SMALL_GLASS_MM


def card_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return the minimum height of a card with a name above plus, minus and life points."""
    high = name_row_mm(glass) - reach_mm(glass, seats) + life_button_mm(glass, seats) + _PAD_MM
    return high + _DUELIST_MM if seats == _DUEL else high


def ring_layout(glass: ScreenGeometry, seats: int) -> TableLayout:
    """Return the places of 2 to 10 seats in the ring layout."""
    rim, gap = glass.mm(RIM_MM), glass.mm(GAP_MM)
    depth = glass.mm(card_mm(glass, seats)) - rim // 2
    deep = depth + glass.mm(life_button_mm(glass, seats)) + gap
    # If two players share a short side, the life points are above plus and minus.
    deeper = deep + glass.mm(NUMERAL_MM + NEAR_MM + reach_mm(glass, seats))
    sizes = depth, (deep, deeper), gap
    if glass.width >= glass.height:
        places, middle = _wide(glass.rect.inset(rim), _SIDES[seats], sizes)
    else:
        size = glass.height, glass.width
        lying, middle = _wide(Rect(0, 0, *size).inset(rim), _SIDES[seats], sizes)
        places = tuple(CardPlace(rotate_within(p.rect, size, 1), (p.quarter_turns + 1) % 4) for p in lying)
        middle = rotate_within(middle, size, 1)
    lines = 1 if glass.width >= glass.height or seats > _ONE_AT_A_SHORT_SIDE else 2
    strip, middle = middle.split_bottom(lines * glass.mm(STRIP_MM), glass.mm(0.8))
    cards = tuple(CardPlace(p.rect, p.quarter_turns, rim) for p in places)
    return TableLayout(cards, middle, strip, life_button_mm(glass, seats), reach_mm(glass, seats))


def _wide(
    room: Rect, sides: tuple[int, int, int, int], sizes: tuple[int, tuple[int, int], int]
) -> tuple[tuple[CardPlace, ...], Rect]:
    bottom, left, top, right = sides
    depth, deeps, gap = sizes
    low, middle = room.split_bottom(depth, gap)
    high, middle = middle.split_top(depth, gap)
    places = [CardPlace(rect, 0) for rect in reversed(low.columns([1] * bottom, gap))]
    if left:
        rect, middle = middle.split_left(deeps[left - 1], gap)
        places += [CardPlace(spot, 1) for spot in reversed(rect.rows([1] * left, gap))]
    places += [CardPlace(rect, 2) for rect in high.columns([1] * top, gap)]
    if right:
        rect, middle = middle.split_right(deeps[right - 1], gap)
        places += [CardPlace(spot, 3) for spot in rect.rows([1] * right, gap)]
    return tuple(places), middle
