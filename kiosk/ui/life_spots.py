"""The places of plus, minus and life points on a card of any shape.

The first arrangement that fits is used: minus and plus beside the life points; one above the other beside
them; both under a tall header with name and life points; one above the other under them. The touch areas of
plus and minus extend beyond the drawn buttons: to the edge of the card, over the rim of the screen, and on
low cards into the name row.
"""

import enum
from typing import Final

import msgspec

from kiosk.ui.geometry import Rect, ScreenGeometry, rotated_size
from kiosk.ui.ring import GAP_MM, NEAR_MM, NUMERAL_MM, TableLayout, name_row_mm

TALL_HEAD_MM: Final = 13.0
HOLD_MM: Final = 10.0
"""The minimum side of the area to hold for a player's menu."""
_WIDEST_MM: Final = 26.0
_LIFE_MM: Final = 17.0
"""The width that life points get before plus and minus become wider."""
_NEAREST_MM: Final = 1.2
"""The minimum distance on a narrow card between the hold area, a button, the life points and the edge."""
_ROUNDED_PX: Final = 3
"""The tolerance for millimetres that were rounded up within a card's width."""
_PAD_MM: Final = 0.9


class LifeArrangement(enum.Enum):
    """An arrangement of the buttons and life points on a card."""

    BESIDE = "beside"
    TALL_HEAD = "tall head"
    STACKED_BESIDE = "stacked beside"
    STACKED_UNDER = "stacked under"


class LifeButton(msgspec.Struct, frozen=True):
    """The touch area (hit) and the drawn rectangle of a button."""

    hit: Rect
    drawn: Rect


class LifeSpots(msgspec.Struct, frozen=True):
    """The places on a card, in pixels as its player sees it. ``head`` is the name row.

    life: numeral and bullets.
    hold: area to hold for the player's menu.
    """

    form: LifeArrangement
    head: Rect
    minus: LifeButton
    plus: LifeButton
    life: Rect
    hold: Rect


def life_spots(glass: ScreenGeometry, ring: TableLayout, seat: int) -> LifeSpots:
    """Return the places on a seat's card. ``seat`` counts from 1."""
    place = ring.places[seat - 1]
    whole = Rect(0, 0, *rotated_size(place.rect, place.quarter_turns))
    mm = glass.mm
    least, gap, near = mm(ring.button_mm), mm(GAP_MM), mm(NEAR_MM)
    head, body = whole.split_top(mm(name_row_mm(glass)))
    reach = mm(ring.reach_mm)
    # Touch areas extend from the name row to the rim of the screen.
    room = Rect(0, body.y - reach, whole.w, body.h + reach + place.rim)
    spare = whole.w - 2 * least - mm(HOLD_MM)
    if spare >= 2 * mm(_NEAREST_MM) - _ROUNDED_PX:
        near = min(near, spare // 2)
        side = max(least, min(mm(_WIDEST_MM), (whole.w - 2 * near - mm(_LIFE_MM)) // 2))
        life = Rect(side + near, body.y, whole.w - 2 * (side + near), body.h)
        hits = room.split_left(side)[0], room.split_right(side)[0]
        return _spots(glass, LifeArrangement.BESIDE, (head, body), hits, (life, life))
    if whole.w >= least + mm(_NEAREST_MM) + mm(HOLD_MM) and room.h >= 2 * least + gap:
        side = max(least, whole.w - near - mm(_LIFE_MM))
        upper, lower = room.split_left(side)[0].rows([1, 1], gap)
        near = min(near, whole.w - side - mm(HOLD_MM))
        hold = Rect(side + near, body.y, whole.w - side - near, body.h)
        life = hold.split_left(hold.w - mm(_PAD_MM))[0]
        return _spots(glass, LifeArrangement.STACKED_BESIDE, (head, body), (lower, upper), (life, hold))
    if whole.w >= 2 * least + gap and whole.h + place.rim >= mm(TALL_HEAD_MM) + least:
        head, body = whole.split_top(mm(TALL_HEAD_MM))
        left, right = Rect(0, body.y, body.w, body.h + place.rim).columns([1, 1], gap)
        hold = Rect(0, 0, whole.w, head.h - near)
        return _spots(glass, LifeArrangement.TALL_HEAD, (head, body), (left, right), (head, hold))
    hold, rest = body.split_top(mm(NUMERAL_MM), near)
    life = hold.inset(mm(_NEAREST_MM), 0)
    upper, lower = Rect(0, rest.y, rest.w, rest.h + place.rim).rows([1, 1], gap)
    return _spots(glass, LifeArrangement.STACKED_UNDER, (head, body), (lower, upper), (life, hold))


def _spots(
    glass: ScreenGeometry,
    form: LifeArrangement,
    card: tuple[Rect, Rect],
    hits: tuple[Rect, Rect],
    middle: tuple[Rect, Rect],
) -> LifeSpots:
    """Return the places of one arrangement.

    card: header and body.
    hits: touch areas of minus and plus.
    middle: life points and hold area.
    """
    head, body = card
    pad = glass.mm(_PAD_MM)
    minus, plus = (LifeButton(hit, _within(hit, body).inset(pad)) for hit in hits)
    return LifeSpots(form, head, minus, plus, *middle)


def _within(rect: Rect, room: Rect) -> Rect:
    """Return the part of a rectangle that is inside a room."""
    x, y = max(rect.x, room.x), max(rect.y, room.y)
    return Rect(x, y, min(rect.right, room.right) - x, min(rect.bottom, room.bottom) - y)
