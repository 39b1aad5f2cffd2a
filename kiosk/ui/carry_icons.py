"""Icons for carrying data without a cable: a QR code, a USB stick, play and pause."""

from collections.abc import Callable, Mapping
from typing import Final

from saloon.kiosk.ui.icon_canvas import IconCanvas


def _qr(sheet: IconCanvas) -> None:
    """Draw three corners of a QR code, and some modules."""
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


DRAWINGS: Final[Mapping[str, Callable[[IconCanvas], None]]] = {
    "qr": _qr,
    "stick": _stick,
    "play": _play,
    "pause": _pause,
}
