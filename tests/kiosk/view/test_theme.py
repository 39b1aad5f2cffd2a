import pytest

from kiosk.preferences import Theme
from kiosk.view import theme
from kiosk.view.theme import CONTRAST, DAY, DIM, LEGIBLE, PALETTES, TYPE_SCALES, Colour, Palette, contrast


@pytest.mark.parametrize(("use", "front", "back", "least"), LEGIBLE, ids=str)
@pytest.mark.parametrize("palette", PALETTES.values(), ids=[light.value for light in PALETTES])
def test_what_is_read_stands_out(
    palette: Palette, use: str, front: Colour, back: Colour, least: float
) -> None:
    ratio = contrast(palette[front], palette[back])
    assert ratio >= least, f"{use}: {ratio:.2f}"


def test_every_theme_has_a_palette_and_a_size_of_type() -> None:
    assert set(PALETTES) == set(TYPE_SCALES) == set(Theme)


@pytest.mark.parametrize(("use", "front", "back", "least"), LEGIBLE, ids=str)
def test_everything_in_high_contrast_is_aaa(use: str, front: Colour, back: Colour, least: float) -> None:
    del least
    ratio = contrast(CONTRAST[front], CONTRAST[back])
    assert ratio >= theme.AAA, f"{use}: {ratio:.2f}"


@pytest.mark.parametrize("palette", PALETTES.values(), ids=[light.value for light in PALETTES])
def test_every_palette_has_every_colour(palette: Palette) -> None:
    assert set(palette) == set(Colour)


def test_no_ground_of_the_dim_palette_glares() -> None:
    """All surfaces are darker than in the day theme; icons may be lighter, as they are on darker surfaces."""
    grounds = {back for _, _, back, _ in LEGIBLE} - {theme.CODE_LIGHT}
    black = (0, 0, 0)
    for ground in grounds:
        assert contrast(DIM[ground], black) < contrast(DAY[ground], black), ground


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_every_pair_of_names_and_numbers_is_aaa() -> None:
    for use, _front, _back, least in LEGIBLE:
        if "name" in use or "number" in use or "life" in use:
            assert least >= theme.AAA, use
