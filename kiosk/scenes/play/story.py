"""The game's story, as lines and as a chart of life points, and the table at an earlier moment."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from core.game.state.decisions import Undo
from core.game.state.game import Phase
from core.game.timeline import LifeLines, life_lines
from core.terms import SeatNo
from kiosk.scenes.play.play import plain_panel
from kiosk.scenes.play.reshuffles import describe_lost_steps
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import name_label
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    ask_judge,
    back_button,
    back_offer,
    beside_rotation,
    offer,
    page,
    page_room,
    table_page,
)
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Part, Polyline, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_IN_PLAY = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET, Phase.CONFIRMED})


@scene("moment", holds=lambda stage, index, **_named: index < len(stage.moments))
def past_moment(stage: SceneContext, index: int, *, by_judge: bool = False) -> tuple[Block, ...] | Dialog:
    """Draw the table at an earlier moment, with a description of the last step and a button to go back there.

    by_judge: any step may be undone.
    """
    then = stage.moments[index].state if stage.moments else stage.game
    _, put = stage.words.gettext, partial(offer, stage, share=1.3, size_mm=4.2)
    ends, last = [0, *(line.moment for line in stage.table.story)], len(stage.moments) - 1
    before, after = (
        max((n for n in ends if n < index), default=0),
        min((n for n in ends if n > index), default=last),
    )
    earlier, later = (Reply(becomes=past_moment(at, by_judge=by_judge)) for at in (before, after))
    offers = (
        back_offer(stage, 1.2),
        put("moment-earlier", _("Earlier"), earlier, enabled=index > 0, may_repeat=True),
        put("moment-later", _("Later"), later, enabled=index < last, may_repeat=True),
        _step_offer(stage, index, by_judge=by_judge),
    )
    title = _("Before the first turn")
    if then.turns:
        title = _("Turn {number}, as it was").format(number=then.turns)
    lines = [line.text for line in stage.table.story if line.moment - line.steps < index]
    head = Heading(title, lines[-1] if lines else "", "story")
    if then.phase not in _IN_PLAY or then.duel is not None:
        return Dialog(stage, head, offers)
    past = msgspec.structs.replace(stage, table=msgspec.structs.replace(stage.table, game=then), changes=())
    return table_page(past, plain_panel, head, offers)


@scene(
    "step-back", holds=lambda stage, index, **_named: 0 < steps_since(stage, index) <= stage.table.may_undo
)
def undo_steps(stage: SceneContext, index: int, *, by_judge: bool = False) -> Dialog:
    """Confirm an undo, which needs a judge or the PIN for steps before the current turn.

    index: the moment to restore.
    by_judge: any step may be undone.
    """
    _, ngettext = stage.words.gettext, stage.words.ngettext
    steps = steps_since(stage, index)
    title = ngettext("Undo {count} step?", "Undo {count} steps?", steps).format(count=steps)
    hold = ngettext("Hold: undo {count} step", "Hold: undo {count} steps", steps)
    undo = Reply(command_reply(Undo(steps)).intents, leaves=True)
    words = hold.format(count=steps)
    is_free = by_judge or stage.table.judge_present or steps <= stage.table.may_undo_freely
    if not is_free:
        undo = ask_judge(stage, Undo(steps), leaves=True)
        words = _("Judge: {what}").format(what=words)
    button = offer(
        stage, "undo-steps", words, undo, 4.4, look=ButtonStyle.GRAVE, icon="undo" if is_free else "lock",
        enabled=0 < steps <= stage.table.may_undo, hold_ms=HOLD_MS,
    )  # fmt: skip
    head = Heading(title, describe_lost_steps(stage, range(index + 1, len(stage.moments))), "undo")
    return Dialog(stage, head, (button,))


def steps_since(stage: SceneContext, index: int) -> int:
    return max(0, len(stage.moments) - 1 - index)


def _step_offer(stage: SceneContext, index: int, *, by_judge: bool) -> Offer:
    _, ngettext = stage.words.gettext, stage.words.ngettext
    steps = steps_since(stage, index)
    label, said = _("Now"), ""
    if steps:
        label = f"{_('Undo')}: {steps}"
        said = ngettext("Undo {count} step?", "Undo {count} steps?", steps).format(count=steps)
    may = 0 < steps <= stage.table.may_undo
    undo = undo_steps(index, by_judge=by_judge)
    return offer(stage, "step-back", label, undo, 2, size_mm=4.2, icon="undo", said=said, enabled=may)


DASHES: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (24, 10),
    (4, 8),
    (24, 8, 4, 8),
    (12, 6),
    (30, 6, 4, 6, 4, 6),
    (4, 16),
    (12, 6, 4, 6),
    (40, 8),
    (8, 14),
)
"""Dash patterns in tenths of a millimetre (on, off), which tell lines apart without colours."""
_NAMES_MM: Final = 26.0
_TEXT_MM: Final = 3.6
_APART_MM: Final = 0.45
_TOUCH_MM: Final = 14.5
_BETWEEN_MM: Final = 1.1
_TICKS: Final = 10
_INITIALS: Final = 3
_LETTER: Final = 0.45
"""The width of a letter as a share of the type size, slightly more than in most names."""


@scene("chart", when=has_game)
def life_chart(stage: SceneContext) -> tuple[Block, ...]:
    """Draw life points by turn, eliminations as tombstones, and High Noon as a shaded area."""
    mm, gap, _ = stage.mm, stage.mm(GAP_MM), stage.words.gettext
    title, room = page_room(stage).split_top(mm(13), gap)
    back, title = title.split_left(mm(26), mm(2))
    parts: list[Part] = [
        back_button(stage, back),
        Label(title, _("Life points, turn by turn"), mm(6), theme.CREAM, Typeface.BOLD, Align.LEFT),
    ]
    lines = life_lines(stage.table.timeline)
    if lines is None or lines.turns < 1:
        parts.append(Label(room, _("Nothing has happened yet."), mm(5), theme.CREAM_SOFT))
    else:
        plot = _Plot(stage, room, lines)
        parts += (*plot.background(), *plot.curves(), *plot.names(), *plot.touches())
    return page(stage, parts)


class _Plot:
    """The chart of one game."""

    def __init__(self, stage: SceneContext, room: Rect, lines: LifeLines) -> None:
        self._stage, self._lines = stage, lines
        mm = stage.mm
        below, above = room.split_bottom(mm(5), 0)
        scale, wide = above.split_left(mm(6), 0)
        self._names, field = wide.split_right(mm(_NAMES_MM), mm(1))
        self._field = field.inset(mm(2), mm(4))
        self._scale, self._below = scale, below

    def _x(self, turn: int) -> int:
        return self._field.x + self._field.w * turn // max(1, self._lines.turns)

    def _y(self, points: int, seat: int = 0) -> int:
        apart = round(seat * self._stage.mm(_APART_MM))
        return self._field.bottom - self._field.h * points // self._lines.most - apart

    def background(self) -> tuple[Part, ...]:
        mm, field = self._stage.mm, self._field
        parts: list[Part] = []
        if self._lines.noon_from is not None:
            left = self._x(self._lines.noon_from - 1)
            noon = Rect(left, field.y - mm(4), field.right - left, field.h + mm(4))
            sign, _rest = noon.split_top(mm(4), 0)
            sun, words = sign.split_left(mm(4), mm(0.6))
            text = self._stage.words.gettext("High Noon")
            parts += [
                Box(noon, theme.PLANK),
                Box(Rect(noon.x, noon.y, max(2, mm(0.4)), noon.h), theme.NOON),
                Icon(sun, "sun", theme.NOON),
                Label(words, text, mm(_TEXT_MM), theme.CREAM_SOFT, Typeface.TEXT, Align.LEFT),
            ]
        for points in range(self._lines.most + 1):
            y = self._y(points)
            line = Rect(field.x, y, field.w, 1)
            number = Rect(self._scale.x, y - mm(2), self._scale.w, mm(4))
            parts += [Box(line, theme.PLANK_EDGE), Label(number, str(points), mm(_TEXT_MM), theme.CREAM_SOFT)]
        every = -(-self._lines.turns // _TICKS)
        for turn in range(every, self._lines.turns + 1, every):
            spot = Rect(self._x(turn) - mm(4), self._below.y, mm(8), self._below.h)
            parts.append(Label(spot, str(turn), mm(_TEXT_MM), theme.CREAM_SOFT))
        return tuple(parts)

    def curves(self) -> tuple[Part, ...]:
        mm = self._stage.mm
        parts: list[Part] = []
        stones: list[Rect] = []
        names: list[str] = []
        for number, line in enumerate(self._lines.lines):
            points = tuple((self._x(turn), self._y(life, number)) for turn, life in enumerate(line.points))
            dash = tuple(max(2, mm(tenths / 10)) for tenths in DASHES[number % len(DASHES)])
            parts.append(Polyline(points, _colour(number), max(2, mm(0.5)), dash))
            if line.is_out:
                x, y = points[-1]
                stones.append(Rect(x - mm(2), y - mm(4), mm(4), mm(4)))
                names.append(self._stage.seat(line.seat).name)
        taken = [*stones]
        for stone, name in zip(stones, names, strict=True):
            label = self._beside(stone, name, taken)
            taken.append(label.rect)
            parts += [Icon(stone, "tombstone", theme.CREAM, theme.WOOD), label]
        return tuple(parts)

    def _beside(self, stone: Rect, name: str, taken: Sequence[Rect]) -> Label:
        """Place a name beside a tombstone. Without room, only its first letters remain, or move above."""
        mm, size = self._stage.mm, self._stage.mm(_TEXT_MM)
        gap, letters = mm(0.4), f"{name[:_INITIALS]}." if len(name) > _INITIALS else name
        for words, wide in ((name, int(len(name) * size * _LETTER)), (letters, mm(6))):
            right = Rect(stone.right + gap, stone.y, wide, stone.h)
            left = Rect(stone.x - wide - gap, stone.y, wide, stone.h)
            for spot, align in ((right, Align.LEFT), (left, Align.RIGHT)):
                inside = self._field.x <= spot.x and spot.right <= self._field.right
                if inside and not any(spot.overlaps(other) for other in taken):
                    return Label(spot, words, size, theme.CREAM, Typeface.TEXT, align, own_words=False)
        spot = Rect(stone.x - mm(1), stone.y - mm(3.8), mm(6), mm(3.8))
        return Label(spot, letters, size, theme.CREAM, Typeface.TEXT, own_words=False)

    def names(self) -> tuple[Part, ...]:
        """Draw names at the ends of the lines, moving overlapping ones apart; eliminated players are last."""
        mm = self._stage.mm
        lines = tuple(enumerate(self._lines.lines))
        tall = min(mm(4.4), self._names.h // len(lines))
        wanted = sorted((self._y(0 if line.is_out else line.points[-1], n), n, line) for n, line in lines)
        low = self._names.bottom - tall * len(wanted)
        parts: list[Part] = []
        y = self._names.y
        for place, (at, number, line) in enumerate(wanted):
            y = max(y, min(at - tall // 2, low + place * tall))
            sign, spot = Rect(self._names.x, y, self._names.w, tall).split_left(mm(3.6), mm(0.6))
            if line.is_out:
                parts.append(Icon(sign, "tombstone", theme.CREAM, theme.WOOD))
            else:
                end = (self._x(len(line.points) - 1), at)
                parts.append(Polyline((end, (sign.right, y + tall // 2)), _colour(number), 1))
            size, seat = mm(_TEXT_MM + 0.4), self._stage.seat(line.seat)
            parts.append(name_label(self._stage, seat, spot, size, _colour(number)))
            y += tall
        return tuple(parts)

    def touches(self) -> tuple[Part, ...]:
        """Divide the chart into targets wide enough for a finger, each of which opens its middle turn."""
        field, turns = self._field, self._lines.turns
        count = max(1, min(turns, field.w // self._stage.mm(_TOUCH_MM)))
        word = self._stage.words.gettext("Turn {number}")
        buttons: list[Part] = []
        for place in range(count):
            first, last = turns * place // count + 1, turns * (place + 1) // count
            turn = (first + last + 1) // 2
            # Equal shares of the width, as a target for a single turn might be too narrow.
            left, right = (field.x + field.w * edge // count for edge in (place, place + 1))
            spot = Rect(left, field.y, right - left, field.h).inset(self._stage.mm(_BETWEEN_MM), 0)
            opens = OnTouch(past_moment(self._lines.moments[turn]))
            said = word.format(number=turn)
            buttons.append(Button(spot, f"turn-{turn}", "", ButtonStyle.BARE, said=said, action=opens))
        return tuple(buttons)


def _colour(number: int) -> theme.Colour:
    return theme.CREAM if number % 2 else theme.BRASS


_ROW_MM = 12.0
_BUTTONS_MM = 12.5


@scene("story", when=has_game)
def game_story(
    stage: SceneContext, number: int = 0, of: SeatNo | None = None, *, by_judge: bool = False
) -> tuple[Block, ...]:
    """Draw one page of the story, with the newest line at the bottom.

    number: the page, from 0 for the newest.
    of: show only lines about this seat; None for all.
    by_judge: any step may be undone.
    """
    mm, gap, _ = stage.mm, stage.mm(GAP_MM), stage.words.gettext
    room = page_room(stage)
    buttons, room = room.split_bottom(mm(_BUTTONS_MM), gap)
    buttons, rotation = beside_rotation(stage, buttons)
    title, room = room.split_top(mm(8), mm(1))
    if room.w >= room.h:
        title, hint = title.columns([1, 1.3], gap)
    else:
        hint, room = room.split_top(mm(5), mm(1))
    count = max(1, (room.h + gap) // (mm(_ROW_MM) + gap))
    lines = [line for line in stage.table.story if of is None or of in line.seats]
    last = max(0, len(lines) - number * count)
    page_lines = lines[max(0, last - count) : last]
    rows = room.rows([1] * count, gap)
    parts: list[Part] = [Label(title, _("Story of the game"), mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT)]
    if page_lines:
        how = _("Tap a line to see the table as it was, or to go back to that moment.")
        align = Align.RIGHT if hint.y == title.y else Align.LEFT
        parts.append(Label(hint, how, mm(3.6), theme.CREAM_SOFT, align=align))
    for row, line in zip(rows, page_lines, strict=False):
        turn = _("Turn {number}").format(number=line.turn)
        words = f"{turn} · {line.text}" if line.turn else line.text
        opens, target = OnTouch(past_moment(line.moment, by_judge=by_judge)), f"story-moment-{line.moment}"
        size = mm(4.6)
        parts.append(Button(row, target, words, icon="story", size_px=size, at_start=True, action=opens))
    if not page_lines:
        parts.append(Label(room, _("Nothing has happened yet."), mm(5), theme.CREAM_SOFT))
    back, earlier, later, whom, chart = buttons.columns([1, 1, 1, 1.4, 1], gap)
    about = _("Everybody") if of is None else stage.seat(of).name
    said = _("Show: {name}").format(name=about)
    size = mm(4.2)
    has_chart = stage.game.duel is None and stage.game.turns > 0
    following = 1 if of is None else of + 1
    next_of = SeatNo(following) if following <= len(stage.game.seats) else None
    parts += [
        *rotation,
        back_button(stage, back),
        Button(
            earlier, "story-earlier", _("Earlier"), size_px=size, enabled=last > count, may_repeat=True,
            action=OnTouch(Reply(becomes=game_story(number + 1, of, by_judge=by_judge))),
        ),
        Button(
            later, "story-later", _("Later"), size_px=size, enabled=number > 0, may_repeat=True,
            action=OnTouch(Reply(becomes=game_story(max(0, number - 1), of, by_judge=by_judge))),
        ),
        Button(
            whom, "story-of", about, said=said, size_px=size,
            action=OnTouch(Reply(becomes=game_story(0, next_of, by_judge=by_judge))),
        ),
        Button(
            chart, "story-chart", _("Chart"), icon="chart", size_px=size, enabled=has_chart,
            action=OnTouch(life_chart()),
        ),
    ]  # fmt: skip
    return page(stage, parts)
