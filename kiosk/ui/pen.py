"""Drawing of shapes and text on a surface that may be turned, with a cache of finished pictures."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, assert_never

import pygame

from kiosk.ui.blocks import Align, Icon, Label, Matrix, Paragraph, Polyline, Typeface
from kiosk.ui.geometry import Rect, rotate_within
from kiosk.ui.icons import render_icon
from kiosk.ui.text import CAP_HEIGHT, LINE, Typesetter
from kiosk.view import theme
from kiosk.view.theme import Colour, Palette, Rgb

_BYTES_PER_PIXEL: Final = 4


class SurfaceCache:
    """A cache of surfaces with a size limit, which drops the least recently used ones."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget = budget_bytes
        self.held_bytes = 0
        self._surfaces: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get_or_make(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the surface for a key, made if it is missing. Don't draw on it."""
        surface = self._surfaces.get(key)
        if surface is not None:
            self._surfaces.move_to_end(key)
            return surface
        made = make()
        self._surfaces[key] = made
        self.held_bytes += _bytes(made)
        while self.held_bytes > self._budget and len(self._surfaces) > 1:
            _, oldest = self._surfaces.popitem(last=False)
            self.held_bytes -= _bytes(oldest)
        return made


def cache_budget_bytes(size: tuple[int, int]) -> int:
    """Return the size limit of the cache: the bytes of one whole picture of this size in pixels."""
    return size[0] * size[1] * _BYTES_PER_PIXEL


def _bytes(surface: pygame.Surface) -> int:
    return surface.get_width() * surface.get_height() * surface.get_bytesize()


QUIET: Final = 4
"""The white margin that QR code readers expect, in modules."""
_FINE: Final = 4
"""The scale at which round shapes are drawn before they are scaled down, for smooth edges."""


class PenResources(NamedTuple):
    """Resources shared by all pens of a painter."""

    cache: SurfaceCache
    types: Typesetter
    palette: Palette


class Pen:
    """A pen that draws on a sheet, which is part of a surface, in the coordinates of the sheet's reader.

    sheet: in pixels of the surface.
    quarter_turns: clockwise turns of the sheet.
    """

    def __init__(self, surface: pygame.Surface, sheet: Rect, quarter_turns: int, kit: PenResources) -> None:
        self._surface = surface
        self._at = (sheet.x, sheet.y)
        self._turns = quarter_turns % 4
        self._size = (sheet.h, sheet.w) if quarter_turns % 2 else (sheet.w, sheet.h)
        self._cache = kit.cache
        self._types = kit.types
        self._palette = kit.palette

    def to_surface(self, rect: Rect) -> Rect:
        return rotate_within(rect, self._size, self._turns, self._at)

    def width(self, text: str, face: Typeface, size_px: int) -> int:
        return self._types.width(text, face, size_px)

    def size_of(self, words: Label | Paragraph) -> int:
        """Return the type size, in pixels, at which a text fits its rectangle."""
        fitted = self._types.fit(words) if isinstance(words, Label) else self._types.wrap(words)
        return fitted.size_px

    def fill(self, rect: Rect, colour: Colour) -> None:
        at = self.to_surface(rect)
        self._surface.fill(self._palette[colour], (at.x, at.y, at.w, at.h))

    def box(self, rect: Rect, colour: Colour, radius: int) -> None:
        """Draw a rectangle with rounded corners."""
        radius = min(radius, rect.w // 2, rect.h // 2)
        if radius <= 1:
            self.fill(rect, colour)
            return
        at = self.to_surface(rect)
        rgb = self._palette[colour]
        wide, right = at.w - 2 * radius, at.right - radius
        self._surface.fill(rgb, (at.x + radius, at.y, wide, at.h))
        self._surface.fill(rgb, (at.x, at.y + radius, radius, at.h - 2 * radius))
        self._surface.fill(rgb, (right, at.y + radius, radius, at.h - 2 * radius))
        self._corners(at, radius, ("disc", radius, rgb), lambda: _disc(radius, rgb))

    def _corners(self, at: Rect, radius: int, key: Hashable, make: Callable[[], pygame.Surface]) -> None:
        disc = self._cache.get_or_make(key, make)
        right, low = at.right - radius, at.bottom - radius
        blit = self._surface.blit
        blit(disc, (at.x, at.y), (0, 0, radius, radius))
        blit(disc, (right, at.y), (radius, 0, radius, radius))
        blit(disc, (at.x, low), (0, radius, radius, radius))
        blit(disc, (right, low), (radius, radius, radius, radius))

    def draw_frame(self, rect: Rect, fill: Colour, radius: int, edge: Colour, edge_px: int) -> None:
        """Draw a rectangle with rounded corners and a coloured edge."""
        radius = min(radius, rect.w // 2, rect.h // 2)
        inner = radius - edge_px
        if edge is fill or inner <= 1:
            self.box(rect, edge, radius)
            if edge is not fill:
                self.box(rect.inset(edge_px), fill, inner)
            return
        at = self.to_surface(rect)
        line, face = self._palette[edge], self._palette[fill]
        wide, high = at.w - 2 * radius, at.h - 2 * radius
        x, y, right = at.x + radius, at.y + radius, at.right - radius
        paint = self._surface.fill
        paint(line, (x, at.y, wide, edge_px))
        paint(line, (x, at.bottom - edge_px, wide, edge_px))
        paint(line, (at.x, y, edge_px, high))
        paint(line, (at.right - edge_px, y, edge_px, high))
        paint(face, (x, at.y + edge_px, wide, at.h - 2 * edge_px))
        paint(face, (at.x + edge_px, y, inner, high))
        paint(face, (right, y, inner, high))
        self._corners(
            at, radius, ("ring", radius, edge_px, line, face), lambda: _ring(radius, inner, line, face)
        )

    def icon(self, icon: Icon) -> None:
        """Draw an icon centred in its rectangle."""
        side = min(icon.rect.w, icon.rect.h)
        if side < 1:
            return
        ink = self._palette[icon.colour]
        second = ink if icon.second is None else self._palette[icon.second]
        key = ("icon", icon.name, side, ink, second, self._turns)
        picture = self._cache.get_or_make(key, lambda: self._turn(render_icon(icon.name, side, ink, second)))
        at = self.to_surface(icon.rect.centre(side, side))
        self._surface.blit(picture, (at.x, at.y))

    def matrix(self, matrix: Matrix) -> None:
        """Draw a QR code with modules of whole pixels, or nothing if there is no room."""
        modules = matrix.size + 2 * QUIET
        px = min(matrix.rect.w, matrix.rect.h) // modules
        if px < 1:
            return
        key = ("matrix", matrix.rows, px, self._turns)
        picture = self._cache.get_or_make(key, lambda: self._turn(_modules(matrix, px, self._palette)))
        at = self.to_surface(matrix.rect.centre(modules * px, modules * px))
        self._surface.blit(picture, (at.x, at.y))

    def label(self, label: Label) -> None:
        """Draw a line of text."""
        if not label.text or label.rect.w < 1 or label.rect.h < 1:
            return
        fitted = self._types.fit(label)
        middle = label.rect.y + label.rect.h / 2
        self._line(fitted.text, (label.face, fitted.size_px, label.colour), label.rect, label.align, middle)

    def paragraph(self, paragraph: Paragraph) -> None:
        """Draw lines of text, vertically centred in their rectangle or from its top."""
        if paragraph.rect.w < 1 or paragraph.rect.h < 1:
            return
        fitted = self._types.wrap(paragraph)
        step = fitted.size_px * LINE
        spare = paragraph.rect.h - step * len(fitted.lines)
        if paragraph.from_top:
            # With the tightest line spacing, descenders of the last line need the space above the first one.
            spare = min(0.0, spare)
        middle = paragraph.rect.y + (spare + step) / 2
        ink = (paragraph.face, fitted.size_px, paragraph.colour)
        for number, line in enumerate(fitted.lines):
            self._line(line, ink, paragraph.rect, paragraph.align, middle + number * step)

    def trace(self, trace: Polyline) -> None:
        """Draw a line through points, possibly dashed."""
        rgb = self._palette[trace.colour]
        for first, last in _dash_segments(trace.points, trace.dash):
            ends = [self.to_surface(Rect(round(x), round(y), 1, 1)) for x, y in (first, last)]
            pygame.draw.line(
                self._surface, rgb, (ends[0].x, ends[0].y), (ends[1].x, ends[1].y), trace.width_px
            )

    def _line(
        self, text: str, ink: tuple[Typeface, int, Colour], rect: Rect, align: Align, middle: float
    ) -> None:
        if not text:
            return
        face, size, colour = ink
        rgb = self._palette[colour]
        picture = self._cache.get_or_make(
            ("text", text, face, size, rgb, self._turns),
            lambda: self._turn(self._types.picture(text, face, size, rgb)),
        )
        width, height = picture.get_size()
        if self._turns % 2:
            width, height = height, width
        y = round(middle + size * CAP_HEIGHT / 2 - self._types.ascent(text, face, size))
        at = self.to_surface(Rect(rect.x + _start(align, rect.w - width), y, width, height))
        self._surface.blit(picture, (at.x, at.y))

    def _turn(self, picture: pygame.Surface) -> pygame.Surface:
        # pygame rotates counter-clockwise.
        return pygame.transform.rotate(picture, -90 * self._turns) if self._turns else picture


def _start(align: Align, spare: int) -> int:
    match align:
        case Align.LEFT:
            return 0
        case Align.CENTRE:
            return spare // 2
        case Align.RIGHT:
            return spare
        case _:
            assert_never(align)


def _dash_segments(
    points: Sequence[tuple[float, float]], dash: Sequence[int]
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield the drawn pieces of a line. ``dash`` alternates lengths on and off, around corners too."""
    if not dash:
        yield from pairwise(points)
        return
    place, left = 0, float(dash[0])
    for (x, y), (to_x, to_y) in pairwise(points):
        length, done = math.hypot(to_x - x, to_y - y), 0.0
        while done < length:
            piece = min(left, length - done)
            if place % 2 == 0:
                first, last = done / length, (done + piece) / length
                yield (
                    (x + (to_x - x) * first, y + (to_y - y) * first),
                    (x + (to_x - x) * last, y + (to_y - y) * last),
                )
            done, left = done + piece, left - piece
            if left <= 0:
                place = (place + 1) % (2 * len(dash) if len(dash) % 2 else len(dash))
                left = float(dash[place % len(dash)])


def _modules(matrix: Matrix, px: int, palette: Palette) -> pygame.Surface:
    side = (matrix.size + 2 * QUIET) * px
    picture = pygame.Surface((side, side), depth=32)
    picture.fill(palette[theme.CODE_LIGHT])
    for down, row in enumerate(matrix.rows):
        for across in range(matrix.size):
            if row >> (matrix.size - 1 - across) & 1:
                picture.fill(palette[theme.CODE_DARK], ((across + QUIET) * px, (down + QUIET) * px, px, px))
    return picture


def _disc(radius: int, colour: Rgb) -> pygame.Surface:
    side = 2 * radius * _FINE
    large = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    large.fill((*colour, 0))
    pygame.draw.circle(large, colour, (side // 2, side // 2), side // 2)
    return pygame.transform.smoothscale(large, (2 * radius, 2 * radius))


def _ring(radius: int, inner: int, edge: Rgb, fill: Rgb) -> pygame.Surface:
    disc = _disc(radius, edge)
    disc.blit(_disc(inner, fill), (radius - inner, radius - inner))
    return disc
