"""The keeper's layout: the terminal is at one end of the table, and everything is upright.

Panels are placed as seen from that end: the left column is the left side of the table from near to far, the
top row its far end, the right column its right side. Seat 1 is nearest at the left, and seats go clockwise.
The shared middle is at the bottom, between the columns, or below them on a portrait screen.
"""

from typing import Final

import msgspec

from kiosk.ui.geometry import Rect, ScreenGeometry
from kiosk.ui.life_spots import HOLD_MM, TALL_HEAD_MM
from kiosk.ui.ring import (
    GAP_MM,
    NEAR_MM,
    RIM_MM,
    STRIP_MM,
    CardPlace,
    TableLayout,
    card_mm,
    is_small,
    life_button_mm,
    reach_mm,
)

_HIGHEST_MM: Final = 42.0
_HIGHEST_FAR_MM: Final = 30.0
_MIDDLE_MM: Final = 40.0
_STRIP_WIDE_MM: Final = 70.0
_TOURNAMENT_SEATS: Final = 7
_CROWDED_TALL_MM: Final = 14.0
"""The side of plus and minus for eight or more players in the two columns of a portrait screen."""
_DUEL: Final = 2
_SIDES: Final = {
    3: (1, 1, 1),
    4: (2, 0, 2),
    5: (2, 1, 2),
    6: (3, 0, 3),
    7: (3, 1, 3),
    8: (3, 2, 3),
    9: (4, 1, 4),
    10: (4, 2, 4),
}
"""The numbers of players at the left, the far end and the right."""


def keeper_layout(glass: ScreenGeometry, seats: int) -> TableLayout:
    """Return the places of 2 to 10 seats in the keeper's layout."""
    if seats == _DUEL:
        return _facing(glass)
    if glass.width >= glass.height:
        return _wide(glass, seats)
    return _tall(glass, seats)


def _facing(glass: ScreenGeometry) -> TableLayout:
    """Place two duellists one above the other; on a portrait screen each has a row per character."""
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(RIM_MM))
    high = card_mm(glass, _DUEL)
    if glass.width < glass.height:
        high += life_button_mm(glass, _DUEL) + GAP_MM
    rows, middle = room.split_top(2 * glass.mm(high) + gap, gap)
    far, near = rows.rows([1, 1], gap)
    return _share_room(glass, _DUEL, (near, far), middle)


def _wide(glass: ScreenGeometry, seats: int) -> TableLayout:
    left, far, right = _SIDES[seats]
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(RIM_MM))
    side = (room.w - 2 * gap) // 3
    if far > 1:
        # Round each up separately, like the code that divides the card.
        card = sum(glass.mm(part) for part in (life_button_mm(glass, seats), NEAR_MM, HOLD_MM))
        side = min(side, (room.w - 3 * gap - 2 * card) // 2)
    lefts, centre = room.split_left(side, gap)
    rights, centre = centre.split_right(side, gap)
    near_to_far = _stack(glass, lefts, left)[::-1]
    far_to_near = _stack(glass, rights, right)
    middle = centre
    fars: tuple[Rect, ...] = ()
    if far:
        high = far_to_near[0].h if far == 1 else glass.mm(_two_high_mm(glass, seats))
        row, middle = centre.split_top(
            min(max(high, glass.mm(card_mm(glass, seats))), glass.mm(_far_mm(far))), gap
        )
        fars = row.columns([1] * far, gap)
    return _share_room(glass, seats, (*near_to_far, *fars, *far_to_near), middle)


def _tall(glass: ScreenGeometry, seats: int) -> TableLayout:
    left, far, _right = _SIDES[seats]
    if far > 1:
        left, far = left + 1, 0
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(RIM_MM))
    low = glass.mm(card_mm(glass, seats))
    fars: tuple[Rect, ...] = ()
    if far:
        row, room = room.split_top(low, gap)
        fars = (row,)
    life = life_button_mm(glass, seats)
    least = low if seats > _TOURNAMENT_SEATS else glass.mm(TALL_HEAD_MM + life + 0.2)
    fair = (room.h - glass.mm(_MIDDLE_MM)) // left - gap
    high = max(least, min(fair, glass.mm(_HIGHEST_MM)))
    rows, middle = room.split_top(left * (high + gap) - gap, gap)
    lefts, rights = rows.columns([1, 1], gap)
    places = (*lefts.rows([1] * left, gap)[::-1], *fars, *rights.rows([1] * left, gap))
    ring = _share_room(glass, seats, places, middle)
    if seats <= _TOURNAMENT_SEATS:
        return ring
    return msgspec.structs.replace(ring, button_mm=min(ring.button_mm, _CROWDED_TALL_MM))


def _two_high_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return the height of the two cards at the far end, with plus above minus."""
    return card_mm(glass, seats) + life_button_mm(glass, seats) + GAP_MM


def _far_mm(far: int) -> float:
    return _HIGHEST_FAR_MM if far == 1 else _HIGHEST_MM


def _stack(glass: ScreenGeometry, column: Rect, count: int) -> tuple[Rect, ...]:
    gap = glass.mm(GAP_MM)
    wanted = count * (glass.mm(_HIGHEST_MM) + gap) - gap
    return column.centre(column.w, wanted).rows([1] * count, gap)


def _share_room(glass: ScreenGeometry, seats: int, cards: tuple[Rect, ...], middle: Rect) -> TableLayout:
    lines = 1 if middle.w >= glass.mm(_STRIP_WIDE_MM) or is_small(glass) else 2
    strip, middle = middle.split_bottom(lines * glass.mm(STRIP_MM), glass.mm(0.8))
    places = tuple(CardPlace(card, 0) for card in cards)
    return TableLayout(places, middle, strip, life_button_mm(glass, seats), reach_mm(glass, seats))
