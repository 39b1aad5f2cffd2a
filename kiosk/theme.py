"""The look of the terminal: parchment cards on dark wood, brass for what is on, ink for what is read.

Colours are tokens by what they are for. ``LEGIBLE`` lists the pairs that stand on each other, with
the contrast that each must have; a test measures them. No meaning hangs on a colour alone: there
is always a sign or a word beside it.
"""

from typing import Final

Colour = tuple[int, int, int]

WOOD: Final[Colour] = (33, 23, 17)
"""The table: background of everything."""
WOOD_GRAIN: Final[Colour] = (40, 28, 21)
PLANK: Final[Colour] = (55, 40, 30)
"""Quiet buttons and dark cards on the wood."""
PLANK_EDGE: Final[Colour] = (150, 122, 90)
PARCHMENT: Final[Colour] = (244, 232, 205)
"""A player's card, and dialogs."""
PARCHMENT_EDGE: Final[Colour] = (120, 92, 60)
PARCHMENT_SHADE: Final[Colour] = (228, 211, 176)
"""Rows and rests on a card: places of bullets that are spent."""
ASHES: Final[Colour] = (66, 54, 45)
"""The card of somebody who is out."""
INK: Final[Colour] = (38, 22, 12)
INK_SOFT: Final[Colour] = (84, 58, 36)
CREAM: Final[Colour] = (250, 240, 219)
CREAM_SOFT: Final[Colour] = (216, 199, 170)
BRASS: Final[Colour] = (230, 176, 72)
"""What is on: the turn, the main button."""
BRASS_EDGE: Final[Colour] = (160, 108, 24)
BULLET: Final[Colour] = (176, 116, 28)
BULLET_TIP: Final[Colour] = (110, 66, 20)
SPENT: Final[Colour] = (160, 140, 106)
BRICK: Final[Colour] = (126, 34, 22)
"""A life point less; what cannot be taken back."""
BRICK_DEEP: Final[Colour] = (92, 20, 12)
BLUSH: Final[Colour] = (248, 224, 200)
"""The face of minus."""
MINT: Final[Colour] = (230, 230, 196)
"""The face of plus."""
SAGE: Final[Colour] = (38, 78, 48)
"""A life point more."""
NOON: Final[Colour] = (246, 158, 52)
"""High Noon, and calls."""
OFF: Final[Colour] = (214, 199, 170)
"""The face of a button on parchment that a rule forbids now."""
OFF_SIGN: Final[Colour] = (112, 92, 68)
OFF_DARK: Final[Colour] = (46, 34, 26)
OFF_DARK_SIGN: Final[Colour] = (160, 142, 116)

CODE_DARK: Final[Colour] = (0, 0, 0)
CODE_LIGHT: Final[Colour] = (255, 255, 255)
"""A code is for cameras: as much contrast as the glass has."""

AAA: Final = 7.0
AA: Final = 4.5
OUTLINE: Final = 3.0

LEGIBLE: Final[tuple[tuple[str, Colour, Colour, float], ...]] = (
    ("names and numbers on a card", INK, PARCHMENT, AAA),
    ("names on the card of the turn", INK, BRASS, AAA),
    ("characters on the card of the turn", INK_SOFT, BRASS, 3.0),
    ("characters on a card", INK_SOFT, PARCHMENT, AA),
    ("words on a shaded row", INK, PARCHMENT_SHADE, AAA),
    ("soft words on a shaded row", INK_SOFT, PARCHMENT_SHADE, AA),
    ("names of those out", CREAM, ASHES, AAA),
    ("roles of those out", CREAM_SOFT, ASHES, AA),
    ("titles on the wood", CREAM, WOOD, AAA),
    ("words on the wood", CREAM_SOFT, WOOD, AAA),
    ("quiet buttons", CREAM, PLANK, AAA),
    ("main buttons", INK, BRASS, AAA),
    ("a life point less", BRICK, BLUSH, AAA),
    ("a life point more", SAGE, MINT, AAA),
    ("what cannot be taken back", CREAM, BRICK, AAA),
    ("a hold in progress", CREAM, BRICK_DEEP, AAA),
    ("High Noon", INK, NOON, AAA),
    ("High Noon on the wood", NOON, WOOD, AAA),
    ("loss on a card", BRICK, PARCHMENT, AAA),
    ("gain on a card", SAGE, PARCHMENT, AAA),
    ("edge of quiet buttons", PLANK_EDGE, WOOD, OUTLINE),
    ("edge of a card on the wood", PARCHMENT, WOOD, OUTLINE),
    ("bullets on a card", BULLET, PARCHMENT, OUTLINE),
    ("signs of forbidden buttons", OFF_SIGN, OFF, OUTLINE),
    ("signs of forbidden dark buttons", OFF_DARK_SIGN, OFF_DARK, AA),
)
"""What stands on what: use, foreground, background, the least contrast."""


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, from 1 to 21.

    Source: Web Content Accessibility Guidelines 2.2, "contrast ratio".
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


_KNEE: Final = 0.04045
"""Where sRGB is linear below."""


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= _KNEE else float(((part + 0.055) / 1.055) ** 2.4)
