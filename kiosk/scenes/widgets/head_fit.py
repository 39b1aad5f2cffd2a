"""Headings, and how much of one fits in an area at a readable size.

Large type is tried before small type, and long texts before short ones; then parts are left out, the least
important first. Only if nothing fits at a readable size does the type become smaller.
"""

import enum
from collections.abc import Iterator
from math import ceil
from typing import Final

import msgspec

from kiosk.scenes.scene import SceneContext
from kiosk.ui.blocks import Typeface
from kiosk.ui.text import CAP_HEIGHT, LINE

_TITLES_MM: Final = (7.2, 6.0, 5.4, 5.0)
"""The type sizes of a title; the first two are for wide areas."""
_TEXT_MM: Final = 5.0
_BADGE_SHARE: Final = 0.85
_BADGE_SMALLER: Final = 0.9
_SMALLER: Final = (0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5)
_MOST_LINES: Final = 4
LINE_GAP_MM: Final = 0.8
_CLOSE: Final = 1.0
"""The height of a single line without space above and below, as a share of the type size."""
_CLOSEST: Final = CAP_HEIGHT + 0.17
"""The same for the smallest readable type, whose descenders may extend into the next line."""
APART_MM: Final = 2.0
"""The gap between a title and the text beside it."""


class Weight(enum.IntEnum):
    """The importance of a part of a heading, of which the least important is left out first.

    Remarks are dispensable, and the highlighted panel also shows the name of the player in turn. A task is
    never left out.
    """

    NOTHING = 0
    REMARK = 1
    NAME = 2
    SIGN = 3
    TASK = 4


class Tone(enum.Enum):
    """The emphasis of a scene's heading."""

    PLAIN = "plain"
    LOUD = "loud"


class Heading(msgspec.Struct, frozen=True):
    """The heading of a scene.

    sign: draw the title in the display face, which suits short fixed texts.
    badge: a few words at the right or on a line of their own, in ``badge_face``.
    brief, brief_title, brief_badge: short forms of text, title and badge for small areas.
    rule: the rule that a touch opens, announced by a question mark, or an empty string.
    is_optional: the text may be left out.
    is_title_optional: the title may be left out, as the text says what must be done.
    tells_badge: the long text makes the badge unnecessary.
    """

    title: str
    text: str = ""
    icon: str = ""
    tone: Tone = Tone.PLAIN
    sign: bool = False
    badge: str = ""
    brief: str = ""
    brief_title: str = ""
    rule: str = ""
    is_optional: bool = False
    is_title_optional: bool = False
    tells_badge: bool = False
    badge_face: Typeface = Typeface.SIGN
    brief_badge: str = ""


class FittedWords(msgspec.Struct, frozen=True):
    """A text at a size.

    height: of all lines.
    width: of a single line.
    """

    words: str = ""
    size_px: int = 0
    lines: int = 0
    height: int = 0
    width: int = 0
    face: Typeface = Typeface.TEXT


class FittedHead(msgspec.Struct, frozen=True):
    """A heading fitted to its area.

    badge: on the title's line if its height is 0.
    gap: between title, badge and text, in pixels.
    beside: the width of the title if the text is on its right, otherwise 0.
    is_whole: nothing is shortened or left out.
    given_up: the most important part that is left out.
    """

    title: FittedWords
    text: FittedWords
    badge: FittedWords | None
    height: int
    gap: int = 0
    beside: int = 0
    is_legible: bool = False
    is_whole: bool = False
    given_up: Weight = Weight.NOTHING


class _Contents(msgspec.Struct, frozen=True):
    title: str
    text: str
    badge: str


def fit_head(
    stage: SceneContext, room: tuple[int, int], head: Heading, *, wide: bool, given_up: Weight
) -> FittedHead | None:
    """Return the fullest contents that fit in an area at readable sizes, or None if none do.

    room: width and height in pixels.
    wide: try the largest type, too.
    given_up: the part to leave out.
    """
    legible, text_px = stage.legible_px, stage.type_mm(_TEXT_MM)
    titles = [stage.type_mm(size) for size in (_TITLES_MM if wide else _TITLES_MM[2:])]
    sizes = [(title, text_px) for title in titles]
    contents = tuple(_contents(head, given_up))
    for tried in (sizes, [(text_px, legible), (legible, legible)]):
        for each in contents:
            # Only the smallest type may have so little space between lines.
            for pair, line in (*((pair, _CLOSE) for pair in dict.fromkeys(tried)), (tried[-1], _CLOSEST)):
                fitted = _place(stage, room, (head, each), pair, wide=wide, line=line)
                if fitted is not None:
                    whole = not given_up and each == contents[0]
                    return msgspec.structs.replace(fitted, is_legible=True, is_whole=whole, given_up=given_up)
    return None


def shrink_head(stage: SceneContext, room: tuple[int, int], head: Heading) -> FittedHead:
    """Return the fullest contents at the largest size below the readable ones, cut if that is necessary."""
    legible = stage.legible_px
    contents = tuple(dict.fromkeys(each for weight in Weight for each in _contents(head, weight)))
    for share in _SMALLER:
        size = max(1, int(legible * share))
        for each in contents:
            fitted = _place(stage, room, (head, each), (size, size), wide=False, line=_CLOSEST)
            if fitted is not None:
                return fitted
    last, size = contents[-1], max(1, int(legible * _SMALLER[-1]))
    high = room[1] // 2 if last.text else room[1]
    lines = max(1, int(high / (size * LINE)))
    title = FittedWords(last.title, size, lines, high, room[0], Typeface.BOLD)
    return FittedHead(title, FittedWords(last.text, size), None, room[1])


def _contents(head: Heading, given_up: Weight) -> Iterator[_Contents]:
    """Yield the contents without a part of this importance, the fullest first."""
    titles = tuple(dict.fromkeys((head.title, head.brief_title or head.title)))
    texts = tuple(dict.fromkeys((head.text, head.brief or head.text)))
    can_give_up = {
        Weight.NOTHING: True,
        Weight.REMARK: bool(head.is_optional and head.text),
        Weight.NAME: head.is_title_optional and not head.is_optional and bool(head.text),
        Weight.SIGN: bool(head.badge),
        Weight.TASK: False,
    }
    if not can_give_up[given_up]:
        return
    badge = "" if given_up is Weight.SIGN else head.badge
    has_remark = not head.is_optional or given_up is Weight.NOTHING
    if given_up is not Weight.NAME:
        for title in titles:
            for text in texts if has_remark else ("",):
                is_in_text = head.tells_badge and text == head.text
                yield _Contents(title, text, "" if is_in_text else badge)
    if given_up is Weight.NAME or (given_up is Weight.SIGN and can_give_up[Weight.NAME]):
        yield from (_Contents(text, "", badge) for text in texts)


def _place(
    stage: SceneContext,
    room: tuple[int, int],
    said: tuple[Heading, _Contents],
    sizes: tuple[int, int],
    *,
    wide: bool,
    line: float,
) -> FittedHead | None:
    """Lay out contents at these sizes of title and text. Return None if they don't fit.

    line: the least height of a single line, as a share of its type size.
    """
    (width, height), (head, each), (title_px, text_px) = room, said, sizes
    face = _face(stage, head, each.title, title_px, width)
    is_large = wide and title_px > stage.type_mm(_TITLES_MM[2])
    title = _measure(stage, each.title, face, title_px, width)
    if title is None or title.lines > (1 if is_large and each.text else _MOST_LINES):
        return None
    badge = None
    if each.badge:
        badge = _badge(stage, head, each.badge, title, (title_px, width))
        if badge is None:
            return None
    text = FittedWords()
    if each.text:
        measured = _measure(stage, each.text, Typeface.TEXT, text_px, width)
        if measured is None:
            return _beside(stage, room, (title, badge, each.text), text_px)
        text = measured
    gap = stage.mm(LINE_GAP_MM)
    stacked = [part for part in (title, badge, text) if part is not None and part.height]
    total = sum(part.height for part in stacked) + gap * (len(stacked) - 1)
    if total <= height:
        return FittedHead(title, text, badge, total, gap)
    least = sum(_least_height(part, line) for part in stacked)
    # A remark is left out before lines nearly touch.
    if least <= height and not (each.text and head.is_optional and line <= _CLOSEST):
        gap = min(gap, (height - least) // max(1, len(stacked) - 1))
        title, text = _tight(title, line), _tight(text, line)
        if badge is not None:
            # The display face is so tall that it would touch the lines above and below.
            badge = msgspec.structs.replace(_tight(badge, line), face=Typeface.BOLD)
        return FittedHead(title, text, badge, least + gap * (len(stacked) - 1), gap)
    return _beside(stage, room, (title, badge, each.text), text_px) if each.text else None


def _beside(
    stage: SceneContext,
    room: tuple[int, int],
    said: tuple[FittedWords, FittedWords | None, str],
    text_px: int,
) -> FittedHead | None:
    """Lay out a title with its text on its right, each in one line. Return None if they don't fit."""
    (width, height), (title, badge, words) = room, said
    apart = stage.mm(APART_MM)
    # Make a large title smaller rather than cutting off its accents.
    least = title.height if title.size_px > stage.legible_px else _least_height(title, _CLOSEST)
    if badge is not None or title.lines != 1 or least > height:
        return None
    text = _measure(stage, words, Typeface.TEXT, text_px, max(1, width - title.width - apart))
    if text is None or text.lines != 1 or title.width + apart + text.width > width:
        return None
    high = min(height, title.height)
    title = msgspec.structs.replace(title, height=high)
    return FittedHead(title, text, None, high, beside=width - text.width - apart)


def _badge(
    stage: SceneContext, head: Heading, badge: str, title: FittedWords, room: tuple[int, int]
) -> FittedWords | None:
    """Return a badge on the title's line, with height 0, or on a line of its own."""
    (title_px, width), apart = room, stage.mm(APART_MM)
    size = max(min(title_px, stage.legible_px), int(title_px * _BADGE_SHARE))
    faces = dict.fromkeys((head.badge_face, Typeface.BOLD))
    least = min(size, stage.legible_px)
    tried = [(badge, each, face) for each in dict.fromkeys((size, least)) for face in faces]
    if head.brief_badge:
        tried.append((head.brief_badge, least, Typeface.BOLD))
    # Slightly smaller is better than broken or left out.
    tried.append((badge, int(least * _BADGE_SMALLER), Typeface.BOLD))
    lines = [_measure(stage, text, face, each, width) for text, each, face in tried]
    whole = [line for line in lines if line is not None and line.lines == 1]
    broken = _measure(stage, badge, Typeface.BOLD, stage.legible_px, width)
    for line in whole:
        fits = title.lines == 1 and title.width + apart + line.width <= width
        if fits and line.size_px >= min(title_px, stage.legible_px):
            return msgspec.structs.replace(line, height=0)
    return whole[0] if whole else broken


def _measure(stage: SceneContext, words: str, face: Typeface, size_px: int, width: int) -> FittedWords | None:
    lines = stage.types.count_lines(words, face, size_px, width)
    if not lines:
        return None
    wide = stage.types.width(words, face, size_px) if lines == 1 else width
    return FittedWords(words, size_px, lines, ceil(lines * size_px * LINE), wide, face)


def _least_height(words: FittedWords, line: float) -> int:
    """Return the minimum height of a text, whose last line needs no space below."""
    last = 1.0 if words.lines > 1 else line
    return ceil(words.size_px * ((words.lines - 1) * LINE + last)) if words.height else 0


def _tight(words: FittedWords, line: float) -> FittedWords:
    return msgspec.structs.replace(words, height=_least_height(words, line))


def _face(stage: SceneContext, head: Heading, title: str, size_px: int, width: int) -> Typeface:
    """Return the display face where it is wanted and the title fits in one line of that wide face."""
    if not head.sign or stage.types.width(title, Typeface.SIGN, size_px) > width:
        return Typeface.BOLD
    return Typeface.SIGN
