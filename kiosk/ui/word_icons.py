"""Icons about words: language, the question mark that opens a rule, and turning a page."""

from collections.abc import Callable, Mapping
from typing import Final

from saloon.kiosk.ui.icon_canvas import IconCanvas, arc_points


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


def _turn(sheet: IconCanvas) -> None:
    """Draw a circular arrow."""
    sheet.path(arc_points((0.5, 0.5), 0.34, -60, 200), 0.11)
    sheet.area([(0.5, 0.02), (0.84, 0.2), (0.52, 0.4)])


_HOOK: Final = tuple(arc_points((0.0, 0.0), 1.0, 180, 420))

DRAWINGS: Final[Mapping[str, Callable[[IconCanvas], None]]] = {
    "speech": _speech,
    "question": _question,
    "turn": _turn,
}
