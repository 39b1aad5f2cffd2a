"""The look of the terminal: parchment cards on dark wood, brass for active elements and ink for text.

Colours are named by their use; a palette defines how each looks, and the painter resolves them. ``LEGIBLE``
lists the pairs that are used together and the contrast that each needs; a test checks them in every palette.
No information is conveyed by colour alone: there is always an icon or a word too.
"""

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kiosk.preferences import Theme

Rgb = tuple[int, int, int]
"""The red, green and blue of a colour, each from 0 to 255."""


class Colour(enum.Enum):
    """The use of a colour; the value is its name."""

    # Every stroke hashes it, and an enum's own hash is slow Python code.
    __hash__ = object.__hash__

    WOOD = "wood"
    """The table: the background of everything."""
    WOOD_GRAIN = "wood grain"
    PLANK = "plank"
    """Secondary buttons and dark cards on the wood."""
    PLANK_EDGE = "plank edge"
    PARCHMENT = "parchment"
    """A player's card, and dialogs."""
    PARCHMENT_EDGE = "parchment edge"
    PARCHMENT_SHADE = "parchment shade"
    """Rows and insets on a card, and the places of lost bullets."""
    ASHES = "ashes"
    """The card of an eliminated player."""
    INK = "ink"
    """Text on parchment."""
    INK_SOFT = "soft ink"
    SOOT = "soot"
    """Text on brass, and on High Noon."""
    CREAM = "cream"
    """Text on wood, planks and ashes."""
    CREAM_SOFT = "soft cream"
    BRASS = "brass"
    """Active elements: the player in turn, the main button."""
    BRASS_EDGE = "brass edge"
    BULLET = "bullet"
    BULLET_TIP = "bullet tip"
    SPENT = "spent"
    BRICK = "brick"
    """The loss of a life point."""
    GRAVE = "grave"
    """A button for an action that can't be undone."""
    GRAVE_DEEP = "deep grave"
    BLUSH = "blush"
    """The minus button."""
    MINT = "mint"
    """The plus button."""
    SAGE = "sage"
    """The gain of a life point."""
    NOON = "noon"
    """High Noon, and judge calls."""
    OFF = "off"
    """A disabled button on parchment."""
    OFF_SIGN = "sign of off"
    OFF_DARK = "dark off"
    OFF_DARK_SIGN = "sign of dark off"
    CODE_DARK = "code dark"
    CODE_LIGHT = "code light"
    """The light parts of QR codes: the greatest contrast in every palette, as cameras read them."""
    TEST_RED = "test red"
    TEST_GREEN = "test green"
    TEST_BLUE = "test blue"
    TEST_WHITE = "test white"
    TEST_BLACK = "test black"
    """Colours of the pixel test, single and combined; the same in every palette."""


Palette = Mapping[Colour, Rgb]

WOOD: Final = Colour.WOOD
WOOD_GRAIN: Final = Colour.WOOD_GRAIN
PLANK: Final = Colour.PLANK
PLANK_EDGE: Final = Colour.PLANK_EDGE
PARCHMENT: Final = Colour.PARCHMENT
PARCHMENT_EDGE: Final = Colour.PARCHMENT_EDGE
PARCHMENT_SHADE: Final = Colour.PARCHMENT_SHADE
ASHES: Final = Colour.ASHES
INK: Final = Colour.INK
INK_SOFT: Final = Colour.INK_SOFT
SOOT: Final = Colour.SOOT
CREAM: Final = Colour.CREAM
CREAM_SOFT: Final = Colour.CREAM_SOFT
BRASS: Final = Colour.BRASS
BRASS_EDGE: Final = Colour.BRASS_EDGE
BULLET: Final = Colour.BULLET
BULLET_TIP: Final = Colour.BULLET_TIP
SPENT: Final = Colour.SPENT
BRICK: Final = Colour.BRICK
GRAVE: Final = Colour.GRAVE
GRAVE_DEEP: Final = Colour.GRAVE_DEEP
BLUSH: Final = Colour.BLUSH
MINT: Final = Colour.MINT
SAGE: Final = Colour.SAGE
NOON: Final = Colour.NOON
OFF: Final = Colour.OFF
OFF_SIGN: Final = Colour.OFF_SIGN
OFF_DARK: Final = Colour.OFF_DARK
OFF_DARK_SIGN: Final = Colour.OFF_DARK_SIGN
CODE_DARK: Final = Colour.CODE_DARK
CODE_LIGHT: Final = Colour.CODE_LIGHT
TEST_RED: Final = Colour.TEST_RED
TEST_GREEN: Final = Colour.TEST_GREEN
TEST_BLUE: Final = Colour.TEST_BLUE
TEST_WHITE: Final = Colour.TEST_WHITE
TEST_BLACK: Final = Colour.TEST_BLACK

_PURE: Final = {
    CODE_DARK: (0, 0, 0),
    CODE_LIGHT: (255, 255, 255),
    TEST_RED: (255, 0, 0),
    TEST_GREEN: (0, 255, 0),
    TEST_BLUE: (0, 0, 255),
    TEST_WHITE: (255, 255, 255),
    TEST_BLACK: (0, 0, 0),
}

DAY: Final[Palette] = MappingProxyType(
    {
        WOOD: (33, 23, 17),
        WOOD_GRAIN: (40, 28, 21),
        PLANK: (55, 40, 30),
        PLANK_EDGE: (150, 122, 90),
        PARCHMENT: (244, 232, 205),
        PARCHMENT_EDGE: (206, 182, 142),
        PARCHMENT_SHADE: (228, 211, 176),
        ASHES: (66, 54, 45),
        INK: (38, 22, 12),
        INK_SOFT: (84, 58, 36),
        SOOT: (38, 22, 12),
        CREAM: (250, 240, 219),
        CREAM_SOFT: (216, 199, 170),
        BRASS: (230, 176, 72),
        BRASS_EDGE: (160, 108, 24),
        BULLET: (176, 116, 28),
        BULLET_TIP: (110, 66, 20),
        SPENT: (160, 140, 106),
        BRICK: (126, 34, 22),
        GRAVE: (126, 34, 22),
        GRAVE_DEEP: (92, 20, 12),
        BLUSH: (248, 224, 200),
        MINT: (230, 230, 196),
        SAGE: (38, 78, 48),
        NOON: (246, 158, 52),
        OFF: (214, 199, 170),
        OFF_SIGN: (112, 92, 68),
        OFF_DARK: (46, 34, 26),
        OFF_DARK_SIGN: (160, 142, 116),
        **_PURE,
    }
)
"""The palette for a bright hall: parchment on dark wood."""

DIM: Final[Palette] = MappingProxyType(
    {
        WOOD: (14, 10, 8),
        WOOD_GRAIN: (20, 14, 11),
        PLANK: (32, 22, 16),
        PLANK_EDGE: (118, 90, 62),
        PARCHMENT: (52, 37, 26),
        PARCHMENT_EDGE: (124, 96, 66),
        PARCHMENT_SHADE: (40, 28, 20),
        ASHES: (26, 21, 18),
        INK: (236, 208, 164),
        INK_SOFT: (196, 164, 120),
        SOOT: (14, 7, 3),
        CREAM: (228, 202, 162),
        CREAM_SOFT: (184, 158, 122),
        BRASS: (208, 150, 66),
        BRASS_EDGE: (140, 96, 34),
        BULLET: (214, 152, 70),
        BULLET_TIP: (150, 92, 40),
        SPENT: (132, 106, 76),
        BRICK: (255, 170, 138),
        GRAVE: (110, 28, 18),
        GRAVE_DEEP: (80, 18, 10),
        BLUSH: (70, 30, 20),
        MINT: (38, 46, 26),
        SAGE: (178, 208, 140),
        NOON: (224, 136, 50),
        OFF: (46, 35, 27),
        OFF_SIGN: (128, 108, 84),
        OFF_DARK: (22, 16, 12),
        OFF_DARK_SIGN: (142, 122, 96),
        **_PURE,
    }
)
"""The palette for a dim hall: leather instead of parchment, a soft cream and no glare."""

CONTRAST: Final[Palette] = MappingProxyType(
    {
        WOOD: (0, 0, 0),
        WOOD_GRAIN: (0, 0, 0),
        PLANK: (0, 0, 0),
        PLANK_EDGE: (255, 255, 255),
        PARCHMENT: (255, 255, 255),
        PARCHMENT_EDGE: (255, 255, 255),
        PARCHMENT_SHADE: (232, 232, 232),
        ASHES: (48, 48, 48),
        INK: (0, 0, 0),
        INK_SOFT: (0, 0, 0),
        SOOT: (0, 0, 0),
        CREAM: (255, 255, 255),
        CREAM_SOFT: (255, 255, 255),
        BRASS: (255, 216, 0),
        BRASS_EDGE: (110, 70, 0),
        BULLET: (120, 62, 0),
        BULLET_TIP: (60, 28, 0),
        SPENT: (84, 84, 84),
        BRICK: (132, 0, 0),
        GRAVE: (132, 0, 0),
        GRAVE_DEEP: (96, 0, 0),
        BLUSH: (255, 232, 226),
        MINT: (226, 250, 222),
        SAGE: (0, 72, 22),
        NOON: (255, 168, 0),
        OFF: (232, 232, 232),
        OFF_SIGN: (72, 72, 72),
        OFF_DARK: (24, 24, 24),
        OFF_DARK_SIGN: (176, 176, 176),
        **_PURE,
    }
)
"""The palette for weak eyesight: black, white and pure colours, with a high contrast for every pair."""

PALETTES: Final[Mapping[Theme, Palette]] = MappingProxyType(
    {Theme.DAY: DAY, Theme.DIM: DIM, Theme.CONTRAST: CONTRAST}
)

TYPE_SCALES: Final[Mapping[Theme, float]] = MappingProxyType(
    {Theme.DAY: 1.0, Theme.DIM: 1.0, Theme.CONTRAST: 1.2}
)
"""Factors for the size of a theme's type, if there is room."""

AAA: Final = 7.0
AA: Final = 4.5
OUTLINE: Final = 3.0

LEGIBLE: Final[tuple[tuple[str, Colour, Colour, float], ...]] = (
    ("names and numbers on a card", INK, PARCHMENT, AAA),
    ("names on the card of the turn", SOOT, BRASS, AAA),
    ("characters on a card", INK_SOFT, PARCHMENT, AA),
    ("words on a shaded row", INK, PARCHMENT_SHADE, AAA),
    ("soft words on a shaded row", INK_SOFT, PARCHMENT_SHADE, AA),
    ("names of those out", CREAM, ASHES, AAA),
    ("roles of those out", CREAM_SOFT, ASHES, AA),
    ("titles on the wood", CREAM, WOOD, AAA),
    ("words on the wood", CREAM_SOFT, WOOD, AAA),
    ("quiet buttons", CREAM, PLANK, AAA),
    ("main buttons", SOOT, BRASS, AAA),
    ("a hold that is nearly over", SOOT, NOON, AAA),
    ("a life point less", BRICK, BLUSH, AAA),
    ("a life point more", SAGE, MINT, AAA),
    ("what cannot be taken back", CREAM, GRAVE, AAA),
    ("a hold in progress", CREAM, GRAVE_DEEP, AAA),
    ("High Noon", SOOT, NOON, AAA),
    ("High Noon on the wood", NOON, WOOD, AAA),
    ("loss on a card", BRICK, PARCHMENT, AAA),
    ("gain on a card", SAGE, PARCHMENT, AAA),
    ("edge of quiet buttons", PLANK_EDGE, WOOD, OUTLINE),
    ("edge of a card on the wood", PARCHMENT_EDGE, WOOD, OUTLINE),
    ("bullets on a card", BULLET, PARCHMENT, OUTLINE),
    ("edge of the card of the turn", BRASS, WOOD, OUTLINE),
    ("signs of brass on the wood", BRASS, WOOD, AAA),
    ("edge of minus", BRICK, PARCHMENT, OUTLINE),
    ("edge of plus", SAGE, PARCHMENT, OUTLINE),
    ("a code", CODE_DARK, CODE_LIGHT, AAA),
    ("signs of forbidden buttons", OFF_SIGN, OFF, OUTLINE),
    ("signs of forbidden dark buttons", OFF_DARK_SIGN, OFF_DARK, AA),
)
"""Pairs of colours used together: use, foreground, background and minimum contrast."""


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours, from 1 to 21.

    Source: Web Content Accessibility Guidelines 2.2, "contrast ratio".
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


_KNEE: Final = 0.04045
"""The value below which sRGB is linear."""


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= _KNEE else float(((part + 0.055) / 1.055) ** 2.4)
