"""A square canvas for drawing icons from lines and areas, at any size."""

import itertools
import math
from collections.abc import Sequence
from typing import Final

import pygame

from kiosk.view.theme import Rgb

FINE: Final = 4
"""The scale at which icons are drawn before they are scaled down, for smooth edges."""
Point = tuple[float, float]


class IconCanvas:
    """A square canvas of side 1. ``ink`` and ``second`` are the two colours of a drawing."""

    def __init__(self, side: int, ink: Rgb, second: Rgb) -> None:
        self.ink = ink
        self.second = second
        self._side = side
        self.surface = pygame.Surface((side, side), pygame.SRCALPHA, 32)
        self.surface.fill((*ink, 0))

    def area(self, points: Sequence[Point], colour: Rgb | None = None) -> None:
        """Draw a filled polygon."""
        pygame.draw.polygon(self.surface, colour or self.ink, [self._at(p) for p in points])

    def disc(self, centre: Point, radius: float, colour: Rgb | None = None) -> None:
        """Draw a filled circle."""
        pygame.draw.circle(self.surface, colour or self.ink, self._at(centre), radius * self._side)

    def hole(self, centre: Point, radius: float) -> None:
        """Draw a transparent circle."""
        pygame.draw.circle(self.surface, (*self.ink, 0), self._at(centre), radius * self._side)

    def path(self, points: Sequence[Point], width: float, colour: Rgb | None = None) -> None:
        """Draw a line with round ends and corners."""
        for start, end in itertools.pairwise(points):
            dx, dy = end[0] - start[0], end[1] - start[1]
            length = math.hypot(dx, dy) or 1.0
            ox, oy = -dy / length * width / 2, dx / length * width / 2
            self.area(
                [
                    (start[0] + ox, start[1] + oy),
                    (end[0] + ox, end[1] + oy),
                    (end[0] - ox, end[1] - oy),
                    (start[0] - ox, start[1] - oy),
                ],
                colour,
            )
        for point in points:
            self.disc(point, width / 2, colour)

    def box(self, x: float, y: float, w: float, h: float, colour: Rgb | None = None) -> None:
        """Draw a filled rectangle."""
        self.area([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], colour)

    def _at(self, point: Point) -> Point:
        return point[0] * self._side, point[1] * self._side


def points_on_circle(centre: Point, radius: float, count: int, start: float = -90.0) -> list[Point]:
    """Return evenly spaced points on a circle.

    ``start`` is the angle of the first, 0 at the right, clockwise.
    """
    return [
        (
            centre[0] + radius * math.cos(math.radians(start + 360 * i / count)),
            centre[1] + radius * math.sin(math.radians(start + 360 * i / count)),
        )
        for i in range(count)
    ]


def arc_points(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points of a circular arc between two angles in degrees."""
    steps = 24
    return [
        (
            centre[0] + radius * math.cos(math.radians(start + (end - start) * i / steps)),
            centre[1] + radius * math.sin(math.radians(start + (end - start) * i / steps)),
        )
        for i in range(steps + 1)
    ]
