import pytest

from kiosk.preferences import Theme
from kiosk.view import theme
from kiosk.view.theme import CONTRAST, DAY, DIM, PALETTES, TYPE_SCALES, Colour, Palette, Rgb

AAA = 7.0
AA = 4.5
OUTLINE = 3.0

LEGIBLE = (
    ("names and numbers on a card", theme.INK, theme.PARCHMENT, AAA),
    ("names on the card of the turn", theme.SOOT, theme.BRASS, AAA),
    ("characters on a card", theme.INK_SOFT, theme.PARCHMENT, AA),
    ("words on a shaded row", theme.INK, theme.PARCHMENT_SHADE, AAA),
    ("soft words on a shaded row", theme.INK_SOFT, theme.PARCHMENT_SHADE, AA),
    ("names of those out", theme.CREAM, theme.ASHES, AAA),
    ("roles of those out", theme.CREAM_SOFT, theme.ASHES, AA),
    ("titles on the wood", theme.CREAM, theme.WOOD, AAA),
    ("words on the wood", theme.CREAM_SOFT, theme.WOOD, AAA),
    ("quiet buttons", theme.CREAM, theme.PLANK, AAA),
    ("main buttons", theme.SOOT, theme.BRASS, AAA),
    ("a hold that is nearly over", theme.SOOT, theme.NOON, AAA),
    ("a life point less", theme.BRICK, theme.BLUSH, AAA),
    ("a life point more", theme.SAGE, theme.MINT, AAA),
    ("what cannot be taken back", theme.CREAM, theme.GRAVE, AAA),
    ("a hold in progress", theme.CREAM, theme.GRAVE_DEEP, AAA),
    ("High Noon", theme.SOOT, theme.NOON, AAA),
    ("High Noon on the wood", theme.NOON, theme.WOOD, AAA),
    ("loss on a card", theme.BRICK, theme.PARCHMENT, AAA),
    ("gain on a card", theme.SAGE, theme.PARCHMENT, AAA),
    ("edge of quiet buttons", theme.PLANK_EDGE, theme.WOOD, OUTLINE),
    ("edge of a card on the wood", theme.PARCHMENT_EDGE, theme.WOOD, OUTLINE),
    ("bullets on a card", theme.BULLET, theme.PARCHMENT, OUTLINE),
    ("edge of the card of the turn", theme.BRASS, theme.WOOD, OUTLINE),
    ("signs of brass on the wood", theme.BRASS, theme.WOOD, AAA),
    ("edge of minus", theme.BRICK, theme.PARCHMENT, OUTLINE),
    ("edge of plus", theme.SAGE, theme.PARCHMENT, OUTLINE),
    ("a code", theme.CODE_DARK, theme.CODE_LIGHT, AAA),
    ("signs of forbidden buttons", theme.OFF_SIGN, theme.OFF, OUTLINE),
    ("signs of forbidden dark buttons", theme.OFF_DARK_SIGN, theme.OFF_DARK, AA),
)
"""Pairs of colours used together: use, foreground, background and minimum contrast."""


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours, from 1 to 21.

    Source: Web Content Accessibility Guidelines 2.2, "contrast ratio".
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize(("use", "front", "back", "least"), LEGIBLE, ids=str)
@pytest.mark.parametrize("palette", PALETTES.values(), ids=[light.value for light in PALETTES])
def test_what_is_read_stands_out_and_in_high_contrast_as_aaa(
    palette: Palette, use: str, front: Colour, back: Colour, least: float
) -> None:
    ratio = contrast(palette[front], palette[back])
    assert ratio >= (AAA if palette is CONTRAST else least), f"{use}: {ratio:.2f}"


def test_every_theme_has_a_palette_and_a_size_of_type() -> None:
    assert set(PALETTES) == set(TYPE_SCALES) == set(Theme)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=[light.value for light in PALETTES])
def test_every_palette_has_every_colour(palette: Palette) -> None:
    assert set(palette) == {
        use for name, use in vars(theme).items() if name.isupper() and isinstance(use, str)
    }


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
            assert least >= AAA, use
