"""All cards of all tables at all sizes: nothing overlaps or leaves the screen, and minimum sizes hold."""

from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kiosk.preferences import Layout
from kiosk.scenes.scene import table_layout
from kiosk.ui.geometry import (
    Rect,
    ScreenGeometry,
    place_on_screen,
    rotate_within,
    rotated_size,
    screen_geometry_for,
)
from kiosk.ui.table_layout import GAP_MM, HOLD_MM, LifeArrangement, life_spots, ring_layout
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
SMALLEST = product(GLASSES, Layout, (2, 3))
ROUNDING_MM = 0.15
TOURNAMENT_SEATS = 7


@pytest.mark.parametrize(("size", "layout", "seats"), [*SMALLEST, *TABLES])
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
def test_a_keeper_sees_every_card_upright_and_the_table_as_it_is_from_its_end(size: str, seats: int) -> None:
    """Seat 1 is nearest at the left, the last seat nearest at the right, and the others in between."""
    places = table_layout(GLASSES[size], seats, Layout.KEEPER).places
    assert {place.quarter_turns for place in places} == {0}
    rects = [place.rect for place in places]
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


sizes = st.integers(1, 500)
rects = st.builds(Rect, st.integers(0, 400), st.integers(0, 400), sizes, sizes)


@given(rects, st.tuples(sizes, sizes), st.integers(0, 3))
def test_four_quarter_turns_lead_back(inner: Rect, size: tuple[int, int], turns: int) -> None:
    there = rotate_within(inner, size, turns)
    back_size = size if turns % 2 == 0 else (size[1], size[0])
    assert rotate_within(there, back_size, (4 - turns) % 4) == inner


def test_a_quarter_turn_brings_the_top_left_corner_to_the_top_right() -> None:
    assert rotate_within(Rect(0, 0, 10, 5), (100, 50), 1) == Rect(45, 0, 5, 10)


@given(st.integers(0, 3))
def test_a_part_stays_inside_its_block(turns: int) -> None:
    block = Rect(30, 40, 200, 80)
    width, height = rotated_size(block, turns)
    whole = place_on_screen(Rect(0, 0, width, height), block, turns)
    assert whole == block


def test_a_grid_fills_its_rows_from_the_left_and_its_columns_line_up() -> None:
    cells = Rect(10, 20, 62, 41).grid(5, 3, 1)
    assert cells[:3] == (Rect(10, 20, 20, 20), Rect(31, 20, 20, 20), Rect(52, 20, 20, 20))
    assert [cell.x for cell in cells[3:5]] == [10, 31]
    assert {cell.y for cell in cells[3:5]} == {41}
    assert Rect(10, 20, 62, 41).grid(0, 3, 1) == ()


@given(st.integers(10, 900), st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(0, 10))
def test_columns_lose_no_pixel(width: int, shares: list[int], gap: int) -> None:
    columns = Rect(7, 0, width, 10).columns(shares, gap)
    if width >= gap * (len(shares) - 1):
        assert sum(c.w for c in columns) + gap * (len(shares) - 1) == width
        assert columns[-1].right == 7 + width


@pytest.mark.parametrize("seats", range(2, 9))
def test_seats_go_clockwise_around_the_middle(seats: int) -> None:
    places = ring_layout(ScreenGeometry(800, 480, 5.2), seats).places
    corners = sum(
        (b.rect.x + b.rect.w / 2 - a.rect.x - a.rect.w / 2)
        * (b.rect.y + b.rect.h / 2 + a.rect.y + a.rect.h / 2)
        for a, b in zip(places, (*places[1:], places[0]), strict=True)
    )
    # The signed area of a closed path is negative if y grows downwards and the path is clockwise.
    assert corners < 0 or seats == 2


@pytest.mark.parametrize(
    ("size", "inches", "px_per_mm"),
    [
        ((800, 480), None, 5.2),
        ((1280, 720), None, 8.3),
        ((720, 1280), None, 8.3),
        ((1024, 600), None, 6.65),
        ((1280, 720), 5.0, 11.6),
        ((1920, 1080), 10.1, 8.6),
    ],
)
def test_a_panel_has_as_many_pixels_in_a_millimetre_as_its_diagonal_says(
    size: tuple[int, int], inches: float | None, px_per_mm: float
) -> None:
    glass = screen_geometry_for(size, 1, inches)
    assert (glass.width, glass.height, glass.quarter_turns) == (*size, 1)
    assert glass.px_per_mm == pytest.approx(px_per_mm, abs=0.1)


@pytest.mark.parametrize(
    ("inches", "scale"), [(None, 1.0), (5.0, 1.0), (7.0, 1.0), (8.0, 1.12), (10.1, 1.415), (24.0, 2.0)]
)
def test_everything_grows_with_the_inches_of_the_glass(inches: float | None, scale: float) -> None:
    glass = screen_geometry_for((1280, 800), 0, inches)
    assert glass.scale == scale
    assert glass.mm(10) == pytest.approx(10 * glass.px_per_mm * scale, abs=1)
