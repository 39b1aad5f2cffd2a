"""The layouts of a table: the places of the players' cards, and of plus, minus and life points on a card.

In the ring layout, the panels are around the edge, each turned towards its player, with a shared middle.
Seats go clockwise: seat 2 is to the left of seat 1. The long sides of the screen take up to three players
each, the short sides one, or two at the largest tables. A portrait screen has the same places as a landscape
one, turned.

In the keeper's layout, the terminal is at one end of the table, and everything is upright. Panels are placed
as seen from that end: the left column is the left side of the table from near to far, the top row its far
end, the right column its right side. Seat 1 is nearest at the left. The middle is at the bottom, between the
columns, or below them on a portrait screen.

On a card the first arrangement that fits is used: minus and plus beside the life points; one above the other
beside them; both under a tall header with name and life points; one above the other under them. The touch
areas of plus and minus extend beyond the drawn buttons: to the edge of the card, over the rim of the screen,
and on low cards into the name row.
"""

import enum
from typing import Final

import msgspec

from kiosk.ui.geometry import Rect, ScreenGeometry, rotate_within, rotated_size

GAP_MM: Final = 2.0
_RIM_MM: Final = 1.0
"""The gap between a card and the rim of the screen, where touches still reach the card's buttons."""
PAGE_STRIP_MM: Final = 4.6
"""The height of the status strip of pages without a ring."""
STRIP_MM: Final = 6.8
"""The height of the status strip of a ring, for the digits of its clock."""
TALL_STRIP_MM: Final = 9.2
"""The height of a narrow strip, whose texts take two lines beside the clock."""
_INTO_GAP_MM: Final = 1.6
"""The part of a ring's strip that is in the gap above the cards, as nothing there can be touched."""
_NUMERAL_MM: Final = 13.0
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

_RING_SIDES: Final = {
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
    """The place of a player's card. ``rim`` is the number of touchable pixels below it."""

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


def _life_button_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return the minimum side of plus and minus: 18 mm, 15 mm at a crowded table, 13 mm on a small screen."""
    if _is_small(glass):
        return 13.0
    return 18.0 if seats <= _TOURNAMENT_SEATS else 15.0


def name_row_mm(glass: ScreenGeometry) -> float:
    return _SMALL_NAME_ROW_MM if _is_small(glass) else _NAME_ROW_MM


def _reach_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return how far the touch areas of plus and minus extend into the name row of low cards."""
    return _REACH_MM if _is_small(glass) or seats > _TOURNAMENT_SEATS else 0.0


def _is_small(glass: ScreenGeometry) -> bool:
    return min(glass.width, glass.height) / glass.px_per_mm < _SMALL_GLASS_MM


def _card_mm(glass: ScreenGeometry, seats: int) -> float:
    """Return the minimum height of a card with a name above plus, minus and life points."""
    high = name_row_mm(glass) - _reach_mm(glass, seats) + _life_button_mm(glass, seats) + _PAD_MM
    return high + _DUELIST_MM if seats == _DUEL else high


def ring_layout(glass: ScreenGeometry, seats: int) -> TableLayout:
    """Return the places of 2 to 10 seats in the ring layout."""
    rim, gap = glass.mm(_RIM_MM), glass.mm(GAP_MM)
    depth = glass.mm(_card_mm(glass, seats)) - rim // 2
    deep = depth + glass.mm(_life_button_mm(glass, seats)) + gap
    # If two players share a short side, the life points are above plus and minus.
    deeper = deep + glass.mm(_NUMERAL_MM + NEAR_MM + _reach_mm(glass, seats))
    sizes = depth, (deep, deeper), gap
    if glass.width >= glass.height:
        places, middle = _ring_wide(glass.rect.inset(rim), _RING_SIDES[seats], sizes)
    else:
        size = glass.height, glass.width
        lying, middle = _ring_wide(Rect(0, 0, *size).inset(rim), _RING_SIDES[seats], sizes)
        places = tuple(CardPlace(rotate_within(p.rect, size, 1), (p.quarter_turns + 1) % 4) for p in lying)
        middle = rotate_within(middle, size, 1)
    is_wide = glass.width >= glass.height or seats > _ONE_AT_A_SHORT_SIDE
    into_gap = glass.mm(_INTO_GAP_MM) if is_wide else 0
    strip, middle = middle.split_bottom(glass.mm(STRIP_MM if is_wide else TALL_STRIP_MM) - into_gap)
    strip = Rect(strip.x, strip.y, strip.w, strip.h + into_gap)
    cards = tuple(CardPlace(p.rect, p.quarter_turns, rim) for p in places)
    return TableLayout(cards, middle, strip, _life_button_mm(glass, seats), _reach_mm(glass, seats))


def _ring_wide(
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


_HIGHEST_MM: Final = 42.0
_HIGHEST_FAR_MM: Final = 30.0
_MIDDLE_MM: Final = 40.0
_STRIP_WIDE_MM: Final = 70.0
_CROWDED_TALL_MM: Final = 14.0
"""The side of plus and minus for eight or more players in the two columns of a portrait screen."""
_KEEPER_SIDES: Final = {
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
        return _keeper_wide(glass, seats)
    return _keeper_tall(glass, seats)


def _facing(glass: ScreenGeometry) -> TableLayout:
    """Place two duellists one above the other; on a portrait screen each has a row per character."""
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(_RIM_MM))
    high = _card_mm(glass, _DUEL)
    if glass.width < glass.height:
        high += _life_button_mm(glass, _DUEL) + GAP_MM
    rows, middle = room.split_top(2 * glass.mm(high) + gap, gap)
    far, near = rows.rows([1, 1], gap)
    return _share_room(glass, _DUEL, (near, far), middle)


def _keeper_wide(glass: ScreenGeometry, seats: int) -> TableLayout:
    left, far, right = _KEEPER_SIDES[seats]
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(_RIM_MM))
    side = (room.w - 2 * gap) // 3
    if far > 1:
        # Round each up separately, like the code that divides the card.
        card = sum(glass.mm(part) for part in (_life_button_mm(glass, seats), NEAR_MM, HOLD_MM))
        side = min(side, (room.w - 3 * gap - 2 * card) // 2)
    lefts, centre = room.split_left(side, gap)
    rights, centre = centre.split_right(side, gap)
    near_to_far = _stack(glass, lefts, left)[::-1]
    far_to_near = _stack(glass, rights, right)
    middle = centre
    fars: tuple[Rect, ...] = ()
    if far:
        card_mm, most_mm = _card_mm(glass, seats), _HIGHEST_FAR_MM if far == 1 else _HIGHEST_MM
        # Two cards at the far end have plus above minus.
        two_mm = card_mm + _life_button_mm(glass, seats) + GAP_MM
        high = far_to_near[0].h if far == 1 else glass.mm(two_mm)
        row, middle = centre.split_top(min(max(high, glass.mm(card_mm)), glass.mm(most_mm)), gap)
        fars = row.columns([1] * far, gap)
    return _share_room(glass, seats, (*near_to_far, *fars, *far_to_near), middle)


def _keeper_tall(glass: ScreenGeometry, seats: int) -> TableLayout:
    left, far, _right = _KEEPER_SIDES[seats]
    if far > 1:
        left, far = left + 1, 0
    gap, room = glass.mm(GAP_MM), glass.rect.inset(glass.mm(_RIM_MM))
    low = glass.mm(_card_mm(glass, seats))
    fars: tuple[Rect, ...] = ()
    if far:
        row, room = room.split_top(low, gap)
        fars = (row,)
    life = _life_button_mm(glass, seats)
    least = low if seats > _TOURNAMENT_SEATS else glass.mm(_TALL_HEAD_MM + life + 0.2)
    fair = (room.h - glass.mm(_MIDDLE_MM)) // left - gap
    high = max(least, min(fair, glass.mm(_HIGHEST_MM)))
    rows, middle = room.split_top(left * (high + gap) - gap, gap)
    lefts, rights = rows.columns([1, 1], gap)
    places = (*lefts.rows([1] * left, gap)[::-1], *fars, *rights.rows([1] * left, gap))
    ring = _share_room(glass, seats, places, middle)
    if seats <= _TOURNAMENT_SEATS:
        return ring
    return msgspec.structs.replace(ring, button_mm=min(ring.button_mm, _CROWDED_TALL_MM))


def _stack(glass: ScreenGeometry, column: Rect, count: int) -> tuple[Rect, ...]:
    gap = glass.mm(GAP_MM)
    wanted = count * (glass.mm(_HIGHEST_MM) + gap) - gap
    return column.centre(column.w, wanted).rows([1] * count, gap)


def _share_room(glass: ScreenGeometry, seats: int, cards: tuple[Rect, ...], middle: Rect) -> TableLayout:
    is_wide = middle.w >= glass.mm(_STRIP_WIDE_MM) or _is_small(glass)
    strip, middle = middle.split_bottom(glass.mm(STRIP_MM if is_wide else TALL_STRIP_MM), glass.mm(0.2))
    places = tuple(CardPlace(card, 0) for card in cards)
    return TableLayout(places, middle, strip, _life_button_mm(glass, seats), _reach_mm(glass, seats))


_TALL_HEAD_MM: Final = 13.0
HOLD_MM: Final = 10.0
"""The minimum side of the area to hold for a player's menu."""
_WIDEST_MM: Final = 26.0
_LIFE_MM: Final = 17.0
"""The width that life points get before plus and minus become wider."""
_NEAREST_MM: Final = 1.2
"""The minimum distance on a narrow card between the hold area, a button, the life points and the edge."""
_ROUNDED_PX: Final = 3
"""The tolerance for millimetres that were rounded up within a card's width."""
_LIFE_PAD_MM: Final = 0.9


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
    """The places on a card, in pixels as its player sees it: name row, buttons, and life points.

    ``hold`` is the area to hold for the player's menu.
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
        life = hold.split_left(hold.w - mm(_LIFE_PAD_MM))[0]
        return _spots(glass, LifeArrangement.STACKED_BESIDE, (head, body), (lower, upper), (life, hold))
    if whole.w >= 2 * least + gap and whole.h + place.rim >= mm(_TALL_HEAD_MM) + least:
        head, body = whole.split_top(mm(_TALL_HEAD_MM))
        left, right = Rect(0, body.y, body.w, body.h + place.rim).columns([1, 1], gap)
        hold = Rect(0, 0, whole.w, head.h - near)
        return _spots(glass, LifeArrangement.TALL_HEAD, (head, body), (left, right), (head, hold))
    hold, rest = body.split_top(mm(_NUMERAL_MM), near)
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
    head, body = card
    pad = glass.mm(_LIFE_PAD_MM)
    minus, plus = (LifeButton(hit, hit.intersect(body).inset(pad)) for hit in hits)
    return LifeSpots(form, head, minus, plus, *middle)
