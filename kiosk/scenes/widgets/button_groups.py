"""A page of buttons in titled groups; the pages that they open explain each action."""

from collections.abc import Sequence
from typing import Final

import msgspec

from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, back_button, head_parts, page, page_room
from kiosk.ui.blocks import Align, Block, Box, Button, Icon, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_HEAD_MM: Final = 12.0
_TITLE_MM: Final = 5.2
_ROOM_MM: Final = 1.2
_ROW_MM: Final = 18.0
_ROW_LEAST_MM: Final = 12.0
_COLUMN_MM: Final = 36.0
_FEW: Final = 3
"""The most buttons in one column."""


class MenuEntry(msgspec.Struct, frozen=True):
    """A button of a group. ``reply`` is for a touch; actions that need a hold are on a further page."""

    target: str
    label: str
    icon: str
    reply: Reply
    enabled: bool = True


class Group(msgspec.Struct, frozen=True):
    """A group of buttons. ``title`` is a single word."""

    title: str
    icon: str
    entries: tuple[MenuEntry, ...]


def draw_groups(stage: SceneContext, head: Heading, groups: Sequence[Group]) -> tuple[Block, ...]:
    """Draw a page of groups below the heading: side by side, or stacked on a narrow screen."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    top, room = room.split_top(mm(_HEAD_MM), gap)
    back, words = top.split_left(mm(26), mm(2))
    filled = [group for group in groups if group.entries]
    parts: list[Part] = [
        back_button(stage, back),
        *head_parts(stage, words, head),
    ]
    # Align the rows of neighbouring groups.
    rows = max(_rows(group, _columns(stage, group)) for group in filled) if _is_broad(stage) else 0
    for group, spot in zip(filled, _spots(stage, room, filled), strict=True):
        columns = _columns(stage, group)
        parts += _group_parts(stage, group, spot, columns=columns, rows=rows or _rows(group, columns))
    return page(stage, parts)


def _is_broad(stage: SceneContext) -> bool:
    room = page_room(stage)
    return room.w >= room.h


def _columns(stage: SceneContext, group: Group) -> int:
    if not _is_broad(stage):
        return 3
    return 1 if len(group.entries) <= _FEW else 2


def _rows(group: Group, columns: int) -> int:
    return -(-len(group.entries) // columns)


def _spots(stage: SceneContext, room: Rect, groups: Sequence[Group]) -> tuple[Rect, ...]:
    gap, mm = stage.mm(GAP_MM), stage.mm
    columns = [_columns(stage, group) for group in groups]
    if _is_broad(stage):
        wide = min(room.w, sum(columns) * mm(_COLUMN_MM))
        return Rect(room.x, room.y, wide, room.h).move((room.w - wide) // 2, 0).columns(columns, gap)
    rows = [_rows(group, 3) for group in groups]
    extra = mm(_TITLE_MM + 2 * _ROOM_MM)
    best = sum(count * (mm(_ROW_MM) + gap) + extra for count in rows) + gap * (len(groups) - 1)
    high = Rect(room.x, room.y, room.w, min(room.h, best))
    return high.rows([count * (mm(_ROW_LEAST_MM) + gap) + extra for count in rows], gap)


def _group_parts(
    stage: SceneContext, group: Group, spot: Rect, *, columns: int, rows: int
) -> tuple[Part, ...]:
    mm, gap = stage.mm, stage.mm(GAP_MM)
    inside = spot.inset(mm(_ROOM_MM))
    title, cells = inside.split_top(mm(_TITLE_MM), mm(0.6))
    sign, words = title.inset(mm(0.8), mm(0.8)).split_left(mm(5.4), mm(1.2))
    high = min(cells.h, rows * (mm(_ROW_MM) + gap) - gap)
    places = Rect(cells.x, cells.y, cells.w, high).grid(rows * columns, columns, gap)
    return (
        Box(spot, theme.WOOD_GRAIN, mm(1.6), theme.PLANK_EDGE, 1),
        Icon(sign, group.icon, theme.BRASS, theme.WOOD_GRAIN),
        Label(words, group.title, mm(4.8), theme.CREAM, Typeface.BOLD, Align.LEFT),
        *(
            Button(
                place, entry.target, entry.label, icon=entry.icon, size_px=stage.legible_px,
                enabled=entry.enabled, action=OnTouch(entry.reply),
            )
            for place, entry in zip(places, group.entries, strict=False)
        ),
    )  # fmt: skip
