"""Icons drawn in code: bullets, star, sun, tombstone and those of buttons. ``DRAWINGS`` lists them."""

import math
from collections.abc import Callable, Mapping
from typing import Final

import pygame

from kiosk.ui.icon_canvas import FINE, IconCanvas, arc_points, points_on_circle
from kiosk.ui.menu_icons import MENU_DRAWINGS
from kiosk.view.theme import Rgb


def _star(sheet: IconCanvas) -> None:
    outer, inner = points_on_circle((0.5, 0.52), 0.42, 5), points_on_circle((0.5, 0.52), 0.2, 5, -54)
    sheet.area([point for pair in zip(outer, inner, strict=True) for point in pair])
    for point in outer:
        sheet.disc(point, 0.075)
    sheet.disc((0.5, 0.52), 0.11, sheet.second)


def _bullet(sheet: IconCanvas) -> None:
    sheet.area(
        [(0.36, 0.42), (0.38, 0.24), (0.44, 0.1), (0.5, 0.05), (0.56, 0.1), (0.62, 0.24), (0.64, 0.42)],
        sheet.second,
    )
    sheet.box(0.33, 0.42, 0.34, 0.42)
    sheet.box(0.36, 0.84, 0.28, 0.03)
    sheet.box(0.31, 0.87, 0.38, 0.08)


def _draw_spent_cartridge(sheet: IconCanvas) -> None:
    outline = [(0.35, 0.9), (0.35, 0.42), (0.38, 0.24), (0.44, 0.1), (0.5, 0.06), (0.56, 0.1), (0.62, 0.24)]
    sheet.path([*outline, (0.65, 0.42), (0.65, 0.9), (0.35, 0.9)], 0.05)


def _sun(sheet: IconCanvas) -> None:
    for tip in range(12):
        angle = math.radians(30 * tip)
        side = math.radians(9)
        far = 0.48 if tip % 2 == 0 else 0.42
        sheet.area(
            [
                (0.5 + 0.3 * math.cos(angle - side), 0.5 + 0.3 * math.sin(angle - side)),
                (0.5 + far * math.cos(angle), 0.5 + far * math.sin(angle)),
                (0.5 + 0.3 * math.cos(angle + side), 0.5 + 0.3 * math.sin(angle + side)),
            ]
        )
    sheet.disc((0.5, 0.5), 0.25)


def _tombstone(sheet: IconCanvas) -> None:
    sheet.area([(0.22, 0.86), (0.22, 0.4), *arc_points((0.5, 0.38), 0.28, 180, 360), (0.78, 0.86)])
    sheet.box(0.12, 0.84, 0.76, 0.08)
    sheet.box(0.465, 0.24, 0.07, 0.36, sheet.second)
    sheet.box(0.36, 0.34, 0.28, 0.07, sheet.second)


def _gear(sheet: IconCanvas) -> None:
    for tooth in range(8):
        angle = math.radians(45 * tooth)
        c, s = math.cos(angle), math.sin(angle)
        sheet.area(
            [
                (0.5 + c * r - s * w, 0.5 + s * r + c * w)
                for r, w in ((0.2, -0.1), (0.46, -0.065), (0.46, 0.065), (0.2, 0.1))
            ]
        )
    sheet.disc((0.5, 0.5), 0.33)
    sheet.hole((0.5, 0.5), 0.14)


def _bell(sheet: IconCanvas) -> None:
    sheet.disc((0.5, 0.16), 0.07)
    sheet.area(
        [
            (0.16, 0.74),
            (0.25, 0.62),
            (0.27, 0.4),
            *arc_points((0.5, 0.4), 0.23, 180, 360),
            (0.73, 0.4),
            (0.75, 0.62),
            (0.84, 0.74),
        ]
    )
    sheet.disc((0.5, 0.84), 0.085)


def _plus(sheet: IconCanvas) -> None:
    sheet.path([(0.5, 0.14), (0.5, 0.86)], 0.2)
    sheet.path([(0.14, 0.5), (0.86, 0.5)], 0.2)


def _minus(sheet: IconCanvas) -> None:
    sheet.path([(0.14, 0.5), (0.86, 0.5)], 0.2)


def _undo(sheet: IconCanvas) -> None:
    sheet.path([(0.3, 0.33), *arc_points((0.56, 0.56), 0.23, -90, 90), (0.32, 0.79)], 0.11)
    sheet.area([(0.08, 0.33), (0.36, 0.1), (0.36, 0.56)])


def _redo(sheet: IconCanvas) -> None:
    sheet.path([(0.7, 0.33), *arc_points((0.44, 0.56), 0.23, -90, -270), (0.68, 0.79)], 0.11)
    sheet.area([(0.92, 0.33), (0.64, 0.1), (0.64, 0.56)])


def _arrow(sheet: IconCanvas) -> None:
    sheet.path([(0.14, 0.5), (0.7, 0.5)], 0.15)
    sheet.area([(0.56, 0.18), (0.94, 0.5), (0.56, 0.82)])


def _back(sheet: IconCanvas) -> None:
    sheet.path([(0.86, 0.5), (0.3, 0.5)], 0.15)
    sheet.area([(0.44, 0.18), (0.06, 0.5), (0.44, 0.82)])


def _cards(sheet: IconCanvas) -> None:
    sheet.area([(0.1, 0.24), (0.46, 0.12), (0.64, 0.74), (0.28, 0.86)])
    sheet.area([(0.42, 0.2), (0.9, 0.2), (0.9, 0.9), (0.42, 0.9)], sheet.second)
    sheet.area([(0.47, 0.25), (0.85, 0.25), (0.85, 0.85), (0.47, 0.85)])


def _shuffle(sheet: IconCanvas) -> None:
    for low, high in ((0.72, 0.28), (0.28, 0.72)):
        sheet.path([(0.08, low), (0.26, low), (0.56, high), (0.72, high)], 0.1)
    for y in (0.28, 0.72):
        sheet.area([(0.68, y - 0.16), (0.94, y), (0.68, y + 0.16)])


def _menu(sheet: IconCanvas) -> None:
    for y in (0.25, 0.5, 0.75):
        sheet.path([(0.18, y), (0.82, y)], 0.12)


def _check(sheet: IconCanvas) -> None:
    sheet.path([(0.14, 0.54), (0.4, 0.8), (0.86, 0.24)], 0.14)


def _cross(sheet: IconCanvas) -> None:
    sheet.path([(0.22, 0.22), (0.78, 0.78)], 0.14)
    sheet.path([(0.78, 0.22), (0.22, 0.78)], 0.14)


def _link(sheet: IconCanvas) -> None:
    for radius, width in ((0.62, 0.1), (0.4, 0.1)):
        sheet.path(arc_points((0.5, 0.84), radius, 225, 315), width)
    sheet.disc((0.5, 0.8), 0.1)


def _cable(sheet: IconCanvas) -> None:
    sheet.path([(0.38, 0.08), (0.38, 0.32)], 0.08)
    sheet.path([(0.62, 0.08), (0.62, 0.32)], 0.08)
    sheet.area([(0.22, 0.3), (0.78, 0.3), (0.78, 0.5), (0.62, 0.66), (0.38, 0.66), (0.22, 0.5)])
    sheet.path([(0.5, 0.6), (0.5, 0.92)], 0.1)


def _no_link(sheet: IconCanvas) -> None:
    _link(sheet)
    sheet.path([(0.16, 0.16), (0.84, 0.84)], 0.1)


def _dynamite(sheet: IconCanvas) -> None:
    for x in (0.16, 0.39, 0.62):
        sheet.box(x, 0.38, 0.2, 0.52)
    sheet.box(0.13, 0.56, 0.72, 0.1, sheet.second)
    sheet.path([(0.49, 0.38), (0.52, 0.26), (0.64, 0.2)], 0.06)
    sheet.area(points_on_circle((0.73, 0.16), 0.13, 4, 0))


def _beer(sheet: IconCanvas) -> None:
    sheet.path(arc_points((0.66, 0.6), 0.17, -80, 80), 0.08)
    sheet.box(0.18, 0.34, 0.5, 0.56)
    for x in (0.32, 0.46):
        sheet.box(x, 0.46, 0.05, 0.34, sheet.second)
    for x, y in ((0.24, 0.28), (0.4, 0.22), (0.56, 0.26), (0.66, 0.32)):
        sheet.disc((x, y), 0.12)


def _lock(sheet: IconCanvas) -> None:
    sheet.path([(0.3, 0.5), (0.3, 0.34), *arc_points((0.5, 0.32), 0.2, 180, 360), (0.7, 0.5)], 0.1)
    sheet.box(0.18, 0.46, 0.64, 0.44)
    sheet.disc((0.5, 0.64), 0.07, sheet.second)
    sheet.box(0.47, 0.64, 0.06, 0.14, sheet.second)


def _key(sheet: IconCanvas) -> None:
    sheet.disc((0.28, 0.5), 0.2)
    sheet.hole((0.28, 0.5), 0.09)
    sheet.path([(0.46, 0.5), (0.9, 0.5)], 0.1)
    sheet.box(0.7, 0.5, 0.08, 0.2)
    sheet.box(0.84, 0.5, 0.08, 0.16)


def _story(sheet: IconCanvas) -> None:
    sheet.area([(0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)])
    for y in (0.28, 0.44, 0.6):
        sheet.box(0.3, y, 0.4, 0.06, sheet.second)


def _away(sheet: IconCanvas) -> None:
    """Draw a hat without a head."""
    sheet.area([(0.3, 0.56), (0.34, 0.3), (0.44, 0.24), (0.5, 0.3), (0.56, 0.24), (0.66, 0.3), (0.7, 0.56)])
    sheet.area(
        [
            (0.04, 0.5),
            (0.24, 0.6),
            (0.5, 0.64),
            (0.76, 0.6),
            (0.96, 0.5),
            (0.84, 0.7),
            (0.5, 0.78),
            (0.16, 0.7),
        ]
    )


def _warning(sheet: IconCanvas) -> None:
    sheet.area([(0.5, 0.08), (0.96, 0.9), (0.04, 0.9)])
    sheet.box(0.45, 0.36, 0.1, 0.28, sheet.second)
    sheet.disc((0.5, 0.76), 0.06, sheet.second)


def _clock(sheet: IconCanvas) -> None:
    sheet.disc((0.5, 0.5), 0.42)
    sheet.disc((0.5, 0.5), 0.32, sheet.second)
    sheet.path([(0.5, 0.28), (0.5, 0.5), (0.64, 0.6)], 0.08)


def _chart(sheet: IconCanvas) -> None:
    sheet.path([(0.14, 0.12), (0.14, 0.86), (0.9, 0.86)], 0.08)
    sheet.path([(0.26, 0.3), (0.48, 0.42), (0.62, 0.66), (0.88, 0.7)], 0.08)


def _laurel(sheet: IconCanvas) -> None:
    for side in (-1, 1):
        sheet.path(
            [(0.5 + side * x, y) for x, y in ((0.06, 0.88), (0.26, 0.78), (0.36, 0.56), (0.34, 0.3))], 0.05
        )
        for x, y in (
            (0.18, 0.74),
            (0.27, 0.6),
            (0.3, 0.43),
            (0.42, 0.74),
            (0.46, 0.52),
            (0.43, 0.3),
            (0.31, 0.18),
        ):
            sheet.disc((0.5 + side * x, y), 0.065)


def _half(sheet: IconCanvas) -> None:
    """Draw a pencil, which also marks unsaved entries."""
    sheet.area([(0.12, 0.88), (0.18, 0.64), (0.36, 0.82)])
    sheet.area([(0.23, 0.59), (0.68, 0.14), (0.86, 0.32), (0.41, 0.77)])


def _hammer(sheet: IconCanvas) -> None:
    """Draw an auctioneer's hammer."""
    sheet.area([(0.36, 0.12), (0.64, 0.4), (0.46, 0.58), (0.18, 0.3)])
    sheet.path([(0.44, 0.06), (0.7, 0.32)], 0.09)
    sheet.path([(0.12, 0.38), (0.38, 0.64)], 0.09)
    sheet.path([(0.52, 0.46), (0.84, 0.78)], 0.11)
    sheet.box(0.1, 0.84, 0.56, 0.09)


DRAWINGS: Final[Mapping[str, Callable[[IconCanvas], None]]] = {
    "star": _star,
    "bullet": _bullet,
    "spent": _draw_spent_cartridge,
    "sun": _sun,
    "tombstone": _tombstone,
    "gear": _gear,
    "bell": _bell,
    "plus": _plus,
    "minus": _minus,
    "undo": _undo,
    "redo": _redo,
    "arrow": _arrow,
    "back": _back,
    "cards": _cards,
    "shuffle": _shuffle,
    "menu": _menu,
    "check": _check,
    "cross": _cross,
    "cable": _cable,
    "link": _link,
    "no-link": _no_link,
    "dynamite": _dynamite,
    "beer": _beer,
    "lock": _lock,
    "key": _key,
    "story": _story,
    "away": _away,
    "warning": _warning,
    "clock": _clock,
    "chart": _chart,
    "laurel": _laurel,
    "pencil": _half,
    "hammer": _hammer,
    **MENU_DRAWINGS,
}


def render_icon(name: str, side: int, ink: Rgb, second: Rgb | None = None) -> pygame.Surface:
    """Render an icon at a size in pixels. ``second`` is the colour of its details, by default the ink."""
    sheet = IconCanvas(side * FINE, ink, second or ink)
    DRAWINGS[name](sheet)
    return pygame.transform.smoothscale(sheet.surface, (side, side))
