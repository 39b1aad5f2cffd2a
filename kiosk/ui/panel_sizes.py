"""Pixel densities of the panels that terminals are built with."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from saloon.kiosk.ui.geometry import ScreenGeometry

_MM_PER_INCH: Final = 25.4
_USUAL_INCHES: Final = 7.0
PX_PER_MM: Final[Mapping[tuple[int, int], float]] = MappingProxyType(
    {(480, 800): 5.2, (600, 1024): 6.65, (720, 1280): 8.3}
)
"""Pixels per millimetre of common 7-inch panels, by their shorter and longer side in pixels."""


def screen_geometry_for(
    size: tuple[int, int], quarter_turns: int = 0, inches: float | None = None
) -> ScreenGeometry:
    """Return the glass of a panel. size: of the picture as people see it, in pixels.

    inches: the panel's diagonal; without it the panel has 7 inches.
    """
    usual = PX_PER_MM.get((min(size), max(size)))
    if inches is None and usual is not None:
        return ScreenGeometry(*size, usual, quarter_turns)
    diagonal_mm = (inches or _USUAL_INCHES) * _MM_PER_INCH
    return ScreenGeometry(*size, round(math.hypot(*size) / diagonal_mm, 2), quarter_turns)
