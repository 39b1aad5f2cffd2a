"""The drawing of buttons: shapes, icons, labels, and the progress of a hold."""

import enum
from typing import Final

import msgspec

from kiosk.ui.blocks import Align, Button, ButtonStyle, Icon, Label, Paragraph, TouchedButton, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.pen import Pen
from kiosk.ui.text import LINE, SOFT_HYPHEN
from kiosk.view import theme
from kiosk.view.theme import Colour

HOLD_SHARES: Final = 64
_WIDE: Final = 2.1
_HARDLY_WIDE: Final = 1.5
"""Ratios of width to height that decide where a button's icon is."""
_ICON_ABOVE: Final = 0.44
"""The share of a button's height that an icon above its label takes."""
_BRIGHT: Final = frozenset({theme.BRASS, theme.NOON})


class _Paint(msgspec.Struct, frozen=True):
    fill: Colour
    edge: Colour
    sign: Colour
    pressed: Colour


_PAINTS: Final = {
    ButtonStyle.MAIN: _Paint(theme.BRASS, theme.BRASS, theme.SOOT, theme.NOON),
    ButtonStyle.QUIET: _Paint(theme.PLANK, theme.PLANK_EDGE, theme.CREAM, theme.WOOD),
    ButtonStyle.GRAVE: _Paint(theme.GRAVE, theme.CREAM_SOFT, theme.CREAM, theme.GRAVE_DEEP),
    ButtonStyle.LESS: _Paint(theme.BLUSH, theme.BRICK, theme.BRICK, theme.BRASS),
    ButtonStyle.MORE: _Paint(theme.MINT, theme.SAGE, theme.SAGE, theme.BRASS),
    ButtonStyle.CARD: _Paint(theme.PARCHMENT, theme.PARCHMENT_EDGE, theme.INK, theme.BRASS),
    ButtonStyle.CHOSEN: _Paint(theme.BRASS, theme.CREAM, theme.SOOT, theme.NOON),
}
_OFF_LIGHT: Final = _Paint(theme.OFF, theme.OFF, theme.OFF_SIGN, theme.OFF)
_OFF_DARK: Final = _Paint(theme.OFF_DARK, theme.OFF_DARK, theme.OFF_DARK_SIGN, theme.OFF_DARK)


def paint_button(pen: Pen, button: Button, touched: TouchedButton | None) -> None:
    """Draw a button. ``touched`` is its state under a finger, or None."""
    face = button.rect.inset(button.room_px) if button.drawn is None else button.drawn
    if button.look is ButtonStyle.BARE:
        _paint_bare(pen, face, touched)
        return
    paint = _PAINTS[button.look]
    if not button.enabled:
        paint = _OFF_LIGHT if button.look in {ButtonStyle.LESS, ButtonStyle.MORE} else _OFF_DARK
    radius = max(3, min(face.w, face.h) // 8)
    line = max(1, min(face.w, face.h) // 40)
    if not touched:
        pen.draw_frame(face, paint.fill, radius, paint.edge, line)
        _paint_words(pen, button, _words_room(face), paint.sign)
        return
    pen.box(face, theme.INK if button.look in {ButtonStyle.LESS, ButtonStyle.MORE} else theme.CREAM, radius)
    inner = face.inset(2 * line)
    if button.hold_ms:
        pen.box(inner, paint.fill, radius - line)
        done, _ = inner.split_left(inner.w * touched.share // HOLD_SHARES)
        pen.box(done, theme.NOON, min(radius - line, done.w // 2))
        dark = touched.share * 2 >= HOLD_SHARES
        paint = msgspec.structs.replace(paint, sign=theme.SOOT if dark else paint.sign)
    else:
        pen.box(inner, paint.pressed, radius - line)
        if paint.pressed in _BRIGHT:
            paint = msgspec.structs.replace(paint, sign=theme.SOOT)
    _paint_words(pen, button, _words_room(face), paint.sign)


def _words_room(face: Rect) -> Rect:
    return face.inset(max(2, min(face.w, face.h) // 18))


def _paint_bare(pen: Pen, face: Rect, touched: TouchedButton | None) -> None:
    if touched is None:
        return
    bar, _ = face.split_bottom(max(4, face.h // 12))
    pen.box(bar, theme.SPENT, bar.h // 2)
    done, _ = bar.split_left(max(bar.h, bar.w * touched.share // HOLD_SHARES))
    pen.box(done, theme.BRICK, bar.h // 2)


def _paint_words(pen: Pen, button: Button, room: Rect, sign: Colour) -> None:
    size = button.size_px or int(room.h * 0.4)
    if button.icon and not button.label:
        side = int(min(room.w, room.h) * 0.6)
        pen.icon(Icon(room.centre(side, side), button.icon, sign, _under(button)))
        return
    text = room.inset(max(1, min(size // 6, room.w // 40)), 0)
    side, gap = min(int(room.h * 0.62), int(size * 1.5)), max(3, size // 3)
    match _icon_place(pen, button, room, (text.w, text.w - side - gap), size):
        case _IconPlace.BESIDE:
            wanted = max(
                pen.width(button.label.replace(SOFT_HYPHEN, ""), Typeface.BOLD, size),
                pen.width(button.small, Typeface.TEXT, size),
            )
            if not button.at_start:
                text = text.centre(side + gap + wanted, text.h)
            strip, text = text.split_left(side, gap)
            pen.icon(Icon(strip, button.icon, sign, _under(button)))
            _paint_lines(pen, button, text, (size, sign, Align.LEFT))
        case _IconPlace.ABOVE:
            strip, text = text.split_top(int(room.h * _ICON_ABOVE), 0)
            side = int(strip.h * 0.92)
            pen.icon(Icon(strip.centre(side, side), button.icon, sign, _under(button)))
            _paint_lines(pen, button, text, (size, sign, Align.CENTRE))
        case _IconPlace.NOWHERE:
            _paint_lines(pen, button, text, (size, sign, Align.CENTRE))


class _IconPlace(enum.Enum):
    BESIDE = "beside"
    ABOVE = "above"
    NOWHERE = "nowhere"


def _icon_place(pen: Pen, button: Button, room: Rect, widths: tuple[int, int], size: int) -> _IconPlace:
    """Return the place of the icon, which is omitted if the label would have to shrink for it.

    ``widths`` are the widths available to a label alone, and to one beside the icon.
    """
    if not button.icon:
        return _IconPlace.NOWHERE
    if button.at_start:
        return _IconPlace.BESIDE
    alone, beside = widths
    label = pen.width(button.label.replace(SOFT_HYPHEN, ""), Typeface.BOLD, size)
    small = pen.width(button.small, Typeface.TEXT, int(size * button.small_share)) if button.small else 0
    if room.w > _HARDLY_WIDE * room.h and max(label, small) <= beside:
        return _IconPlace.BESIDE
    if not small and label <= alone and room.h * (1 - _ICON_ABOVE) >= size * LINE:
        return _IconPlace.ABOVE
    if room.w > _WIDE * room.h and not small and _fits_beside(pen, button, beside, size):
        return _IconPlace.BESIDE
    return _IconPlace.NOWHERE


def _fits_beside(pen: Pen, button: Button, width: int, size: int) -> bool:
    words = button.label.replace(SOFT_HYPHEN, "").split()
    return max(pen.width(word, Typeface.BOLD, size) for word in words or [""]) <= width


def _under(button: Button) -> Colour:
    """Return the colour of details inside an icon, which look like holes in it."""
    return _PAINTS[button.look].fill if button.enabled else theme.OFF_DARK


def _paint_lines(pen: Pen, button: Button, room: Rect, ink: tuple[int, Colour, Align]) -> None:
    size, sign, align = ink
    if button.small:
        share = button.small_share / 0.8
        upper, lower = room.centre(room.w, int(size * (1.15 + share))).rows([1.15, share], 0)
        pen.label(Label(upper, button.label, min(size, int(upper.h * 1.1)), sign, Typeface.BOLD, align))
        pen.label(
            Label(
                lower, button.small, min(int(size * button.small_share), lower.h), sign, Typeface.TEXT, align
            )
        )
        return
    size = _size_among(pen, button.kin, room, ink)
    match _words(button.label, room, (size, sign, align)):
        case Label() as label:
            pen.label(label)
        case Paragraph() as paragraph:
            pen.paragraph(paragraph)


def _size_among(pen: Pen, kin: tuple[str, ...], room: Rect, ink: tuple[int, Colour, Align]) -> int:
    """Return the size at which all labels in ``kin`` fit, or the given size if it is empty."""
    size, sign, align = ink
    while kin:
        least = min(pen.size_of(_words(words, room, (size, sign, align))) for words in kin)
        if least == size:
            break
        size = least
    return size


def _words(words: str, room: Rect, ink: tuple[int, Colour, Align]) -> Label | Paragraph:
    size, sign, align = ink
    if " " in words or SOFT_HYPHEN in words:
        return Paragraph(room, words, size, sign, Typeface.BOLD, align)
    return Label(room, words, size, sign, Typeface.BOLD, align)
