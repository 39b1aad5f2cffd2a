"""Icons of menus and settings: codes and USB drive, light, sound and layout, language and rules."""

from collections.abc import Callable, Mapping
from typing import Final

from kiosk.ui.icon_canvas import IconCanvas, arc_points


def _qr(sheet: IconCanvas) -> None:
    """Draw three corners of a QR code and some of its modules."""
    for x, y in ((0.08, 0.08), (0.58, 0.08), (0.08, 0.58)):
        sheet.path([(x + 0.04, y + 0.04), (x + 0.3, y + 0.04), (x + 0.3, y + 0.3), (x + 0.04, y + 0.3),
                    (x + 0.04, y + 0.04)], 0.08)  # fmt: skip
        sheet.box(x + 0.12, y + 0.12, 0.1, 0.1)
    for x, y in ((0.58, 0.58), (0.8, 0.58), (0.69, 0.69), (0.58, 0.8), (0.8, 0.8)):
        sheet.box(x, y, 0.11, 0.11)


def _stick(sheet: IconCanvas) -> None:
    """Draw a plug with two contacts, and its body."""
    sheet.path([(0.34, 0.36), (0.34, 0.08), (0.66, 0.08), (0.66, 0.36)], 0.07)
    sheet.box(0.41, 0.17, 0.06, 0.09)
    sheet.box(0.53, 0.17, 0.06, 0.09)
    sheet.box(0.24, 0.36, 0.52, 0.56)


def _play(sheet: IconCanvas) -> None:
    sheet.area([(0.24, 0.12), (0.86, 0.5), (0.24, 0.88)])


def _pause(sheet: IconCanvas) -> None:
    sheet.box(0.2, 0.14, 0.2, 0.72)
    sheet.box(0.6, 0.14, 0.2, 0.72)


def _moon(sheet: IconCanvas) -> None:
    sheet.disc((0.46, 0.5), 0.36)
    sheet.hole((0.62, 0.42), 0.3)


def _ring(sheet: IconCanvas) -> None:
    """Draw a table from above with the terminal in its middle and the players around it."""
    sheet.disc((0.5, 0.5), 0.3)
    sheet.box(0.36, 0.41, 0.28, 0.18, sheet.second)
    for x, y in ((0.5, 0.09), (0.5, 0.91), (0.09, 0.5), (0.91, 0.5)):
        sheet.disc((x, y), 0.085)


def _keeper(sheet: IconCanvas) -> None:
    """Draw a table from above with the terminal at its near end."""
    sheet.box(0.28, 0.1, 0.44, 0.56)
    for y in (0.2, 0.38, 0.56):
        sheet.disc((0.14, y), 0.075)
        sheet.disc((0.86, y), 0.075)
    sheet.path([(0.26, 0.84), (0.74, 0.84)], 0.16)


def _speaker(sheet: IconCanvas) -> None:
    """Draw a loudspeaker and its waves."""
    sheet.box(0.08, 0.36, 0.2, 0.28)
    sheet.area([(0.24, 0.38), (0.5, 0.14), (0.5, 0.86), (0.24, 0.62)])
    sheet.path([(0.62, 0.36), (0.68, 0.5), (0.62, 0.64)], 0.08)
    sheet.path([(0.76, 0.22), (0.87, 0.5), (0.76, 0.78)], 0.08)


def _speech(sheet: IconCanvas) -> None:
    """Draw a speech balloon with two lines of text."""
    sheet.box(0.06, 0.16, 0.88, 0.52)
    sheet.area([(0.2, 0.62), (0.48, 0.62), (0.22, 0.9)])
    sheet.box(0.18, 0.28, 0.64, 0.09, sheet.second)
    sheet.box(0.18, 0.46, 0.44, 0.09, sheet.second)


def _question(sheet: IconCanvas) -> None:
    """Draw a question mark on a coin."""
    sheet.disc((0.5, 0.5), 0.46)
    hook = [(0.5 + 0.16 * x, 0.38 + 0.16 * y) for x, y in _HOOK]
    sheet.path([*hook, (0.5, 0.6)], 0.1, sheet.second)
    sheet.disc((0.5, 0.75), 0.065, sheet.second)


def _contrast(sheet: IconCanvas) -> None:
    """Draw a disc with one half filled."""
    sheet.disc((0.5, 0.5), 0.44)
    sheet.hole((0.5, 0.5), 0.34)
    sheet.area(arc_points((0.5, 0.5), 0.38, 90, 270))


def _turn(sheet: IconCanvas) -> None:
    """Draw a circular arrow."""
    sheet.path(arc_points((0.5, 0.5), 0.34, -60, 200), 0.11)
    sheet.area([(0.5, 0.02), (0.84, 0.2), (0.52, 0.4)])


_HOOK: Final = tuple(arc_points((0.0, 0.0), 1.0, 180, 420))

MENU_DRAWINGS: Final[Mapping[str, Callable[[IconCanvas], None]]] = {
    "qr": _qr,
    "stick": _stick,
    "play": _play,
    "pause": _pause,
    "moon": _moon,
    "ring": _ring,
    "keeper": _keeper,
    "speaker": _speaker,
    "speech": _speech,
    "question": _question,
    "turn": _turn,
    "contrast": _contrast,
}
