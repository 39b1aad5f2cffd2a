import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.ui.geometry import (
    Rect,
    ScreenGeometry,
    place_on_screen,
    rotate_within,
    rotated_size,
    screen_geometry_for,
)
from kiosk.ui.table_layout import ring_layout

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


@pytest.mark.parametrize(
    "glass", [ScreenGeometry(800, 480, 5.2), ScreenGeometry(720, 1280, 8.3), ScreenGeometry(1280, 720, 8.3)]
)
@pytest.mark.parametrize("seats", range(2, 9))
def test_panels_the_middle_and_the_strip_share_the_glass(glass: ScreenGeometry, seats: int) -> None:
    places = ring_layout(glass, seats)
    every = [*(place.rect for place in places.places), places.middle, places.strip]
    assert len(places.places) == seats
    for index, rect in enumerate(every):
        assert rect.x >= 0
        assert rect.y >= 0
        assert rect.right <= glass.width
        assert rect.bottom <= glass.height
        assert min(rect.w, rect.h) > 0
        assert not any(rect.overlaps(other) for other in every[index + 1 :])


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
