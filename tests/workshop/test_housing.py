"""Front plates and boxes: nothing overlaps, everything fits, and drawings are in millimetres."""

import itertools
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.workshop.__main__ import DOCS, PICTURES, TILTS, drawings
from tools.workshop.housing import Cut, Plate, Screen, box_for, plate_for, screens
from tools.workshop.housing_svg import TooLarge, plate_svg, sheet_for

SVG = "{http://www.w3.org/2000/svg}"
SCREENS = screens()
ANY = st.builds(
    lambda width, height, edge, depth: Screen(
        "any", 8.0, (width + 2 * edge, height + 2 * edge), (width, height), depth
    ),
    st.floats(140, 320),
    st.floats(80, 220),
    st.floats(4, 20),
    st.floats(8, 30),
)


def apart(one: Cut, other: Cut) -> bool:
    across = abs(one.x - other.x) - (one.width + other.width) / 2
    down = abs(one.y - other.y) - (one.height + other.height) / 2
    return max(across, down) > 1


def holds(plate: Plate) -> None:
    """No two cuts touch; all lie on the plate; only the picture is cut where the glass lies."""
    for one, other in itertools.combinations(plate.cuts, 2):
        assert apart(one, other), (one, other)
    for cut in plate.cuts:
        assert cut.width / 2 + 3 < cut.x < plate.width - cut.width / 2 - 3, cut
        assert cut.height / 2 + 3 < cut.y < plate.height - cut.height / 2 - 3, cut
        assert cut.what == "picture" or apart(cut, plate.glass), cut


@given(ANY)
def test_nothing_overlaps_on_any_plate(screen: Screen) -> None:
    holds(plate_for(screen))


@pytest.mark.parametrize("key", SCREENS)
def test_nothing_overlaps_on_the_plates_of_the_page(key: str) -> None:
    holds(plate_for(SCREENS[key]))


@given(ANY, st.floats(0, 25))
def test_the_board_has_air_below_the_screen_and_buttons_do_not_reach_the_floor(
    screen: Screen, tilt: float
) -> None:
    box = box_for(plate_for(screen), tilt)
    assert box.room >= 9.9
    assert min(up for _, up in box.buttons) > 5
    assert max(along for along, _ in box.buttons) < box.board[0]
    assert min(up for _, up in box.screen) > 0
    back = max(along for along, _ in box.outline)
    assert max(along for along, _ in box.screen) < back


@pytest.mark.parametrize("key", SCREENS)
def test_the_opening_lies_within_the_glass_and_shows_the_whole_picture(key: str) -> None:
    plate = plate_for(SCREENS[key])
    (opening,) = plate.cut("picture")
    assert SCREENS[key].visible[0] < opening.width < plate.glass.width
    assert SCREENS[key].visible[1] < opening.height < plate.glass.height


def test_a_drawing_prints_in_its_own_size_and_has_a_ruler() -> None:
    plate = plate_for(SCREENS["hdmi-10"])
    drawn = ET.fromstring(plate_svg(plate))
    across, down = (drawn.get("width", ""), drawn.get("height", ""))
    assert drawn.get("viewBox") == f"0 0 {across.removesuffix('mm')} {down.removesuffix('mm')}"
    edge = next(box for box in drawn.iter(f"{SVG}rect") if box.get("class") == "edge")
    assert (edge.get("width"), edge.get("height")) == (f"{plate.width:g}", f"{plate.height:g}")
    ruler = next(line for line in drawn.iter(f"{SVG}path") if line.get("class") == "ruler")
    assert ruler.get("d", "").endswith("h 100")


def test_every_cut_is_drawn_once_where_it_is() -> None:
    plate = plate_for(SCREENS["hdmi-7"])
    drawn = ET.fromstring(plate_svg(plate))
    holes = [
        (hole.get("data-for"), hole.get("cx"), hole.get("cy"), hole.get("r"))
        for hole in drawn.iter(f"{SVG}circle")
    ]
    assert sorted(map(str, holes)) == sorted(
        str((cut.what, f"{cut.x:g}", f"{cut.y:g}", f"{cut.width / 2:g}"))
        for cut in plate.cuts
        if cut.is_round
    )


def test_what_fits_no_sheet_is_refused() -> None:
    assert sheet_for(200, 150)[0] == "A4"
    assert sheet_for(300, 150)[0] == "A3"
    with pytest.raises(TooLarge):
        sheet_for(700, 150)


def test_the_drawings_in_the_docs_are_up_to_date_and_linked() -> None:
    page = (DOCS / "setup" / "hardware.md").read_text(encoding="utf-8")
    drawn = drawings()
    assert len(drawn) == len(SCREENS) * (1 + len(TILTS))
    assert {file.name for file in PICTURES.glob("*.svg")} == set(drawn)
    for name, drawing in drawn.items():
        assert (PICTURES / name).read_text(encoding="utf-8") == drawing, "run: make hardware-page"
        assert f"](../pictures/housing/{name})" in page
