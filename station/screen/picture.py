"""Draw a plan on a screen of any shape: QR codes on one side, the hall on the other."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import pygame
import segno

from base.fonts import FOLDER
from station.screen.plan import Code, Mark, Row, ScreenPlan

_SIGN, _BOLD, _PLAIN = "SaloonSign.ttf", "BarlowCondensed-Bold.ttf", "BarlowCondensed-Medium.ttf"
_WOOD, _PLANK = (38, 26, 18), (58, 41, 29)
_CREAM, _SOFT, _BRASS, _INK = (247, 236, 214), (214, 196, 164), (226, 178, 76), (38, 26, 18)
_GOOD, _BAD, _PARCHMENT = (140, 186, 110), (240, 120, 84), (246, 234, 208)
_LANDSCAPE: Final = (1280, 720)
_SMALLEST: Final = 15
_CROWDED: Final = 20
_LEAST: Final = 11
"""The smallest font in pixels: on a small screen with many problems, completeness matters more than size."""
_LARGEST: Final = 40
"""The font size of rows in pixels, on a 1280x720 screen; rows shrink until all fit."""
_QUIET: Final = 4
"""The quiet zone around a QR code, in modules, as cameras need it."""


def draw_plan(plan: ScreenPlan, surface: pygame.Surface) -> None:
    _Picture(surface).draw(plan)


class _Picture:
    """A drawing in which all sizes scale with the screen."""

    def __init__(self, surface: pygame.Surface) -> None:
        self._surface = surface
        self._area = surface.get_rect()
        wide, high = _LANDSCAPE if self._area.w >= self._area.h else _LANDSCAPE[::-1]
        self._unit = min(self._area.w / wide, self._area.h / high)
        self._gap = self._px(18)

    def draw(self, plan: ScreenPlan) -> None:
        self._surface.fill(_WOOD)
        rest = self._area.inflate(-2 * self._gap, -2 * self._gap)
        rest = self._head(plan, rest)
        rest = self._foot(plan.foot, rest)
        if plan.alert:
            rest = self._alert(plan.alert, rest)
        if not plan.codes:
            self._rows(plan.rows, rest)
        elif rest.w >= rest.h:
            width = round(rest.w * (0.58 if len(plan.codes) > 1 else 0.4))
            self._codes(plan.codes, pygame.Rect(rest.x, rest.y, width, rest.h))
            left = rest.x + width + self._gap
            self._rows(plan.rows, pygame.Rect(left, rest.y, rest.right - left, rest.h))
        else:
            height = round(min(rest.h * 0.5, rest.w * (0.78 if len(plan.codes) > 1 else 0.9)))
            self._codes(plan.codes, pygame.Rect(rest.x, rest.y, rest.w, height))
            top = rest.y + height + self._gap
            self._rows(plan.rows, pygame.Rect(rest.x, top, rest.w, rest.bottom - top))

    def _head(self, plan: ScreenPlan, area: pygame.Rect) -> pygame.Rect:
        time = self._font(_BOLD, 46).render(plan.time, True, _CREAM)
        title = self._fitting(_SIGN, 46, plan.title, area.w - time.get_width() - 2 * self._gap, _BRASS)
        height = max(time.get_height(), title.get_height())
        self._surface.blit(title, (area.x, area.y + (height - title.get_height()) // 2))
        self._surface.blit(time, (area.right - time.get_width(), area.y + (height - time.get_height()) // 2))
        return _below(area, height + self._gap // 2)

    def _foot(self, lines: Sequence[str], area: pygame.Rect) -> pygame.Rect:
        font = self._font(_PLAIN, 20)
        wrapped = [part for line in lines for part in _wrap(font, line, area.w)]
        top = area.bottom - len(wrapped) * font.get_linesize()
        for number, line in enumerate(wrapped):
            picture = font.render(line, True, _SOFT)
            self._surface.blit(picture, (area.x, top + number * font.get_linesize()))
        used = len(wrapped) * font.get_linesize() + (self._gap if wrapped else 0)
        return pygame.Rect(area.x, area.y, area.w, area.h - used)

    def _alert(self, lines: Sequence[str], area: pygame.Rect) -> pygame.Rect:
        font = self._font(_BOLD, 27)
        inside = area.w - 2 * self._gap
        wrapped = [part for line in lines for part in _wrap(font, line, inside)]
        height = len(wrapped) * font.get_linesize() + self._gap
        box = pygame.Rect(area.x, area.y, area.w, height)
        pygame.draw.rect(self._surface, _BAD, box, border_radius=self._px(10))
        for number, line in enumerate(wrapped):
            place = (box.x + self._gap, box.y + self._gap // 2 + number * font.get_linesize())
            self._surface.blit(font.render(line, True, _INK), place)
        return _below(area, height + self._gap)

    def _codes(self, codes: Sequence[Code], area: pygame.Rect) -> None:
        width = (area.w - (len(codes) - 1) * self._gap) // len(codes)
        for number, code in enumerate(codes):
            self._code(code, pygame.Rect(area.x + number * (width + self._gap), area.y, width, area.h))

    def _code(self, code: Code, area: pygame.Rect) -> None:
        pygame.draw.rect(self._surface, _PARCHMENT, area, border_radius=self._px(12))
        inside = area.inflate(-self._gap, -self._gap)
        title = self._fitting(_BOLD, 30, code.title, inside.w, _INK)
        self._surface.blit(title, title.get_rect(midtop=inside.midtop))
        lines = [self._fitting(_BOLD, 27, line, inside.w, _INK) for line in code.lines]
        below = sum(line.get_height() for line in lines)
        side = min(inside.w, inside.h - title.get_height() - below - self._gap // 2)
        square = _code_picture(code.content, side)
        middle = inside.y + title.get_height() + (inside.h - title.get_height() - below) // 2
        self._surface.blit(square, square.get_rect(center=(inside.centerx, middle)))
        top = inside.bottom - below
        for line in lines:
            self._surface.blit(line, line.get_rect(midtop=(inside.centerx, top)))
            top += line.get_height()

    def _rows(self, rows: Sequence[Row], area: pygame.Rect) -> None:
        size = _LARGEST
        while size > 1 and self._rows_height(rows, area.w, size) > area.h:
            size -= 1
        top = area.y
        for row in rows:
            height = self._row_height(row, area.w, size)
            box = pygame.Rect(area.x, top, area.w, height)
            self._row(row, box, size)
            top += height + self._gap // 2

    def _rows_height(self, rows: Sequence[Row], width: int, size: int) -> int:
        return sum(self._row_height(row, width, size) + self._gap // 2 for row in rows) - self._gap // 2

    def _row_height(self, row: Row, width: int, size: int) -> int:
        title, text = self._font(_BOLD, size), self._font(_PLAIN, size)
        lines = len(_wrap(title, row.title, self._text_width(width)))
        return (
            lines * title.get_linesize()
            + len(_wrap(text, row.text, self._text_width(width))) * text.get_linesize()
            + self._gap
        )

    def _text_width(self, width: int) -> int:
        return width - self._px(58) - self._gap // 2

    def _row(self, row: Row, box: pygame.Rect, size: int) -> None:
        pygame.draw.rect(self._surface, _PLANK, box, border_radius=self._px(10))
        self._mark(row.mark, (box.x + self._px(30), box.centery), self._px(16))
        left, top = box.x + self._px(58), box.y + self._gap // 2
        for name, words, colour in ((_BOLD, row.title, _BRASS), (_PLAIN, row.text, _CREAM)):
            font = self._font(name, size)
            for line in _wrap(font, words, self._text_width(box.w)):
                self._surface.blit(font.render(line, True, colour), (left, top))
                top += font.get_linesize()

    def _mark(self, mark: Mark, centre: tuple[int, int], radius: int) -> None:
        x, y = centre
        match mark:
            case Mark.GOOD:
                pygame.draw.circle(self._surface, _GOOD, centre, radius)
                tick = (
                    (x - radius // 2, y),
                    (x - radius // 8, y + radius // 2),
                    (x + radius // 2, y - radius // 2),
                )
                pygame.draw.lines(self._surface, _INK, False, tick, max(2, radius // 4))
            case Mark.LOOK:
                corners = ((x, y - radius), (x + radius, y + radius - 2), (x - radius, y + radius - 2))
                pygame.draw.polygon(self._surface, _BAD, corners)
                sign = self._font(_BOLD, 22).render("!", True, _INK)
                self._surface.blit(sign, sign.get_rect(center=(x, y + radius // 4)))
            case Mark.PLAIN:
                pygame.draw.circle(self._surface, _SOFT, centre, radius // 3)

    def _fitting(
        self, name: str, size: int, text: str, width: int, colour: tuple[int, int, int]
    ) -> pygame.Surface:
        """Render one line of text, in a smaller font if it would be too wide."""
        while size > 1 and self._font(name, size).size(text)[0] > width and self._px(size) > _SMALLEST:
            size -= 1
        picture = self._font(name, size).render(text, True, colour)
        if picture.get_width() <= width:
            return picture
        height = max(1, picture.get_height() * width // picture.get_width())
        return pygame.transform.smoothscale(picture, (max(1, width), height))

    def _font(self, name: str, size: int) -> pygame.font.Font:
        return _font(name, max(_LEAST if size < _CROWDED else _SMALLEST, self._px(size)))

    def _px(self, size: int) -> int:
        return round(size * self._unit)


@cache
def _font(name: str, pixels: int) -> pygame.font.Font:
    return pygame.font.Font(str(FOLDER / name), pixels)


def _below(area: pygame.Rect, used: int) -> pygame.Rect:
    return pygame.Rect(area.x, area.y + used, area.w, area.h - used)


def _wrap(font: pygame.font.Font, text: str, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        tried = f"{line} {word}".strip()
        if font.size(tried)[0] <= width:
            line = tried
            continue
        if line:
            lines.append(line)
        line = word
        while font.size(line)[0] > width and len(line) > 1:
            fits = next(n for n in range(len(line) - 1, 0, -1) if n == 1 or font.size(line[:n])[0] <= width)
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line] if line else lines


def _code_picture(content: str, side: int) -> pygame.Surface:
    """Render a QR code with its quiet zone, at most ``side`` pixels wide, in whole pixels per module."""
    rows = segno.make_qr(content, error="m", boost_error=False).matrix
    count = len(rows) + 2 * _QUIET
    pixels = max(1, side // count)
    picture = pygame.Surface((count * pixels, count * pixels))
    picture.fill((255, 255, 255))
    for y, row in enumerate(rows, _QUIET):
        for x, module in enumerate(row, _QUIET):
            if module:
                picture.fill((0, 0, 0), (x * pixels, y * pixels, pixels, pixels))
    return picture
