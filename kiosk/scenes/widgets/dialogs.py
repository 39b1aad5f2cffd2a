"""Scenes as functions. Most show a dialog: a heading with buttons, the last of which goes back.

An example, which closes as soon as its player can't leave any more::

    @scene("leaving", holds=lambda stage, seat: stage.allows(Abandon(seat)))
    def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
        leave = offer(stage, "leave", _("Leave"), command_reply(Abandon(seat), closes=True))
        return Dialog(stage, Heading(stage.seat(seat).name), (leave,))

    Reply(opens=leaving(SeatNo(2)))
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, Final, ParamSpec, Protocol

import msgspec

from core.game.state.game import Phase
from kiosk.scenes.scene import CLOSE, Effect, OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.page_parts import (
    Panel,
    back_button,
    back_offer,
    beside_rotation,
    page,
    page_room,
    rotate_button,
    table_page,
)
from kiosk.scenes.widgets.ring_centre import NOWHERE, fits_in_the_middle
from kiosk.scenes.widgets.rows import BUTTON_MM, HELD_MM, OWN_SHARE, Offer, place_offers, rows_of, widened
from kiosk.ui.blocks import Align, Block, Box, Button, Icon, Label, Matrix, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.table_view import TextCode

_State = ParamSpec("_State")


class Dialog(msgspec.Struct, frozen=True):
    """A heading with buttons, in the language and direction of its stage.

    more: groups of buttons that begin new rows.
    back: the reply of a button to go back, which is added unless the buttons include one; None for no button.
    """

    stage: SceneContext
    head: Heading
    offers: Sequence[Offer]
    more: tuple[Sequence[Offer], ...] = ()
    back: Reply | None = CLOSE

    def draw(self) -> tuple[Block, ...]:
        """Draw the dialog in the middle of the screen, and the status strip."""
        groups = [self.offers, *self.more]
        if self.back is not None and all(offer.button.id != "back" for group in groups for offer in group):
            groups[-1] = (*groups[-1], back_offer(self.stage, reply=self.back))
        return draw_dialog(self.stage, self.head, *groups)


class OpenScene(msgspec.Struct, frozen=True):
    """A scene made of two functions, both called with the SceneContext, ``state`` and ``named``."""

    name: str
    shows: Callable[..., "Dialog | tuple[Block, ...]"]
    holds: Callable[..., bool]
    state: tuple[object, ...]
    named: Mapping[str, object]

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        content = self.shows(stage, *self.state, **self.named)
        return content.draw() if isinstance(content, Dialog) else content

    def still_holds(self, stage: SceneContext) -> bool:
        return self.holds(stage, *self.state, **self.named)


def has_game(stage: SceneContext) -> bool:
    return stage.table.game is not None


def in_play(stage: SceneContext) -> bool:
    return stage.is_in(Phase.PLAYING)


_Draws = Callable[Concatenate[SceneContext, _State], Dialog | tuple[Block, ...]]


class _Define(Protocol):
    def __call__(self, shows: _Draws[_State], /) -> Callable[_State, OpenScene]: ...


def scene(
    name: str, *, when: Callable[[SceneContext], bool] | None = None, holds: Callable[..., bool] | None = None
) -> _Define:
    """Turn a function that draws a scene into one that returns the scene, ready to be opened.

    when: returns whether the scene may stay open at this table; without it, only a touch closes the scene.
    holds: returns the same, given the table and the scene's own state.
    """

    def may_stay(stage: SceneContext, *_state: object, **_named: object) -> bool:
        return when is None or when(stage)

    def define(shows: _Draws[_State]) -> Callable[_State, OpenScene]:
        @wraps(shows)
        def opened(*state: _State.args, **named: _State.kwargs) -> OpenScene:
            return OpenScene(name, shows, holds or may_stay, state, named)

        return opened

    return define


_DIALOG_MM: Final = 120.0
_FEW: Final = 5
_DIALOG_BUTTON_MM: Final = 16.0
_DIALOG_LEAST_MM: Final = 14.0
_DIALOG_HEAD_MM: Final = 44.0
_DIALOG_HEAD_LEAST_MM: Final = 9.0
_DIALOG_WORDS_MM: Final = 5.0
"""The minimum type size of a button's label, the same for a whole row."""
_CODE_BACK_MM: Final = 13.0
_BACK: Final = 1.9
"""The minimum share of the back button's width, so that its icon is beside its label in every dialog."""


def draw_dialog(
    stage: SceneContext, head: Heading, offers: Sequence[Offer], *more: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a heading and buttons in the middle of the screen, and the status strip.

    ``more`` are groups of buttons that begin new rows.
    """
    mm, whole = stage.mm, page_room(stage)
    room = whole.centre(mm(_DIALOG_MM) if len(offers) <= _FEW and not more else whole.w, whole.h)
    rows: list[list[Offer]] = []
    groups = [offers, *more]
    if stage.can_rotate:
        groups[-1] = (*groups[-1], Offer(rotate_button(stage, NOWHERE, Reply(rotates=True))))
    for group in groups:
        legible = []
        for offer in group:
            size = offer.button.size_px and max(offer.button.size_px, stage.type_mm(_DIALOG_WORDS_MM))
            share = max(offer.share, _BACK) if offer.button.id == "back" else offer.share
            legible.append(offer.with_button(share, size_px=size))
        rows += rows_of(stage, room.w, widened(stage, legible, OWN_SHARE))
    gaps = (len(rows) - 1) * mm(GAP_MM)
    fair = (room.h - mm(_DIALOG_HEAD_MM / 2) - gaps) // len(rows)
    apart, low = mm(4), mm(_DIALOG_LEAST_MM)
    if room.h - len(rows) * low - gaps - apart < mm(_DIALOG_HEAD_LEAST_MM):
        is_held = any(offer.button.hold_ms for row in rows for offer in row)
        apart, low = mm(1), mm(HELD_MM if is_held else BUTTON_MM)
    tall = len(rows) * max(low, min(mm(_DIALOG_BUTTON_MM), fair)) + gaps
    upper = min(mm(_DIALOG_HEAD_MM), room.h - tall - apart)
    room = room.centre(room.w, upper + apart + tall)
    top, rest = room.split_top(upper, apart)
    buttons, _spare = rest.split_top(tall)
    return page(stage, (*head_parts(stage, top, head), *place_offers(stage, buttons, rows)), "dialog")


def code_page(
    stage: SceneContext, code: TextCode, title: str, text: str, notes: tuple[str, str] = ("", "")
) -> tuple[Block, ...]:
    """Draw a code to scan with a phone, beside an explanation.

    notes: a large text and a small one below the explanation; either may be empty.
    """
    mm, room = stage.mm, page_room(stage)
    side = min(room.w, room.h)
    place, words = room.split_left(side, mm(3)) if room.w > room.h else room.split_top(side, mm(2))
    buttons, words = words.split_bottom(mm(_CODE_BACK_MM), mm(2))
    top, words = words.split_top(mm(8), mm(1))
    large, small = notes
    low, words = words.split_bottom(mm(9) if small else 0, mm(1))
    note, words = words.split_bottom(mm(7) if large else 0, mm(1))
    parts: tuple[Part, ...] = (
        Matrix(place, code.code.size, code.code.rows),
        Label(top, title, mm(6.4), theme.CREAM, Typeface.BOLD, Align.LEFT),
        Paragraph(words, text, mm(5.2), theme.CREAM_SOFT),
        Label(note, large, mm(5.6), theme.BRASS, Typeface.BOLD, Align.LEFT),
        Paragraph(low, small, mm(3.6), theme.CREAM_SOFT),
        *place_offers(stage, buttons, [[back_offer(stage)]]),
    )
    return page(stage, parts)


def question_page(
    stage: SceneContext, panel: Panel, head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a question in the middle of the ring, or as a dialog if it wouldn't be readable there."""
    if fits_in_the_middle(stage, stage.ring.middle, head, offers, upright=True):
        return table_page(stage, panel, head, offers)
    return draw_dialog(stage, head, offers)


_HEAD_MM: Final = 12.0
_TITLE_MM: Final = 5.2
_ROOM_MM: Final = 1.2
_ROW_MM: Final = 18.0
_ROW_LEAST_MM: Final = 12.0
_COLUMN_MM: Final = 36.0
_FEW_ENTRIES: Final = 3
"""The most buttons in one column."""


class MenuEntry(msgspec.Struct, frozen=True):
    """A button of a group. It acts on a tap, so actions that need a hold are on a further page."""

    target: str
    label: str
    icon: str
    effect: Effect
    enabled: bool = True


class Group(msgspec.Struct, frozen=True):
    """A group of buttons. ``title`` is a single word."""

    title: str
    icon: str
    entries: tuple[MenuEntry, ...]


def draw_groups(stage: SceneContext, head: Heading, groups: Sequence[Group]) -> tuple[Block, ...]:
    """Draw a page of groups below the heading: side by side, or stacked on a narrow screen."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    whole = page_room(stage)
    is_broad = whole.w >= whole.h
    top, room = whole.split_top(mm(_HEAD_MM), gap)
    back, words = top.split_left(mm(26), mm(2))
    words, rotation = beside_rotation(stage, words)
    parts: list[Part] = [back_button(stage, back), *rotation, *head_parts(stage, words, head)]
    counts = [len(group.entries) for group in groups]
    if is_broad:
        columns = [1 if count <= _FEW_ENTRIES else 2 for count in counts]
        # The rows of neighbouring groups are aligned.
        most = max(-(-count // wide) for count, wide in zip(counts, columns, strict=True))
        rows = [most for _group in groups]
        wide = min(room.w, sum(columns) * mm(_COLUMN_MM))
        spots = room.centre(wide, room.h).columns(columns, gap)
    else:
        columns = [3 for _group in groups]
        rows, extra = [-(-count // 3) for count in counts], mm(_TITLE_MM + 2 * _ROOM_MM)
        best = sum(count * (mm(_ROW_MM) + gap) + extra for count in rows) + gap * (len(groups) - 1)
        high = room.split_top(best)[0]
        spots = high.rows([count * (mm(_ROW_LEAST_MM) + gap) + extra for count in rows], gap)
    for group, spot, across, down in zip(groups, spots, columns, rows, strict=True):
        parts += _group_parts(stage, group, spot, columns=across, rows=down)
    return page(stage, parts)


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
                enabled=entry.enabled, action=OnTouch(entry.effect),
            )
            for place, entry in zip(places, group.entries, strict=False)
        ),
    )  # fmt: skip
