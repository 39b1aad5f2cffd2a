"""The drawing of a heading: a title with an icon, a text below it, and a link to a rule."""

from typing import Final

import msgspec

from kiosk.rules.applicable_rules import Rule
from kiosk.scenes import pages
from kiosk.scenes.scene import OnTouch, SceneContext
from kiosk.scenes.widgets.head_fit import (
    APART_MM,
    FittedHead,
    FittedWords,
    Heading,
    Tone,
    Weight,
    fit_head,
    shrink_head,
)
from kiosk.ui.blocks import Align, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.theme import Colour

HEAD_GAP_MM: Final = 1.2
"""The gap between the touchable part of a heading and the buttons below."""
_SIGN_MM: Final = 6.6
_ICON_MM: Final = 8.0
_WIDE_MM: Final = 60.0
_MARK_GAP_MM: Final = 1.0
_LOW_MM: Final = 12.0
"""The height up to which a heading has no margins above and below its text."""


class _Room(msgspec.Struct, frozen=True):
    words: Rect
    icon: Rect | None = None
    mark: Rect | None = None


def head_parts(stage: SceneContext, room: Rect, head: Heading) -> tuple[Part, ...]:
    """Draw a heading, vertically centred in an area."""
    mm = stage.mm
    ink, soft, ground = theme.CREAM, theme.CREAM_SOFT, theme.WOOD
    parts: list[Part] = []
    if head.tone is Tone.LOUD:
        ink, soft, ground = theme.SOOT, theme.SOOT, theme.NOON
        parts.append(Box(room, theme.NOON, mm(1.5)))
    spots, fitted = _fit(stage, room, head)
    if spots.mark is not None:
        parts.append(Icon(spots.mark, "question", soft, ground))
    if spots.icon is not None:
        parts.append(Icon(spots.icon, head.icon, ink, ground))
    parts += _words(stage, spots.words, head, fitted, (ink, soft))
    if head.rule:
        parts.append(rule_button(stage, head, Rect(room.x, room.y, room.w, room.h - mm(HEAD_GAP_MM))))
    return tuple(parts)


def head_fit(stage: SceneContext, room: Rect, head: Heading) -> FittedHead:
    """Return how a heading fits in an area."""
    return _fit(stage, room, head)[1]


def _fit(stage: SceneContext, room: Rect, head: Heading) -> tuple[_Room, FittedHead]:
    key = ("head", stage.glass, stage.table.preferences.theme, room, head)
    return stage.types.remember(key, lambda: _new_fit(stage, room, head))


def _new_fit(stage: SceneContext, room: Rect, head: Heading) -> tuple[_Room, FittedHead]:
    """Return the areas and fitted texts. The icon, then the question mark, is left out before any text is."""
    mm = stage.mm
    inner = room.inset(mm(1), 0)
    if head.tone is Tone.LOUD:
        inner = room.inset(mm(2 if room.w > mm(_WIDE_MM) else 1), mm(0.6) if room.h > mm(_LOW_MM) else 0)
    wide = inner.w > mm(_WIDE_MM)
    has_icon = bool(head.icon) and (wide or not (head.sign or head.rule))
    ways = dict.fromkeys(((has_icon, bool(head.rule)), (False, bool(head.rule)), (False, False)))
    places = [_spots(stage, inner, with_icon=icon, with_mark=mark) for icon, mark in ways]
    for weight in Weight:
        for spots in places:
            size = spots.words.w, spots.words.h
            fitted = fit_head(stage, size, head, wide=wide, given_up=weight)
            if fitted is not None:
                return spots, fitted
    bare = places[-1]
    return bare, shrink_head(stage, (bare.words.w, bare.words.h), head)


def _spots(stage: SceneContext, room: Rect, *, with_icon: bool, with_mark: bool) -> _Room:
    mm = stage.mm
    mark = icon = None
    if with_mark:
        mark, room = room.split_right(min(mm(_SIGN_MM), room.h), mm(_MARK_GAP_MM))
    if with_icon:
        icon, room = room.split_left(min(mm(_ICON_MM), room.h), mm(1.5))
    return _Room(room, icon, mark)


def _words(
    stage: SceneContext, room: Rect, head: Heading, fitted: FittedHead, inks: tuple[Colour, Colour]
) -> tuple[Part, ...]:
    ink, soft = inks
    gap, apart = fitted.gap, stage.mm(APART_MM)
    lead = max(0, room.h - fitted.height) // 2
    rest = Rect(room.x, room.y + lead, room.w, room.h - lead)
    row, rest = rest.split_top(fitted.title.height, gap)
    parts: list[Part] = []
    if fitted.beside:
        row, words = row.split_left(fitted.beside, apart)
        parts.append(Label(words, fitted.text.words, fitted.text.size_px, soft, align=Align.RIGHT))
    elif fitted.badge is not None and not fitted.badge.height:
        end, row = row.split_right(fitted.badge.width, apart)
        parts.append(
            Label(end, fitted.badge.words, fitted.badge.size_px, ink, fitted.badge.face, Align.RIGHT)
        )
    title = fitted.title
    parts.insert(0, _lines(row, title, ink, own_words=head.sign))
    if fitted.badge is not None and fitted.badge.height:
        row, rest = rest.split_top(fitted.badge.height, gap)
        parts.append(_lines(row, fitted.badge, ink))
    if fitted.text.words and not fitted.beside:
        parts.append(Paragraph(rest, fitted.text.words, fitted.text.size_px, soft, from_top=True))
    return tuple(parts)


def _lines(row: Rect, fitted: FittedWords, ink: Colour, *, own_words: bool = True) -> Part:
    if fitted.lines > 1:
        return Paragraph(row, fitted.words, fitted.size_px, ink, fitted.face)
    return Label(row, fitted.words, fitted.size_px, ink, fitted.face, Align.LEFT, own_words=own_words)


def rule_button(stage: SceneContext, head: Heading, rect: Rect, icon: str = "") -> Button:
    """Return the button that opens a heading's rule: an invisible one, or one with an icon."""
    whom = "" if stage.spoken_to is None else f"-{stage.spoken_to}"
    said = stage.words.gettext("The rule")
    look = ButtonStyle.QUIET if icon else ButtonStyle.BARE
    opens = OnTouch(pages.rule_page(Rule(head.rule), stage.spoken_to))
    target, size = f"ask-{head.rule}{whom}", stage.type_mm(5)
    return Button(rect, target, "", look, icon, said=said, size_px=size, action=opens)
