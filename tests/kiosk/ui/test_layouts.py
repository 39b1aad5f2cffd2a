"""All cards of all tables at all sizes: nothing overlaps or leaves the screen, and minimum sizes hold."""

from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kiosk.preferences import Layout
from kiosk.scenes.scene import table_layout
from kiosk.ui.geometry import Rect, ScreenGeometry, place_on_screen, screen_geometry_for
from kiosk.ui.table_layout import GAP_MM, HOLD_MM, LifeArrangement, life_spots
from tests.kiosk.scenes.conftest import GLASSES as SEVEN_INCHES

GLASSES = {
    **SEVEN_INCHES,
    "480x800": screen_geometry_for((480, 800)),
    "1280x800 at 10.1": screen_geometry_for((1280, 800), inches=10.1),
    "800x1280 at 10.1": screen_geometry_for((800, 1280), inches=10.1),
    "1920x1080 at 15.6": screen_geometry_for((1920, 1080), inches=15.6),
}
SEATS = range(4, 11)
TABLES = list(product(GLASSES, Layout, SEATS))
ROUNDING_MM = 0.15
TOURNAMENT_SEATS = 7


@pytest.mark.parametrize(("size", "layout", "seats"), TABLES)
def test_cards_the_middle_and_the_strip_share_the_glass(size: str, layout: Layout, seats: int) -> None:
    glass = GLASSES[size]
    ring = table_layout(glass, seats, layout)
    cards = [place.rect for place in ring.places]
    assert len(cards) == seats
    for rect in (*cards, ring.middle, ring.strip):
        assert min(rect.w, rect.h) > 0
        assert glass.rect.contains(rect.x, rect.y)
        assert glass.rect.contains(rect.right - 1, rect.bottom - 1)
    for one, other in combinations((*cards, ring.middle, ring.strip), 2):
        assert not one.overlaps(other)
    for one, other in combinations(cards, 2):
        assert not one.inset(-int((GAP_MM - ROUNDING_MM) * glass.px_per_mm * glass.scale)).overlaps(other)


@pytest.mark.parametrize(("size", "layout", "seats"), TABLES)
def test_plus_and_minus_are_large_on_every_card(size: str, layout: Layout, seats: int) -> None:
    glass = GLASSES[size]
    ring = table_layout(glass, seats, layout)
    least = 18.0 if seats <= TOURNAMENT_SEATS else 15.0
    if layout is Layout.KEEPER and glass.width < glass.height and seats > TOURNAMENT_SEATS:
        least = 14.0
    assert ring.button_mm == least
    px = glass.px_per_mm * glass.scale
    for number, place in enumerate(ring.places, start=1):
        spots = life_spots(glass, ring, number)
        for pressed in (spots.minus, spots.plus):
            assert min(pressed.hit.w, pressed.hit.h) >= (least - ROUNDING_MM) * px, spots
            assert min(pressed.drawn.w, pressed.drawn.h) >= (11.5 - ROUNDING_MM) * px, spots
            there = place_on_screen(pressed.hit, place.rect, place.quarter_turns)
            assert glass.rect.contains(there.x, there.y)
            assert glass.rect.contains(there.right - 1, there.bottom - 1)
        assert min(spots.hold.w, spots.hold.h) >= (HOLD_MM - ROUNDING_MM) * px, spots


@pytest.mark.parametrize("size", GLASSES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_keeper_reads_every_card_upright(size: str, seats: int) -> None:
    ring = table_layout(GLASSES[size], seats, Layout.KEEPER)
    assert {place.quarter_turns for place in ring.places} == {0}


@pytest.mark.parametrize("size", GLASSES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_keeper_sees_the_table_as_it_is_from_its_end(size: str, seats: int) -> None:
    """Seat 1 is nearest at the left, the last seat nearest at the right, and the others in between."""
    rects = [place.rect for place in table_layout(GLASSES[size], seats, Layout.KEEPER).places]
    first, last = rects[0], rects[-1]
    assert first.x < last.x
    half = len(rects) // 2
    assert [r.y for r in rects[:half]] == sorted((r.y for r in rects[:half]), reverse=True)
    assert [r.y for r in rects[-half:]] == sorted(r.y for r in rects[-half:])


widths = st.integers(780, 1400)


@given(
    widths, st.floats(0.56, 0.61), st.sampled_from(SEATS), st.sampled_from(Layout), st.sampled_from((0, 1))
)
@example(802, 451 / 802, 8, Layout.KEEPER, 0)
def test_other_panels_of_seven_inches_keep_the_sizes_too(
    width: int, shape: float, seats: int, layout: Layout, tall: int
) -> None:
    height = round(width * shape)
    sides = (height, width) if tall else (width, height)
    glass = ScreenGeometry(*sides, width / 154.2)
    ring = table_layout(glass, seats, layout)
    every: list[Rect] = []
    for number, place in enumerate(ring.places, start=1):
        spots = life_spots(glass, ring, number)
        assert spots.form is not LifeArrangement.STACKED_UNDER or seats > TOURNAMENT_SEATS
        every += [
            place_on_screen(rect, place.rect, place.quarter_turns)
            for rect in (spots.minus.hit, spots.plus.hit, spots.hold)
        ]
        for rect in (spots.minus.hit, spots.plus.hit):
            assert min(rect.w, rect.h) >= (ring.button_mm - ROUNDING_MM) * glass.px_per_mm - 1
    for one, other in combinations(every, 2):
        assert not one.overlaps(other)
