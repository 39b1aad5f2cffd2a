"""Icons as data: each is a sequence of shapes on a square of side 1, in the ink or in a second colour."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import pygame

from kiosk.view.theme import Rgb

_FINE: Final = 4
"""The scale at which icons are drawn before they are scaled down, for smooth edges."""
_Point = tuple[float, float]


class _Canvas(NamedTuple):
    surface: pygame.Surface
    side: int
    ink: Rgb
    second: Rgb

    def at(self, point: _Point) -> _Point:
        return point[0] * self.side, point[1] * self.side


_Shape = Callable[[_Canvas], None]


def _area(points: Sequence[_Point], *, second: bool = False) -> _Shape:
    def draw(canvas: _Canvas) -> None:
        colour = canvas.second if second else canvas.ink
        pygame.draw.polygon(canvas.surface, colour, [canvas.at(point) for point in points])

    return draw


def _disc(x: float, y: float, radius: float, *, second: bool = False) -> _Shape:
    def draw(canvas: _Canvas) -> None:
        colour = canvas.second if second else canvas.ink
        pygame.draw.circle(canvas.surface, colour, canvas.at((x, y)), radius * canvas.side)

    return draw


def _hole(x: float, y: float, radius: float) -> _Shape:
    def draw(canvas: _Canvas) -> None:
        pygame.draw.circle(canvas.surface, (*canvas.ink, 0), canvas.at((x, y)), radius * canvas.side)

    return draw


def _box(x: float, y: float, w: float, h: float, *, second: bool = False) -> _Shape:
    return _area([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], second=second)


def _path(points: Sequence[_Point], width: float, *, second: bool = False) -> _Shape:
    def draw(canvas: _Canvas) -> None:
        for (x, y), (to_x, to_y) in itertools.pairwise(points):
            dx, dy = to_x - x, to_y - y
            length = math.hypot(dx, dy) or 1.0
            ox, oy = -dy / length * width / 2, dx / length * width / 2
            corners = [(x + ox, y + oy), (to_x + ox, to_y + oy), (to_x - ox, to_y - oy), (x - ox, y - oy)]
            _area(corners, second=second)(canvas)
        for point in points:
            _disc(*point, width / 2, second=second)(canvas)

    return draw


def _circle(centre: _Point, radius: float, count: int, start: float = -90.0) -> list[_Point]:
    """Return evenly spaced points on a circle, clockwise from an angle; angle 0 is on the right."""
    return _points(centre, radius, (start + 360 * i / count for i in range(count)))


def _arc(centre: _Point, radius: float, start: float, end: float) -> list[_Point]:
    steps = 24
    return _points(centre, radius, (start + (end - start) * i / steps for i in range(steps + 1)))


def _points(centre: _Point, radius: float, degrees: Iterable[float]) -> list[_Point]:
    x, y = centre
    angles = map(math.radians, degrees)
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _ray(tip: int) -> _Shape:
    angle, side, far = math.radians(30 * tip), math.radians(9), 0.48 if tip % 2 == 0 else 0.42
    ends = ((0.3, angle - side), (far, angle), (0.3, angle + side))
    return _area([(0.5 + radius * math.cos(a), 0.5 + radius * math.sin(a)) for radius, a in ends])


def _tooth(number: int) -> _Shape:
    angle = math.radians(45 * number)
    c, s = math.cos(angle), math.sin(angle)
    corners = ((0.2, -0.1), (0.46, -0.065), (0.46, 0.065), (0.2, 0.1))
    return _area([(0.5 + c * r - s * w, 0.5 + s * r + c * w) for r, w in corners])


def _twig(side: int) -> Iterable[_Shape]:
    """Yield one half of a laurel; ``side`` is -1 for the left one, 1 for the right one."""
    stem = ((0.06, 0.88), (0.26, 0.78), (0.36, 0.56), (0.34, 0.3))
    yield _path([(0.5 + side * x, y) for x, y in stem], 0.05)
    for x, y in (
        (0.18, 0.74), (0.27, 0.6), (0.3, 0.43), (0.42, 0.74), (0.46, 0.52), (0.43, 0.3), (0.31, 0.18),
    ):  # fmt: skip
        yield _disc(0.5 + side * x, y, 0.065)


def _qr_corner(x: float, y: float) -> tuple[_Shape, _Shape]:
    outline = [(x + 0.04, y + 0.04), (x + 0.3, y + 0.04), (x + 0.3, y + 0.3), (x + 0.04, y + 0.3)]
    return _path([*outline, outline[0]], 0.08), _box(x + 0.12, y + 0.12, 0.1, 0.1)


_STAR: Final = _circle((0.5, 0.52), 0.42, 5)
_STAR_INNER: Final = _circle((0.5, 0.52), 0.2, 5, -54)
_CARTRIDGE: Final = [
    (0.35, 0.9), (0.35, 0.42), (0.38, 0.24), (0.44, 0.1), (0.5, 0.06), (0.56, 0.1), (0.62, 0.24),
    (0.65, 0.42), (0.65, 0.9), (0.35, 0.9),
]  # fmt: skip
_BELL: Final = [
    (0.16, 0.74), (0.25, 0.62), (0.27, 0.4), *_arc((0.5, 0.4), 0.23, 180, 360),
    (0.73, 0.4), (0.75, 0.62), (0.84, 0.74),
]  # fmt: skip
_BRIM: Final = [
    (0.04, 0.5), (0.24, 0.6), (0.5, 0.64), (0.76, 0.6), (0.96, 0.5), (0.84, 0.7), (0.5, 0.78), (0.16, 0.7),
]  # fmt: skip
_HOOK: Final = [(0.5 + 0.16 * x, 0.38 + 0.16 * y) for x, y in _arc((0.0, 0.0), 1.0, 180, 420)]
_LINK: Final = (
    _path(_arc((0.5, 0.84), 0.62, 225, 315), 0.1),
    _path(_arc((0.5, 0.84), 0.4, 225, 315), 0.1),
    _disc(0.5, 0.8, 0.1),
)

DRAWINGS: Final[Mapping[str, Sequence[_Shape]]] = {
    "star": (
        _area([point for pair in zip(_STAR, _STAR_INNER, strict=True) for point in pair]),
        *(_disc(*point, 0.075) for point in _STAR),
        _disc(0.5, 0.52, 0.11, second=True),
    ),
    "bullet": (
        _area(
            [(0.36, 0.42), (0.38, 0.24), (0.44, 0.1), (0.5, 0.05), (0.56, 0.1), (0.62, 0.24), (0.64, 0.42)],
            second=True,
        ),
        _box(0.33, 0.42, 0.34, 0.42),
        _box(0.36, 0.84, 0.28, 0.03),
        _box(0.31, 0.87, 0.38, 0.08),
    ),
    "spent": (_path(_CARTRIDGE, 0.05),),
    "sun": (*map(_ray, range(12)), _disc(0.5, 0.5, 0.25)),
    "tombstone": (
        _area([(0.22, 0.86), (0.22, 0.4), *_arc((0.5, 0.38), 0.28, 180, 360), (0.78, 0.86)]),
        _box(0.12, 0.84, 0.76, 0.08),
        _box(0.465, 0.24, 0.07, 0.36, second=True),
        _box(0.36, 0.34, 0.28, 0.07, second=True),
    ),
    "gear": (*map(_tooth, range(8)), _disc(0.5, 0.5, 0.33), _hole(0.5, 0.5, 0.14)),
    "bell": (_disc(0.5, 0.16, 0.07), _area(_BELL), _disc(0.5, 0.84, 0.085)),
    "plus": (_path([(0.5, 0.14), (0.5, 0.86)], 0.2), _path([(0.14, 0.5), (0.86, 0.5)], 0.2)),
    "minus": (_path([(0.14, 0.5), (0.86, 0.5)], 0.2),),
    "undo": (
        _path([(0.3, 0.33), *_arc((0.56, 0.56), 0.23, -90, 90), (0.32, 0.79)], 0.11),
        _area([(0.08, 0.33), (0.36, 0.1), (0.36, 0.56)]),
    ),
    "redo": (
        _path([(0.7, 0.33), *_arc((0.44, 0.56), 0.23, -90, -270), (0.68, 0.79)], 0.11),
        _area([(0.92, 0.33), (0.64, 0.1), (0.64, 0.56)]),
    ),
    "arrow": (_path([(0.14, 0.5), (0.7, 0.5)], 0.15), _area([(0.56, 0.18), (0.94, 0.5), (0.56, 0.82)])),
    "back": (_path([(0.86, 0.5), (0.3, 0.5)], 0.15), _area([(0.44, 0.18), (0.06, 0.5), (0.44, 0.82)])),
    "cards": (
        _area([(0.1, 0.24), (0.46, 0.12), (0.64, 0.74), (0.28, 0.86)]),
        _area([(0.42, 0.2), (0.9, 0.2), (0.9, 0.9), (0.42, 0.9)], second=True),
        _area([(0.47, 0.25), (0.85, 0.25), (0.85, 0.85), (0.47, 0.85)]),
    ),
    "shuffle": (
        _path([(0.08, 0.72), (0.26, 0.72), (0.56, 0.28), (0.72, 0.28)], 0.1),
        _path([(0.08, 0.28), (0.26, 0.28), (0.56, 0.72), (0.72, 0.72)], 0.1),
        *(_area([(0.68, y - 0.16), (0.94, y), (0.68, y + 0.16)]) for y in (0.28, 0.72)),
    ),
    "menu": [_path([(0.18, y), (0.82, y)], 0.12) for y in (0.25, 0.5, 0.75)],
    "check": (_path([(0.14, 0.54), (0.4, 0.8), (0.86, 0.24)], 0.14),),
    "cross": (_path([(0.22, 0.22), (0.78, 0.78)], 0.14), _path([(0.78, 0.22), (0.22, 0.78)], 0.14)),
    "cable": (
        _path([(0.38, 0.08), (0.38, 0.32)], 0.08),
        _path([(0.62, 0.08), (0.62, 0.32)], 0.08),
        _area([(0.22, 0.3), (0.78, 0.3), (0.78, 0.5), (0.62, 0.66), (0.38, 0.66), (0.22, 0.5)]),
        _path([(0.5, 0.6), (0.5, 0.92)], 0.1),
    ),
    "link": _LINK,
    "no-link": (*_LINK, _path([(0.16, 0.16), (0.84, 0.84)], 0.1)),
    "dynamite": (
        *(_box(x, 0.38, 0.2, 0.52) for x in (0.16, 0.39, 0.62)),
        _box(0.13, 0.56, 0.72, 0.1, second=True),
        _path([(0.49, 0.38), (0.52, 0.26), (0.64, 0.2)], 0.06),
        _area(_circle((0.73, 0.16), 0.13, 4, 0)),
    ),
    "beer": (
        _path(_arc((0.66, 0.6), 0.17, -80, 80), 0.08),
        _box(0.18, 0.34, 0.5, 0.56),
        _box(0.32, 0.46, 0.05, 0.34, second=True),
        _box(0.46, 0.46, 0.05, 0.34, second=True),
        *(_disc(x, y, 0.12) for x, y in ((0.24, 0.28), (0.4, 0.22), (0.56, 0.26), (0.66, 0.32))),
    ),
    "lock": (
        _path([(0.3, 0.5), (0.3, 0.34), *_arc((0.5, 0.32), 0.2, 180, 360), (0.7, 0.5)], 0.1),
        _box(0.18, 0.46, 0.64, 0.44),
        _disc(0.5, 0.64, 0.07, second=True),
        _box(0.47, 0.64, 0.06, 0.14, second=True),
    ),
    "key": (
        _disc(0.28, 0.5, 0.2),
        _hole(0.28, 0.5, 0.09),
        _path([(0.46, 0.5), (0.9, 0.5)], 0.1),
        _box(0.7, 0.5, 0.08, 0.2),
        _box(0.84, 0.5, 0.08, 0.16),
    ),
    "story": (
        _area([(0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)]),
        *(_box(0.3, y, 0.4, 0.06, second=True) for y in (0.28, 0.44, 0.6)),
    ),
    # A hat without a head.
    "away": (
        _area([(0.3, 0.56), (0.34, 0.3), (0.44, 0.24), (0.5, 0.3), (0.56, 0.24), (0.66, 0.3), (0.7, 0.56)]),
        _area(_BRIM),
    ),
    "warning": (
        _area([(0.5, 0.08), (0.96, 0.9), (0.04, 0.9)]),
        _box(0.45, 0.36, 0.1, 0.28, second=True),
        _disc(0.5, 0.76, 0.06, second=True),
    ),
    "clock": (
        _disc(0.5, 0.5, 0.42),
        _disc(0.5, 0.5, 0.32, second=True),
        _path([(0.5, 0.28), (0.5, 0.5), (0.64, 0.6)], 0.08),
    ),
    "chart": (
        _path([(0.14, 0.12), (0.14, 0.86), (0.9, 0.86)], 0.08),
        _path([(0.26, 0.3), (0.48, 0.42), (0.62, 0.66), (0.88, 0.7)], 0.08),
    ),
    "laurel": (*_twig(-1), *_twig(1)),
    # It also marks unsaved entries.
    "pencil": (
        _area([(0.12, 0.88), (0.18, 0.64), (0.36, 0.82)]),
        _area([(0.23, 0.59), (0.68, 0.14), (0.86, 0.32), (0.41, 0.77)]),
    ),
    # An auctioneer's.
    "hammer": (
        _area([(0.36, 0.12), (0.64, 0.4), (0.46, 0.58), (0.18, 0.3)]),
        _path([(0.44, 0.06), (0.7, 0.32)], 0.09),
        _path([(0.12, 0.38), (0.38, 0.64)], 0.09),
        _path([(0.52, 0.46), (0.84, 0.78)], 0.11),
        _box(0.1, 0.84, 0.56, 0.09),
    ),
    "qr": (
        *_qr_corner(0.08, 0.08),
        *_qr_corner(0.58, 0.08),
        *_qr_corner(0.08, 0.58),
        *(
            _box(x, y, 0.11, 0.11)
            for x, y in ((0.58, 0.58), (0.8, 0.58), (0.69, 0.69), (0.58, 0.8), (0.8, 0.8))
        ),
    ),
    # A plug with two contacts, and its body.
    "stick": (
        _path([(0.34, 0.36), (0.34, 0.08), (0.66, 0.08), (0.66, 0.36)], 0.07),
        _box(0.41, 0.17, 0.06, 0.09),
        _box(0.53, 0.17, 0.06, 0.09),
        _box(0.24, 0.36, 0.52, 0.56),
    ),
    "play": (_area([(0.24, 0.12), (0.86, 0.5), (0.24, 0.88)]),),
    "pause": (_box(0.2, 0.14, 0.2, 0.72), _box(0.6, 0.14, 0.2, 0.72)),
    "moon": (_disc(0.46, 0.5, 0.36), _hole(0.62, 0.42, 0.3)),
    # A table from above: the terminal in its middle and the players around it, or the terminal at its end.
    "ring": (
        _disc(0.5, 0.5, 0.3),
        _box(0.36, 0.41, 0.28, 0.18, second=True),
        *(_disc(x, y, 0.085) for x, y in ((0.5, 0.09), (0.5, 0.91), (0.09, 0.5), (0.91, 0.5))),
    ),
    "keeper": (
        _box(0.28, 0.1, 0.44, 0.56),
        *(_disc(x, y, 0.075) for y in (0.2, 0.38, 0.56) for x in (0.14, 0.86)),
        _path([(0.26, 0.84), (0.74, 0.84)], 0.16),
    ),
    "speaker": (
        _box(0.08, 0.36, 0.2, 0.28),
        _area([(0.24, 0.38), (0.5, 0.14), (0.5, 0.86), (0.24, 0.62)]),
        _path([(0.62, 0.36), (0.68, 0.5), (0.62, 0.64)], 0.08),
        _path([(0.76, 0.22), (0.87, 0.5), (0.76, 0.78)], 0.08),
    ),
    "speech": (
        _box(0.06, 0.16, 0.88, 0.52),
        _area([(0.2, 0.62), (0.48, 0.62), (0.22, 0.9)]),
        _box(0.18, 0.28, 0.64, 0.09, second=True),
        _box(0.18, 0.46, 0.44, 0.09, second=True),
    ),
    "question": (
        _disc(0.5, 0.5, 0.46),
        _path([*_HOOK, (0.5, 0.6)], 0.1, second=True),
        _disc(0.5, 0.75, 0.065, second=True),
    ),
    "turn": (
        _path(_arc((0.5, 0.5), 0.34, -60, 200), 0.11),
        _area([(0.5, 0.02), (0.84, 0.2), (0.52, 0.4)]),
    ),
    "contrast": (_disc(0.5, 0.5, 0.44), _hole(0.5, 0.5, 0.34), _area(_arc((0.5, 0.5), 0.38, 90, 270))),
}


def render_icon(name: str, side: int, ink: Rgb, second: Rgb | None = None) -> pygame.Surface:
    """Render an icon at a size in pixels. ``second`` is the colour of its details, by default the ink."""
    fine = side * _FINE
    surface = pygame.Surface((fine, fine), pygame.SRCALPHA, 32)
    surface.fill((*ink, 0))
    for shape in DRAWINGS[name]:
        shape(_Canvas(surface, fine, ink, second or ink))
    return pygame.transform.smoothscale(surface, (side, side))
