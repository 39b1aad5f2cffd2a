"""The status strip below every scene: delivery of the entries, connection, and remaining time."""

from typing import Final

from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.clock_words import clock_figure
from kiosk.ui.blocks import Align, Block, Box, Icon, Label, Part, Typeface
from kiosk.ui.geometry import Rect, rotated_size
from kiosk.ui.table_layout import STRIP_MM
from kiosk.ui.text import CAP_HEIGHT, LEGIBLE_MM
from kiosk.view import theme
from kiosk.view.table_view import RoundTime
from sync.terminal.agent_contract import LinkPhase

_MINUTE_MS: Final = 60_000
_MARK_MM: Final = 16.0
_LINK_SIGN_MM: Final = 5.0
_TEXT_MM: Final = 3.4
_COUNT_STRIP_MM: Final = 18.0
_SIGNS_STRIP_MM: Final = 50.0
_NARROW_STRIP_MM: Final = 27.0
_NARROW_LINK_MM: Final = 16.0
_WIDE_STRIP_MM: Final = 45.0
_CLOCK_MM: Final = 26.0
_CLOCK_SHARE: Final = 0.46
"""The greatest share of a strip's width that the clock takes."""
_FIGURE_MM: Final = 5.2
"""The height of the clock's digits."""
_SIGN_MM: Final = 4.2
_CLOCK_GAP_MM: Final = 0.8


def strip(stage: SceneContext, rect: Rect, quarter_turns: int | None = None) -> tuple[Block, ...]:
    """Draw the status strip, and its clock turned like the page, or by ``quarter_turns``."""
    mm, room = stage.mm, rect.move(-rect.x, -rect.y).inset(stage.mm(0.8), 0)
    connected, time = stage.table.delivery.link is LinkPhase.CONNECTED, stage.table.round_time
    is_tall, gap = rect.h > mm(STRIP_MM) * 1.2, mm(1)
    wide = 0 if time is None else min(mm(_CLOCK_MM), int(room.w * _CLOCK_SHARE))
    if is_tall:
        clock, rest = room.split_right(wide, gap)
        left, low = rest.rows([1, 1], 0)
        right, mark = _mark_beside(stage, low)
        signs_only = right.w < mm(_NARROW_LINK_MM)
    else:
        rest, mark = _mark_beside(stage, room)
        signs_only = rest.w < mm(_SIGNS_STRIP_MM)
        left, right = Rect(0, 0, rest.w - wide - 2 * gap, rest.h).columns([1, 0.3 if signs_only else 1], 0)
        clock = Rect(rest.x + left.w + gap, rest.y, wide, rest.h)
        left, right = left.move(rest.x, 0), right.move(rest.x + wide + 2 * gap, 0)
    link = ("link" if connected else "no-link", "" if signs_only else _link_words(stage))
    delivered = _delivery_mark(stage, left.w)
    parts = _mark_parts(stage, right, link, at_end=not is_tall)
    if delivered is not None:
        parts = (*_mark_parts(stage, left, delivered), *parts)
    texts = Block("strip", rect, (*mark, *parts))
    if time is None:
        return (texts,)
    turns = quarter_turns
    if turns is None:
        # A page's strip is too low for digits that lie on their side.
        turns = 0 if stage.quarter_turns % 2 else stage.quarter_turns
    return (texts, _clock(stage, time, clock.move(rect.x, rect.y), turns))


def _clock(stage: SceneContext, time: RoundTime, rect: Rect, quarter_turns: int) -> Block:
    """Draw the remaining time large enough for the whole table, and on a bright ground towards its end."""
    mm, room = stage.mm, Rect(0, 0, *rotated_size(rect, quarter_turns))
    figure, unit = clock_figure(time, stage.shared_words)
    size, small, gap, side = mm(_FIGURE_MM / CAP_HEIGHT), mm(LEGIBLE_MM), mm(_CLOCK_GAP_MM), mm(_SIGN_MM)
    ink, ground = (theme.SOOT, theme.NOON) if time.is_ending else (theme.CREAM, theme.WOOD)
    parts: list[Part] = [Box(room.inset(mm(0.3)), ground, mm(1))] if time.is_ending else []
    widths = [
        side,
        stage.types.width(figure, Typeface.BOLD, size),
        stage.types.width(unit, Typeface.TEXT, small),
    ]
    has_unit = (widths[2] if room.w < room.h else sum(widths) + 2 * gap) <= room.w
    if room.w < room.h:
        sign, number, word = room.centre(room.w, mm(16)).rows([0.8, 1.4, 1], gap)
    else:
        line = room.centre(min(room.w, sum(widths[: 2 + has_unit]) + (1 + has_unit) * gap), room.h)
        sign, line = line.split_left(side, gap)
        number, word = line.split_left(min(line.w, widths[1]), gap)
    icon = "pause" if time.is_paused or not time.is_started else "clock"
    parts += [
        Icon(sign.centre(side, side), icon, ink, ground),
        Label(number, figure, size, ink, Typeface.BOLD),
        *((Label(word, unit, small, ink),) if has_unit else ()),
    ]
    return Block("clock", rect, tuple(parts), quarter_turns)


def _mark_beside(stage: SceneContext, room: Rect) -> tuple[Rect, tuple[Part, ...]]:
    if not stage.table.is_rehearsal:
        return room, ()
    spot, room = room.split_left(min(stage.mm(_MARK_MM), room.w - stage.mm(_LINK_SIGN_MM)), stage.mm(1))
    words = stage.shared_words.gettext("REHEARSAL")
    return room, (
        Box(spot.inset(0, stage.mm(0.2)), theme.BRASS, stage.mm(0.6)),
        Label(spot.inset(stage.mm(0.8), 0), words, stage.mm(3.6), theme.SOOT, Typeface.BOLD),
    )


def _link_words(stage: SceneContext) -> str:
    _ = stage.shared_words.gettext
    match stage.table.delivery.link:
        case LinkPhase.NOT_ENROLLED:
            return _("not enrolled")
        case LinkPhase.SEARCHING:
            return _("no station")
        case LinkPhase.CONNECTED:
            return _("online")
        case LinkPhase.REFUSED | LinkPhase.REVOKED:
            return _("not accepted")


def _delivery_mark(stage: SceneContext, width: int) -> tuple[str, str] | None:
    _ = stage.shared_words.gettext
    delivery = stage.table.delivery
    if delivery.entered > delivery.saved:
        return "pencil", _("Entered")
    if delivery.saved > delivery.received:
        count = delivery.saved - delivery.received
        now_ms, since_ms = stage.table.now_ms, delivery.owes_since_ms
        minutes = 0 if since_ms is None else max(0, now_ms - since_ms) // _MINUTE_MS
        if width < stage.mm(_COUNT_STRIP_MM):
            return "story", str(count)
        if width < stage.mm(_NARROW_STRIP_MM):
            return "story", _("{count} not received").format(count=count)
        if not minutes or width < stage.mm(_WIDE_STRIP_MM):
            return "story", _("Saved · {count} not received").format(count=count)
        return "story", _("Saved · {count} not received for {minutes} min").format(
            count=count, minutes=minutes
        )
    if delivery.link is LinkPhase.NOT_ENROLLED and not delivery.entered:
        return None
    return "check", _("Received")


def _mark_parts(
    stage: SceneContext, room: Rect, mark: tuple[str, str], *, at_end: bool = False
) -> tuple[Part, ...]:
    icon, words = mark
    side = stage.mm(3.2)
    box, text = room.split_right(side, stage.mm(0.8)) if at_end else room.split_left(side, stage.mm(0.8))
    return (
        Icon(box, icon, theme.CREAM_SOFT, theme.WOOD),
        Label(text, words, stage.mm(_TEXT_MM), theme.CREAM_SOFT, align=Align.RIGHT if at_end else Align.LEFT),
    )
