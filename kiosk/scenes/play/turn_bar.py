"""The elapsed time of the turn, as an unobtrusive bar."""

from typing import Final

from saloon.kiosk.scenes.scene import Stage
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Box, Part
from saloon.kiosk.view import theme

_TALL_MM: Final = 1.2
_TICKS: Final = 4


def turn_bar(stage: Stage, middle: Rect) -> tuple[Block, ...]:
    """Return the bar along the upper edge of the middle; nothing without a timer."""
    time = stage.table.turn_time
    if time is None:
        return ()
    mm = stage.mm
    # In the gap above the middle, so that no text is covered.
    rect = Rect(middle.x, middle.y - mm(_TALL_MM), middle.w, mm(_TALL_MM))
    room = Rect(0, 0, rect.w, rect.h)
    filled = room.w * time.spent_s // time.limit_s
    parts: list[Part] = [Box(room, theme.PLANK_EDGE)]
    if filled:
        parts.append(Box(Rect(0, 0, filled, room.h), theme.NOON if time.is_over else theme.CREAM_SOFT))
    # Quarter marks, so that the share can be read without its colour.
    parts += [
        Box(Rect(room.w * tick // _TICKS, 0, max(1, mm(0.3)), room.h), theme.WOOD)
        for tick in range(1, _TICKS)
    ]
    return (Block("turn-bar", rect, tuple(parts)),)
