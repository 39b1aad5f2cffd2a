"""Rectangles, quarter turns, and the geometry of common terminal screens, in logical pixels."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec


class Rect(msgspec.Struct, frozen=True, array_like=True):
    """A rectangle in whole pixels."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    def inset(self, dx: int, dy: int | None = None) -> "Rect":
        """Return the rectangle smaller by these amounts on each side; negative amounts enlarge it."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def move(self, dx: int, dy: int) -> "Rect":
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def overlaps(self, other: "Rect") -> bool:
        """Return whether the rectangles have a pixel in common."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def intersect(self, other: "Rect") -> "Rect":
        """Return the area that the rectangles have in common, which may be empty."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(0, right - x), max(0, bottom - y))

    def split_top(self, height: int, gap: int = 0) -> tuple["Rect", "Rect"]:
        """Split off a strip at the top. Return the strip, and the rest below a gap."""
        height = min(height, self.h)
        return (
            Rect(self.x, self.y, self.w, height),
            Rect(self.x, self.y + height + gap, self.w, max(0, self.h - height - gap)),
        )

    def split_bottom(self, height: int, gap: int = 0) -> tuple["Rect", "Rect"]:
        """Split off a strip at the bottom. Return the strip, and the rest above a gap."""
        height = min(height, self.h)
        return (
            Rect(self.x, self.bottom - height, self.w, height),
            Rect(self.x, self.y, self.w, max(0, self.h - height - gap)),
        )

    def split_left(self, width: int, gap: int = 0) -> tuple["Rect", "Rect"]:
        """Split off a strip on the left. Return the strip, and the rest to the right of a gap."""
        width = min(width, self.w)
        return (
            Rect(self.x, self.y, width, self.h),
            Rect(self.x + width + gap, self.y, max(0, self.w - width - gap), self.h),
        )

    def split_right(self, width: int, gap: int = 0) -> tuple["Rect", "Rect"]:
        """Split off a strip on the right. Return the strip, and the rest to the left of a gap."""
        width = min(width, self.w)
        return (
            Rect(self.right - width, self.y, width, self.h),
            Rect(self.x, self.y, max(0, self.w - width - gap), self.h),
        )

    def columns(self, shares: Sequence[float], gap: int) -> tuple["Rect", ...]:
        """Divide the rectangle into columns with these relative widths and equal gaps, using every pixel."""
        spans = _spans(self.w, shares, gap)
        return tuple(Rect(self.x + at, self.y, size, self.h) for at, size in spans)

    def rows(self, shares: Sequence[float], gap: int) -> tuple["Rect", ...]:
        """Divide the rectangle into rows with these relative heights and equal gaps, using every pixel."""
        spans = _spans(self.h, shares, gap)
        return tuple(Rect(self.x, self.y + at, self.w, size) for at, size in spans)

    def grid(self, count: int, columns: int, gap: int) -> tuple["Rect", ...]:
        """Divide the rectangle into equal cells, row by row, in as many rows as needed."""
        lines = self.rows([1] * -(-count // columns), gap)
        return tuple(cell for line in lines for cell in line.columns([1] * columns, gap))

    def centre(self, width: int, height: int) -> "Rect":
        width, height = min(width, self.w), min(height, self.h)
        return Rect(self.x + (self.w - width) // 2, self.y + (self.h - height) // 2, width, height)


def _spans(length: int, shares: Sequence[float], gap: int) -> tuple[tuple[int, int], ...]:
    room = max(0, length - gap * (len(shares) - 1))
    total = sum(shares) or 1
    edges = [round(room * sum(shares[:i]) / total) for i in range(len(shares) + 1)]
    return tuple((edges[i] + gap * i, edges[i + 1] - edges[i]) for i in range(len(shares)))


class ScreenGeometry(msgspec.Struct, frozen=True):
    """The geometry of a screen as people see it, in logical pixels. The picture is turned when it is painted.

    ``scale`` is the enlargement compared with a 7-inch panel, as larger screens are read from farther away.
    """

    width: int
    height: int
    px_per_mm: float
    quarter_turns: int = 0
    scale: float = 1.0

    def mm(self, millimetres: float) -> int:
        """Convert millimetres on a 7-inch panel to whole pixels, rounded up."""
        return math.ceil(millimetres * self.px_per_mm * self.scale)

    @property
    def rect(self) -> Rect:
        return Rect(0, 0, self.width, self.height)

    @property
    def panel_size(self) -> tuple[int, int]:
        """The width and height of the panel in its own orientation, in pixels."""
        if self.quarter_turns % 2:
            return self.height, self.width
        return self.width, self.height


def rotated_size(rect: Rect, quarter_turns: int) -> tuple[int, int]:
    return (rect.h, rect.w) if quarter_turns % 2 else (rect.w, rect.h)


def rotate_within(
    inner: Rect, size: tuple[int, int], quarter_turns: int, at: tuple[int, int] = (0, 0)
) -> Rect:
    """Return where a rectangle on a sheet is after the sheet was turned clockwise.

    ``size`` is the sheet's before turning, and ``at`` the upper left corner of the turned sheet.
    """
    width, height = size
    x, y = at
    match quarter_turns % 4:
        case 0:
            return Rect(x + inner.x, y + inner.y, inner.w, inner.h)
        case 1:
            return Rect(x + height - inner.y - inner.h, y + inner.x, inner.h, inner.w)
        case 2:
            return Rect(x + width - inner.x - inner.w, y + height - inner.y - inner.h, inner.w, inner.h)
        case _:
            return Rect(x + inner.y, y + width - inner.x - inner.w, inner.h, inner.w)


def place_on_screen(inner: Rect, rect: Rect, quarter_turns: int) -> Rect:
    """Return the place on the screen of a rectangle in a block at ``rect``, which is turned clockwise."""
    return rotate_within(inner, rotated_size(rect, quarter_turns), quarter_turns, (rect.x, rect.y))


_MM_PER_INCH: Final = 25.4
_USUAL_INCHES: Final = 7.0
_ABOUT: Final = 0.15
"""The tolerance for panels that are sold as seven inches."""
_USUAL_LENGTH_MM: Final = 153.85
"""The longer side of a 7-inch panel, for which all sizes are designed."""
_LARGEST_SCALE: Final = 2.0
PX_PER_MM: Final[Mapping[tuple[int, int], float]] = {(480, 800): 5.2, (600, 1024): 6.65, (720, 1280): 8.3}
"""Pixels per millimetre of common 7-inch panels, by their shorter and longer side in pixels."""


def screen_geometry_for(
    size: tuple[int, int], quarter_turns: int = 0, inches: float | None = None
) -> ScreenGeometry:
    """Return the geometry of a panel. ``size`` is the picture's size as people see it, in pixels.

    ``inches`` is the panel's diagonal, 7 by default. On larger panels, text and buttons grow up to twice
    their size.
    """
    usual = PX_PER_MM.get((min(size), max(size)))
    if usual is not None and (inches is None or abs(inches - _USUAL_INCHES) < _ABOUT):
        return ScreenGeometry(*size, usual, quarter_turns)
    inches = inches or _USUAL_INCHES
    px_per_mm = round(math.hypot(*size) / (inches * _MM_PER_INCH), 2)
    scale = min(_LARGEST_SCALE, max(1.0, round(max(size) / px_per_mm / _USUAL_LENGTH_MM, 3)))
    return ScreenGeometry(*size, px_per_mm, quarter_turns, scale)
