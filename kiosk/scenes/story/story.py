"""The game's story, line by line; touching a line shows the table at that moment."""

from typing import ClassVar

import msgspec

from core.terms import SeatNo
from kiosk.scenes.scene import GameScene, OnTouch, Reply, SceneContext
from kiosk.scenes.story.life_chart import ChartScene
from kiosk.scenes.story.past_moment import MomentScene
from kiosk.scenes.widgets.page_parts import back_button, page, page_room
from kiosk.ui.blocks import Align, Block, Button, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.ring import GAP_MM
from kiosk.view import theme
from kiosk.view.table_view import StoryLine

_ROW_MM = 12.0
_BUTTONS_MM = 12.5


class StoryScene(GameScene, msgspec.Struct, frozen=True):
    """The game's story. page: 0 is the newest. of: only lines about this seat; None for all.

    by_judge: opened from the judge's menu, so that any step may be undone.
    """

    page: int = 0
    of: SeatNo | None = None
    by_judge: bool = False

    name: ClassVar[str] = "story"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw one page of lines, the newest at the bottom."""
        mm, gap, _ = stage.mm, stage.mm(GAP_MM), stage.words.gettext
        room = page_room(stage)
        buttons, room = room.split_bottom(mm(_BUTTONS_MM), gap)
        title, room = room.split_top(mm(8), mm(1))
        if room.w >= room.h:
            title, told = title.columns([1, 1.3], gap)
        else:
            told, room = room.split_top(mm(5), mm(1))
        count = self._lines_on_page(stage, room)
        lines = self._lines(stage)
        last = max(0, len(lines) - self.page * count)
        shown = lines[max(0, last - count) : last]
        rows = room.rows([1] * count, gap)
        parts: list[Part] = [
            Label(title, _("Story of the game"), mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT)
        ]
        if shown:
            how = _("Tap a line to see the table as it was, or to go back to it.")
            align = Align.RIGHT if told.y == title.y else Align.LEFT
            parts.append(Label(told, how, mm(3.6), theme.CREAM_SOFT, align=align))
        parts += [
            _row(stage, row, line, by_judge=self.by_judge) for row, line in zip(rows, shown, strict=False)
        ]
        if not shown:
            parts.append(Label(room, _("Nothing has happened yet."), mm(5), theme.CREAM_SOFT))
        parts += self._buttons(stage, buttons, more=last > count)
        return page(stage, parts)

    def _lines(self, stage: SceneContext) -> tuple[StoryLine, ...]:
        story = stage.table.story
        return story if self.of is None else tuple(line for line in story if self.of in line.seats)

    def _next(self, stage: SceneContext) -> SeatNo | None:
        following = 1 if self.of is None else self.of + 1
        return SeatNo(following) if following <= len(stage.game.seats) else None

    def _lines_on_page(self, stage: SceneContext, room: Rect) -> int:
        gap = stage.mm(GAP_MM)
        return max(1, (room.h + gap) // (stage.mm(_ROW_MM) + gap))

    def _buttons(self, stage: SceneContext, room: Rect, *, more: bool) -> tuple[Button, ...]:
        _, mm = stage.words.gettext, stage.mm
        back, earlier, later, whom, chart = room.columns([1, 1, 1, 1.4, 1], mm(GAP_MM))
        about = _("Everybody") if self.of is None else stage.seat(self.of).name
        said = _("Show: {name}").format(name=about)
        size = mm(4.2)
        has_chart = stage.game.duel is None and stage.game.turns > 0
        return (
            back_button(stage, back),
            Button(
                earlier, "story-earlier", _("Earlier"), size_px=size, enabled=more, may_repeat=True,
                action=OnTouch(Reply(becomes=msgspec.structs.replace(self, page=self.page + 1))),
            ),
            Button(
                later, "story-later", _("Later"), size_px=size, enabled=self.page > 0, may_repeat=True,
                action=OnTouch(Reply(becomes=msgspec.structs.replace(self, page=max(0, self.page - 1)))),
            ),
            Button(
                whom, "story-of", about, said=said, size_px=size,
                action=OnTouch(Reply(becomes=msgspec.structs.replace(self, page=0, of=self._next(stage)))),
            ),
            Button(
                chart, "story-chart", _("Chart"), icon="chart", size_px=size, enabled=has_chart,
                action=OnTouch(Reply(opens=ChartScene())),
            ),
        )  # fmt: skip


def _row(stage: SceneContext, row: Rect, line: StoryLine, *, by_judge: bool) -> Button:
    number = stage.words.gettext("Turn {number}").format(number=line.turn)
    words = f"{number} · {line.text}" if line.turn else line.text
    return Button(
        row, f"story-moment-{line.moment}", words, icon="story", size_px=stage.mm(4.6), at_start=True,
        action=OnTouch(Reply(opens=MomentScene(line.moment, by_judge=by_judge))),
    )  # fmt: skip
