"""Icons of the settings for light, sound and layout."""

from collections.abc import Callable, Mapping
from typing import Final

from saloon.kiosk.ui.icon_canvas import IconCanvas


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


DRAWINGS: Final[Mapping[str, Callable[[IconCanvas], None]]] = {
    "moon": _moon,
    "ring": _ring,
    "keeper": _keeper,
    "speaker": _speaker,
}
