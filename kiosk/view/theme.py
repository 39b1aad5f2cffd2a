"""The look of the terminal: parchment cards on dark wood, brass for active elements and ink for text.

Colours are named by their use, a palette defines each of them, and the painter looks them up. A test checks
the contrast of the pairs that are used together. Colour alone never conveys information: there is always an
icon or a word too.
"""

from collections.abc import Mapping
from typing import Final, NewType

from kiosk.preferences import Theme

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


Colour = NewType("Colour", str)
"""The use of a colour, by which a palette looks it up."""

WOOD: Final = Colour("wood")
"""The table: the background of everything."""
WOOD_GRAIN: Final = Colour("wood grain")
PLANK: Final = Colour("plank")
"""Secondary buttons and dark cards on the wood."""
PLANK_EDGE: Final = Colour("plank edge")
PARCHMENT: Final = Colour("parchment")
"""A player's card, and dialogs."""
PARCHMENT_EDGE: Final = Colour("parchment edge")
PARCHMENT_SHADE: Final = Colour("parchment shade")
"""Rows and insets on a card, and the places of lost bullets."""
ASHES: Final = Colour("ashes")
"""The card of an eliminated player."""
INK: Final = Colour("ink")
"""Text on parchment."""
INK_SOFT: Final = Colour("soft ink")
SOOT: Final = Colour("soot")
"""Text on brass, and on High Noon."""
CREAM: Final = Colour("cream")
"""Text on wood, planks and ashes."""
CREAM_SOFT: Final = Colour("soft cream")
BRASS: Final = Colour("brass")
"""Active elements: the player whose turn it is, and the main button."""
BULLET: Final = Colour("bullet")
BULLET_TIP: Final = Colour("bullet tip")
SPENT: Final = Colour("spent")
BRICK: Final = Colour("brick")
"""The loss of a life point."""
GRAVE: Final = Colour("grave")
"""A button for an action that can't be undone."""
GRAVE_DEEP: Final = Colour("deep grave")
BLUSH: Final = Colour("blush")
"""The minus button."""
MINT: Final = Colour("mint")
"""The plus button."""
SAGE: Final = Colour("sage")
"""The gain of a life point."""
NOON: Final = Colour("noon")
"""High Noon, and judge calls."""
OFF: Final = Colour("off")
"""A disabled button on parchment."""
OFF_SIGN: Final = Colour("sign of off")
OFF_DARK: Final = Colour("dark off")
OFF_DARK_SIGN: Final = Colour("sign of dark off")
CODE_DARK: Final = Colour("code dark")
CODE_LIGHT: Final = Colour("code light")
"""The light parts of QR codes. Their contrast is the greatest in every palette, as cameras read them."""
TEST_RED: Final = Colour("test red")
TEST_GREEN: Final = Colour("test green")
TEST_BLUE: Final = Colour("test blue")
TEST_WHITE: Final = Colour("test white")
TEST_BLACK: Final = Colour("test black")
"""Colours of the pixel test, single and combined; the same in every palette."""


Palette = Mapping[Colour, Rgb]


_LOOKS: Final[Mapping[Colour, tuple[Rgb, Rgb, Rgb]]] = {
    # For a bright hall: parchment on dark wood. For a dim one: leather, a soft cream and no glare. For weak
    # eyesight: black, white and pure colours, with a high contrast for every pair.
    WOOD: ((33, 23, 17), (14, 10, 8), (0, 0, 0)),
    WOOD_GRAIN: ((40, 28, 21), (20, 14, 11), (0, 0, 0)),
    PLANK: ((55, 40, 30), (32, 22, 16), (0, 0, 0)),
    PLANK_EDGE: ((150, 122, 90), (118, 90, 62), (255, 255, 255)),
    PARCHMENT: ((244, 232, 205), (52, 37, 26), (255, 255, 255)),
    PARCHMENT_EDGE: ((206, 182, 142), (124, 96, 66), (255, 255, 255)),
    PARCHMENT_SHADE: ((228, 211, 176), (40, 28, 20), (232, 232, 232)),
    ASHES: ((66, 54, 45), (26, 21, 18), (48, 48, 48)),
    INK: ((38, 22, 12), (236, 208, 164), (0, 0, 0)),
    INK_SOFT: ((84, 58, 36), (196, 164, 120), (0, 0, 0)),
    SOOT: ((38, 22, 12), (14, 7, 3), (0, 0, 0)),
    CREAM: ((250, 240, 219), (228, 202, 162), (255, 255, 255)),
    CREAM_SOFT: ((216, 199, 170), (184, 158, 122), (255, 255, 255)),
    BRASS: ((230, 176, 72), (208, 150, 66), (255, 216, 0)),
    BULLET: ((176, 116, 28), (214, 152, 70), (120, 62, 0)),
    BULLET_TIP: ((110, 66, 20), (150, 92, 40), (60, 28, 0)),
    SPENT: ((160, 140, 106), (132, 106, 76), (84, 84, 84)),
    BRICK: ((126, 34, 22), (255, 170, 138), (132, 0, 0)),
    GRAVE: ((126, 34, 22), (110, 28, 18), (132, 0, 0)),
    GRAVE_DEEP: ((92, 20, 12), (80, 18, 10), (96, 0, 0)),
    BLUSH: ((248, 224, 200), (70, 30, 20), (255, 232, 226)),
    MINT: ((230, 230, 196), (38, 46, 26), (226, 250, 222)),
    SAGE: ((38, 78, 48), (178, 208, 140), (0, 72, 22)),
    NOON: ((246, 158, 52), (224, 136, 50), (255, 168, 0)),
    OFF: ((214, 199, 170), (46, 35, 27), (232, 232, 232)),
    OFF_SIGN: ((112, 92, 68), (128, 108, 84), (72, 72, 72)),
    OFF_DARK: ((46, 34, 26), (22, 16, 12), (24, 24, 24)),
    OFF_DARK_SIGN: ((160, 142, 116), (142, 122, 96), (176, 176, 176)),
}
_PURE: Final = {
    CODE_DARK: (0, 0, 0),
    CODE_LIGHT: (255, 255, 255),
    TEST_RED: (255, 0, 0),
    TEST_GREEN: (0, 255, 0),
    TEST_BLUE: (0, 0, 255),
    TEST_WHITE: (255, 255, 255),
    TEST_BLACK: (0, 0, 0),
}
"""The same in every palette."""


def _palette(column: int) -> Palette:
    return {colour: looks[column] for colour, looks in _LOOKS.items()} | _PURE


DAY: Final = _palette(0)
DIM: Final = _palette(1)
CONTRAST: Final = _palette(2)

PALETTES: Final[Mapping[Theme, Palette]] = {Theme.DAY: DAY, Theme.DIM: DIM, Theme.CONTRAST: CONTRAST}
TYPE_SCALES: Final[Mapping[Theme, float]] = {Theme.DAY: 1.0, Theme.DIM: 1.0, Theme.CONTRAST: 1.2}
"""Factors for the size of a theme's type, where there is room."""
