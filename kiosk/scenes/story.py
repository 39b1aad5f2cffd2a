"""The game's story, line by line; back to before any of them."""

import msgspec

from saloon.core.game.commands import Undo
from saloon.kiosk import theme
from saloon.kiosk.scenes.furniture import HOLD_MS, common, page
from saloon.kiosk.scenes.scene import Reply, Stage, asks
from saloon.kiosk.table_view import StoryLine
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Button, Face, Label, Look, Part
from saloon.kiosk.ui.ring import GAP_MM

_ROW_MM = 12.0


class StoryScene(msgspec.Struct, frozen=True):
    """page: from the newest, 0. chosen: how many steps would be taken back; 0 for none."""

    page: int = 0
    chosen: int = 0

    @property
    def name(self) -> str:
        """The story."""
        return "story"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """The newest lines last, so that it reads downwards."""
        rect, foot = page(stage)
        mm, gap, _ = stage.mm, stage.mm(GAP_MM), stage.words.gettext
        room = Rect(0, 0, rect.w, rect.h)
        buttons, room = room.foot(mm(14.5), gap)
        title, room = room.top(mm(8), mm(1))
        count = self._lines_on_page(stage, room)
        lines = _with_steps(stage.table.story)
        last = len(lines) - self.page * count
        shown = lines[max(0, last - count) : last]
        rows = room.rows([1] * count, gap)
        parts: list[Part] = [Label(title, _("Story of the game"), mm(7), theme.CREAM, Face.BOLD, Align.LEFT)]
        for row, (steps, line) in zip(rows, shown, strict=False):
            parts.append(self._row(stage, row, steps, line))
        if not shown:
            parts.append(Label(room, _("Nothing has happened yet."), mm(5), theme.CREAM_SOFT))
        parts += self._buttons(stage, buttons, more=last > count)
        return (Block("page", rect, tuple(parts)), foot)

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Turns the page, chooses a line, or takes steps back."""
        del stage
        match target:
            case "story-earlier":
                return Reply(becomes=StoryScene(self.page + 1))
            case "story-later":
                return Reply(becomes=StoryScene(max(0, self.page - 1)))
            case "undo-steps":
                return Reply(asks(Undo(self.chosen)).intents, becomes=StoryScene())
            case _ if target.startswith("story-step-"):
                steps = int(target.removeprefix("story-step-"))
                return Reply(becomes=StoryScene(self.page, 0 if steps == self.chosen else steps))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """As long as there is a game."""
        return stage.table.game is not None

    def _lines_on_page(self, stage: Stage, room: Rect) -> int:
        gap = stage.mm(GAP_MM)
        return max(1, (room.h + gap) // (stage.mm(_ROW_MM) + gap))

    def _row(self, stage: Stage, row: Rect, steps: int, line: StoryLine) -> Button:
        marked = 0 < steps <= self.chosen
        number = stage.words.gettext("Turn {number}").format(number=line.turn)
        return Button(
            row,
            f"story-step-{steps}",
            f"{number} · {line.text}" if line.turn else line.text,
            Look.GRAVE if marked else Look.QUIET,
            "undo" if marked else "story",
            size_px=stage.mm(4.6),
            enabled=steps <= stage.table.may_undo,
            at_start=True,
        )

    def _buttons(self, stage: Stage, room: Rect, *, more: bool) -> tuple[Button, ...]:
        _, mm = stage.words.gettext, stage.mm
        back, earlier, later, undo = room.columns([1.2, 1.2, 1.2, 2.4], mm(GAP_MM))
        words = stage.words.ngettext(
            "Hold: take {count} step back", "Hold: take {count} steps back", self.chosen
        )
        label = words.format(count=self.chosen) if self.chosen else _("Touch a line to go back")
        return (
            Button(back, "back", _("Back"), icon="back", size_px=mm(4.2)),
            Button(earlier, "story-earlier", _("Earlier"), size_px=mm(4.2), enabled=more),
            Button(later, "story-later", _("Later"), size_px=mm(4.2), enabled=self.page > 0),
            Button(
                undo, "undo-steps", label, Look.GRAVE if self.chosen else Look.QUIET, "undo", size_px=mm(4.2),
                enabled=0 < self.chosen <= stage.table.may_undo, hold_ms=HOLD_MS,
            ),
        )  # fmt: skip


def _with_steps(story: tuple[StoryLine, ...]) -> tuple[tuple[int, StoryLine], ...]:
    """Each line with the steps that must be taken back to undo it and all after it."""
    steps = 0
    found = []
    for line in reversed(story):
        steps += line.steps
        found.append((steps, line))
    return tuple(reversed(found))
