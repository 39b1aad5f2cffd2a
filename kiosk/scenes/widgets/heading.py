"""The head of a scene: a title with its icon, the text below it, and the rule behind it."""

import enum
from functools import partial
from typing import Final

import msgspec

from saloon.core.terms import SeatNo
from saloon.kiosk.rules.which import Rule
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from saloon.kiosk.ui.text import LINE, SMALLEST_SHARE
from saloon.kiosk.view import theme
from saloon.kiosk.view.theme import Colour

HEAD_GAP_MM: Final = 0.8
"""What a head leaves free between what can be touched of it and the buttons below."""
_SIGN_MM: Final = 6.6
_WIDE_MM: Final = 60.0
_BADGE_MM: Final = 90.0
_TITLE_MM: Final = 7.2
_NARROW_TITLE_MM: Final = 5.4
_NARROW_SIGN_MM: Final = 4.6
_TEXT_MM: Final = 4.2
_TITLE_SHARE: Final = 0.42
_LOW_MM: Final = 9.0
"""Below, title and text stand side by side."""
_WIDE_SHARE: Final = 0.52
_NARROW_SHARE: Final = 0.46
_LEADING_SHARE: Final = 0.54
"""A title's share of a narrow head."""
_LONG_SENTENCE_MM: Final = 3.6
_TEXT_LEAST_MM: Final = 2.3
_LEGIBLE_MM: Final = 2.7
"""What is smaller is said briefly, where it can be."""
_TEXT_TO_TITLE: Final = 0.86
"""How large a text may be under a narrow title, in sizes of the title."""
_LETTER: Final = 0.43
"""Width of a letter, in sizes, a little more than the middle of a sentence."""
_SIGN_LETTER: Final = 0.58
"""Width of a letter of the display face, in sizes."""
_SIGN_SHRINKS: Final = 0.75
"""How small a sign may become."""
_MARK_GAP_MM: Final = 2.0
"""Between a badge and the question mark."""


class Tone(enum.Enum):
    """Emphasis of the head of a scene."""

    PLAIN = "plain"
    LOUD = "loud"


class Heading(msgspec.Struct, frozen=True):
    """The heading of a scene. sign: the title is short, ours, and set in the display face.

    badge: a few words of ours at the far end, in the display face; left out where it is narrow.
    brief, brief_title: said instead of the text, and of the title, where there is no room for them.
    rule: that a touch of the head opens, behind a question mark; "" for none.
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


def head_parts(stage: SceneContext, room: Rect, head: Heading) -> tuple[Part, ...]:
    """Draw a title with its icon and the text below it, centred in the room's height."""
    mm = stage.mm
    ink, soft, ground = theme.CREAM, theme.CREAM_SOFT, theme.WOOD
    parts: list[Part] = []
    asks: tuple[Part, ...] = ()
    if head.rule:
        asks = (rule_button(stage, head, Rect(room.x, room.y, room.w, room.h - mm(HEAD_GAP_MM))),)
    if head.tone is Tone.LOUD:
        ink, soft, ground = theme.SOOT, theme.SOOT, theme.NOON
        parts.append(Box(room, theme.NOON, mm(1.5)))
        room = room.inset(mm(2), mm(0.6))
    else:
        room = room.inset(mm(1), 0)
    if head.rule:
        gap = mm(_MARK_GAP_MM if head.badge else 1)
        mark, room = room.split_right(min(mm(_SIGN_MM), room.h), gap)
        parts.append(Icon(mark, "question", soft, ground))
    wide = room.w > mm(_WIDE_MM)
    sign = head.icon and (wide or not (head.sign or head.rule))
    words = room.w - (mm(9.5) if sign else 0)
    upper, lower = _head_rooms(stage, room, head, words)
    size = min(mm(_TITLE_MM if wide else _NARROW_TITLE_MM), int(upper.h * 0.9))
    if head.sign and not wide:
        size = min(size, mm(_NARROW_SIGN_MM))
    if sign:
        side = min(mm(8), upper.h)
        spot, upper = upper.split_left(side, mm(1.5))
        parts.append(Icon(spot.centre(side, side), head.icon, ink, ground))
    if wide and head.badge and room.w > mm(_BADGE_MM):
        spot, upper = upper.split_right(upper.w * 55 // 100, mm(2))
        parts.append(Label(spot, head.badge, int(size * 0.8), ink, Typeface.SIGN, Align.RIGHT))
    parts.append(_title(head, upper, (size, mm(_TEXT_MM), mm(_LONG_SENTENCE_MM)), ink, wide=wide))
    if head.text:
        under = lower.y > upper.y
        small = mm(_TEXT_MM) if wide else min(mm(_TEXT_MM), int(size * _TEXT_TO_TITLE))
        text = head.text if wide or _is_legible(stage, head.text, lower) else head.brief or head.text
        parts.append(Paragraph(lower, text, small, soft, brief=head.brief, from_top=under))
    return (*parts, *asks)


def _head_rooms(stage: SceneContext, room: Rect, head: Heading, words: int) -> tuple[Rect, Rect]:
    """Return the rooms of title and text: side by side if both fit, otherwise shared out.

    words: how wide the title may be.
    """
    mm = stage.mm
    if not head.text:
        return room, Rect(0, 0, 0, 0)
    wide = room.w > mm(_WIDE_MM)
    beside = int(room.w * (1 - _TITLE_SHARE)) - mm(3)
    fits = bool(head.brief) or _lines(head.text, mm(_TEXT_MM), beside) == 1
    if wide and room.h < mm(_LOW_MM) and fits:
        return room.split_left(int(room.w * _TITLE_SHARE), mm(3))
    size = mm(_TITLE_MM if wide else _NARROW_TITLE_MM)
    title = (1 if wide else _lines(head.title, size, words)) * int(size * LINE)
    text = _lines(head.text, mm(_TEXT_MM), room.w) * int(mm(_TEXT_MM) * LINE) + mm(1)
    if title + text <= room.h:
        # The text may go on below the middle, where it has more lines than was reckoned.
        lead = (room.h - title - text) // 2
        return room.split_top(lead, 0)[1].split_top(title, mm(1))
    share = _WIDE_SHARE if wide else _narrow_share(stage, room, head, words)
    return room.split_top(min(title, int(room.h * share)))


def _narrow_share(stage: SceneContext, room: Rect, head: Heading, words: int) -> float:
    """Return the larger share that leaves room for the text and keeps the title in one line."""
    size = min(stage.mm(_NARROW_TITLE_MM), int(room.h * _LEADING_SHARE * 0.9))
    small = min(stage.mm(_TEXT_MM), int(size * _TEXT_TO_TITLE))
    least = max(stage.mm(_TEXT_LEAST_MM), int(small * SMALLEST_SHARE))
    text = _lines(head.brief or head.text, least, room.w) * least * LINE
    is_short = _lines(head.brief_title or head.title, int(size * SMALLEST_SHARE), words) == 1
    return _LEADING_SHARE if is_short and text <= room.h * (1 - _LEADING_SHARE) else _NARROW_SHARE


def _is_legible(stage: SceneContext, text: str, room: Rect) -> bool:
    """Return whether a text fits in a size that can be read across a table."""
    least = stage.mm(_LEGIBLE_MM)
    return _lines(text, least, room.w) * least * LINE <= room.h


def _title(head: Heading, room: Rect, sizes_px: tuple[int, ...], ink: Colour, *, wide: bool) -> Part:
    """Draw the title in one line; in several where it is narrow or a sentence stands alone.

    sizes_px: a title's, and smaller ones for a sentence that is too long for it.
    """
    size_px = sizes_px[0]
    is_a_sentence = not head.text and not head.sign and _lines(head.title, size_px, room.w) > 1
    face = _face(head, size_px, room.w)
    if wide and not is_a_sentence:
        brief = "" if head.sign else head.brief_title
        return Label(room, head.title, size_px, ink, face, Align.LEFT, own_words=head.sign, brief=brief)
    if is_a_sentence:
        size_px = next((size for size in sizes_px if _has_room(head.title, size, room)), sizes_px[-1])
    return Paragraph(room, head.title, size_px, ink, face, brief=head.brief_title)


def _face(head: Heading, size_px: int, width: int) -> Typeface:
    """Return the display face for a sign; its letters are wide, so a long word gets the narrow one."""
    wide = len(head.title) * size_px * _SIGN_LETTER * _SIGN_SHRINKS
    return Typeface.SIGN if head.sign and wide <= width else Typeface.BOLD


def _has_room(text: str, size_px: int, room: Rect) -> bool:
    """Estimate whether a text fits in lines, at this size or as small as it may become."""
    least = int(size_px * SMALLEST_SHARE)
    return _lines(text, least, room.w) * least * LINE <= room.h


def _lines(text: str, size_px: int, width: int) -> int:
    """Estimate the number of lines of a text."""
    return max(1, -int(-len(text) * size_px * _LETTER // max(1, width)))


def rule_button(stage: SceneContext, head: Heading, rect: Rect, icon: str = "") -> Button:
    """Return the button that opens the rule of a head: the whole head, or its sign if that is too small."""
    whom = "" if stage.spoken_to is None else f"-{stage.spoken_to}"
    said = stage.words.gettext("The rule")
    look = ButtonStyle.QUIET if icon else ButtonStyle.BARE
    opens = OnTouch(partial(_open_rule, Rule(head.rule), stage.spoken_to))
    target, size = f"ask-{head.rule}{whom}", stage.mm(3.6)
    return Button(rect, target, "", look, icon, said=said, size_px=size, action=opens)


def _open_rule(rule: Rule, seat: SeatNo | None) -> Reply:
    from saloon.kiosk.scenes.story.rule_card import RuleScene

    return Reply(opens=RuleScene(rule, seat))
