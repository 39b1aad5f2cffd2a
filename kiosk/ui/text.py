"""Typesetting that never overflows: text shrinks to fit, and is then cut with an ellipsis."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

import msgspec
import pygame
import pygame.font

from base.fonts.coverage import letters_of, missing_letters, readable
from kiosk.ui.blocks import Label, Paragraph, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.shaping import PLAIN, TextRun, runs
from kiosk.view.theme import INK

CAP_HEIGHT: Final = 0.7
"""The height of capitals and digits, as a share of the type size."""
LINE: Final = 1.16
_LAST_LINE: Final = 0.92
"""The height that the last line of a paragraph needs, as a share of the type size."""
LEGIBLE_MM: Final = 3.5 / CAP_HEIGHT
"""The minimum size of text that must be readable: 3.5 mm capitals on a 7-inch panel."""
_SMALLEST_SHARE: Final = 0.5
"""The minimum size of a label before it is cut, as a share of its full size."""
_SMALLEST_PX: Final = 9
_FONTS_KEPT: Final = 20
"""The number of cached fonts: each takes 150 KB, and a scene needs 8 to 20."""
_LAYOUTS_KEPT: Final = 96
_WIDTHS_KEPT: Final = 2000
_NARROWER: Final = range(95, 50, -5)
"""Percentages of a paragraph's width to try, to avoid a single word on the last line."""
ELLIPSIS: Final = "…"
SOFT_HYPHEN: Final = "\u00ad"
"""The character at which a long word may be broken; it is visible only there."""


_Key = TypeVar("_Key")
_Made = TypeVar("_Made")
_Layout = TypeVar("_Layout")


class FittedLine(msgspec.Struct, frozen=True):
    """A line that fits its rectangle. ``cut`` is True if some of the text is missing."""

    text: str
    size_px: int
    width: int
    cut: bool = False


class FittedParagraph(msgspec.Struct, frozen=True):
    """A paragraph that fits its rectangle. ``cut`` is True if some of the text is missing."""

    lines: tuple[str, ...]
    size_px: int
    cut: bool = False


def _cached(cache: OrderedDict[_Key, _Made], limit: int, key: _Key, make: Callable[[], _Made]) -> _Made:
    """Return the value for a key, made if it is missing; drop the least recently used one over the limit."""
    if key in cache:
        cache.move_to_end(key)
    else:
        cache[key] = make()
        if len(cache) > limit:
            cache.popitem(last=False)
    return cache[key]


class Typesetter:
    """A cache of fonts that measures text in the bundled typefaces and fits it into rectangles."""

    def __init__(self) -> None:
        if not pygame.font.get_init():
            pygame.font.init()
        self._fonts: OrderedDict[tuple[str, int], pygame.font.Font] = OrderedDict()
        self._widths: OrderedDict[tuple[str, Typeface, int], int] = OrderedDict()
        self._layouts: OrderedDict[Hashable, Any] = OrderedDict()

    def font(self, face: Typeface, size_px: int, run: TextRun = PLAIN) -> pygame.font.Font:
        """Return the font of a run at a size of its line, with its script set."""
        key = (str(run.file(face)), run.size_px(size_px))
        font = _cached(self._fonts, _FONTS_KEPT, key, lambda: pygame.font.Font(*key))
        # pygame before 2.1.3 can't: it doesn't join Arabic.
        if run.script is not None and hasattr(font, "set_script"):
            font.set_script(run.script.code)
        return font

    def readable(self, name: str, otherwise: str) -> str:
        """Return a name without the letters that no font has, followed by another name if there are any."""
        missing = (missing_letters(run.text, letters_of(run.file(Typeface.BOLD), 0)) for run in runs(name))
        return readable(name, "".join(missing), otherwise)

    def ascent(self, text: str, face: Typeface, size_px: int) -> int:
        """Return the height of a line's picture above its baseline, in pixels."""
        return max(self.font(face, size_px, run).get_ascent() for run in runs(text))

    def picture(self, text: str, face: Typeface, size_px: int, rgb: tuple[int, int, int]) -> pygame.Surface:
        """Draw a line as a picture, as wide as the line."""
        pieces = []
        for run in runs(text):
            font = self.font(face, size_px, run)
            pieces.append((font.render(run.text, True, rgb), font.get_ascent()))
        if len(pieces) == 1:
            return pieces[0][0]
        above = max(ascent for _, ascent in pieces)
        below = max(piece.get_height() - ascent for piece, ascent in pieces)
        width = sum(piece.get_width() for piece, _ in pieces)
        line = pygame.Surface((width, above + below), pygame.SRCALPHA, 32)
        x = 0
        for piece, ascent in pieces:
            line.blit(piece, (x, above - ascent))
            x += piece.get_width()
        return line

    def width(self, text: str, face: Typeface, size_px: int) -> int:
        """Return the width of a line in pixels."""
        return _cached(
            self._widths,
            _WIDTHS_KEPT,
            (text, face, size_px),
            lambda: sum(self.font(face, size_px, run).size(run.text)[0] for run in runs(text)),
        )

    def remember(self, key: Hashable, make: Callable[[], _Layout]) -> _Layout:
        """Return the cached layout for a key, made if it is missing. The key must determine the layout."""
        layout: _Layout = _cached(self._layouts, _LAYOUTS_KEPT, key, make)
        return layout

    def fit(self, label: Label) -> FittedLine:
        """Return a label's line at the largest size that fits its rectangle."""
        if SOFT_HYPHEN in label.text:
            label = msgspec.structs.replace(label, text=label.text.replace(SOFT_HYPHEN, ""))
        size = min(label.size_px, int(label.rect.h / CAP_HEIGHT))
        width = self.width(label.text, label.face, size)
        smallest = min(size, max(_SMALLEST_PX, int(label.size_px * _SMALLEST_SHARE)))
        if label.brief:
            smallest = min(size, max(smallest, label.least_px))
        while width > label.rect.w and size > smallest:
            size = max(smallest, min(size - 1, size * label.rect.w // width))
            width = self.width(label.text, label.face, size)
        if width <= label.rect.w:
            return FittedLine(label.text, size, width)
        if label.brief:
            return self.fit(msgspec.structs.replace(label, text=label.brief, brief=""))
        text = self._cut(label.text, label, size)
        return FittedLine(text, size, self.width(text, label.face, size), cut=True)

    def _cut(self, text: str, room: Label | Paragraph, size: int) -> str:
        if self.width(text, room.face, size) <= room.rect.w:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width(text[:middle].rstrip() + ELLIPSIS, room.face, size) <= room.rect.w:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + ELLIPSIS

    def wrap(self, paragraph: Paragraph) -> FittedParagraph:
        """Return a paragraph's lines at the largest size at which all of them fit."""
        size = max(1, paragraph.size_px)
        smallest = max(_SMALLEST_PX, int(size * _SMALLEST_SHARE))
        if paragraph.brief:
            smallest = min(size, max(smallest, paragraph.least_px))
        while True:
            lines = self._lines(paragraph, size)
            room = max(1, int((paragraph.rect.h / size - _LAST_LINE) / LINE) + 1)
            wide = any(self.width(line, paragraph.face, size) > paragraph.rect.w for line in lines)
            if len(lines) <= room and not wide:
                return FittedParagraph(self._even_lines(paragraph, size, lines), size)
            if size <= smallest and paragraph.brief:
                return self.wrap(msgspec.structs.replace(paragraph, text=paragraph.brief, brief=""))
            if size <= smallest:
                kept = tuple(self._cut(line, paragraph, size) for line in lines[:room])
                return FittedParagraph(kept, size, cut=True)
            size -= 1

    def count_lines(self, text: str, face: Typeface, size_px: int, width: int) -> int:
        """Return the number of lines that a text needs at a size, or 0 if a word is wider than a line."""
        lines = self._lines(Paragraph(Rect(0, 0, width, 0), text, size_px, INK, face), size_px)
        return len(lines) if all(self.width(line, face, size_px) <= width for line in lines) else 0

    def _even_lines(self, paragraph: Paragraph, size: int, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Break the lines a little narrower if the last one would be a single short word."""
        last = lines[-1]
        if len(lines) == 1 or " " in last or self.width(last, paragraph.face, size) * 2 > paragraph.rect.w:
            return lines
        for percent in _NARROWER:
            rect = msgspec.structs.replace(paragraph.rect, w=paragraph.rect.w * percent // 100)
            narrow = msgspec.structs.replace(paragraph, rect=rect)
            evened = self._lines(narrow, size)
            wide = any(self.width(line, paragraph.face, size) > paragraph.rect.w for line in evened)
            if len(evened) > len(lines) or wide:
                break
            if " " in evened[-1] and evened[-1][0].isalnum():
                return evened
        return lines

    def _lines(self, paragraph: Paragraph, size: int) -> tuple[str, ...]:
        def fits(text: str) -> bool:
            return self.width(text.replace(SOFT_HYPHEN, ""), paragraph.face, size) <= paragraph.rect.w

        lines: list[str] = []
        for part in paragraph.text.split("\n"):
            line = ""
            for word in part.split():
                longer = f"{line} {word}" if line else word
                if line and not fits(longer):
                    lines.append(line)
                    longer = word
                if SOFT_HYPHEN in word and not fits(longer):
                    broken, _, longer = longer.partition(SOFT_HYPHEN)
                    lines.append(f"{broken}-")
                line = longer
            lines.append(line)
        return tuple(line.replace(SOFT_HYPHEN, "") for line in lines)
