"""The status strip below every scene: delivery of the entries, connection, and remaining time."""

from typing import Final

from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.clock_words import strip_words
from kiosk.ui.blocks import Align, Block, Box, Icon, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import STRIP_MM
from kiosk.ui.text import LEGIBLE_MM
from kiosk.view import theme
from sync.terminal.agent_contract import LinkPhase

_MINUTE_MS: Final = 60_000
_MARK_MM: Final = 16.0
_COUNT_STRIP_MM: Final = 18.0
_SIGNS_STRIP_MM: Final = 50.0
_NARROW_STRIP_MM: Final = 27.0
_NARROW_CLOCK_MM: Final = 36.0
_WIDE_STRIP_MM: Final = 45.0


def strip(stage: SceneContext, rect: Rect) -> Block:
    """Draw the status strip."""
    mm, room = stage.mm, rect.move(-rect.x, -rect.y).inset(stage.mm(0.8), 0)
    connected = stage.table.delivery.link is LinkPhase.CONNECTED
    is_tall = rect.h > mm(STRIP_MM) * 1.5
    room, mark = _mark_beside(stage, room) if not is_tall else (room, ())
    short = room.w < mm(60) and not is_tall
    signs_only = short and room.w < mm(_SIGNS_STRIP_MM)
    left, clock, right = room.columns([1.1, 0.8, 1.1] if not short else [1.1, 0.9, 1], mm(1))
    if signs_only:
        left, clock, right = room.columns([1, 1.2, 0.3], mm(1))
    if is_tall:
        left, low = room.rows([1, 1], 0)
        low, mark = _mark_beside(stage, low)
        signs_only = bool(mark) or low.w < mm(_NARROW_CLOCK_MM)
        clock, right = low.columns([1.2, 0.3 if signs_only else 0.9], mm(1))
    link = ("link" if connected else "no-link", "" if signs_only else _link_words(stage))
    delivered = _delivery_mark(stage, left.w)
    parts = _mark_parts(stage, right, link, at_end=True)
    if delivered is not None:
        parts = (*_mark_parts(stage, left, delivered), *parts)
    time = stage.table.round_time
    if time is not None:
        words = strip_words(time, stage.shared_words, brief=clock.w < mm(_NARROW_CLOCK_MM))
        icon = "pause" if time.is_paused or not time.is_started else "clock"
        parts = (*parts, *_mark_parts(stage, clock, (icon, words), size_mm=LEGIBLE_MM))
    return Block("strip", rect, (*mark, *parts))


def _mark_beside(stage: SceneContext, room: Rect) -> tuple[Rect, tuple[Part, ...]]:
    if not stage.table.is_rehearsal:
        return room, ()
    spot, room = room.split_left(min(stage.mm(_MARK_MM), room.w // 2), stage.mm(1))
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
    stage: SceneContext, room: Rect, mark: tuple[str, str], *, at_end: bool = False, size_mm: float = 3.4
) -> tuple[Part, ...]:
    icon, words = mark
    side = stage.mm(3.2)
    box, text = room.split_right(side, stage.mm(0.8)) if at_end else room.split_left(side, stage.mm(0.8))
    return (
        Icon(box, icon, theme.CREAM_SOFT, theme.WOOD),
        Label(text, words, stage.mm(size_mm), theme.CREAM_SOFT, align=Align.RIGHT if at_end else Align.LEFT),
    )
