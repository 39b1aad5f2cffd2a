"""Pages of a self-test without a question: power and temperature, and the final report."""

from collections.abc import Iterator
from typing import ClassVar, Final

from hardware.contract import PartFailed, RepairHint
from kiosk.i18n import Words
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.selftest.step import PartFinding, PartResult, SelfTestStep, question_page, yes_no
from kiosk.scenes.widgets.page_parts import Heading, head_parts, page, page_room
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import Intent, ReportSelfTest, SelfTest
from kiosk.view.panel_view import part_name, reading_words

_COLUMN_MM: Final = 66.0
_ROW_MM: Final = 10.0
_FINE_MM: Final = 8.0
_TWO_LINES_MM: Final = 9.0
_NO_WIRES: Final = frozenset({"power", "pixels", "touch", "calibration", "backlight"})


class PowerStep(SelfTestStep, frozen=True):
    """The page of power supply and temperature."""

    kind: ClassVar[str] = "power"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw all readings."""
        _ = stage.words.gettext
        said = "  ·  ".join(reading_words(stage.table.parts.readings, stage.words)) or _(
            "This terminal has no temperature, battery or voltage sensor."
        )
        answers = yes_no(self, stage, _("Looks right"), _("Something is wrong"))
        return question_page(self, stage, Heading(_("Power and heat"), said, "warning"), answers)


class ReportStep(SelfTestStep, frozen=True):
    """The final report: each part, with what to do about each fault."""

    kind: ClassVar[str] = "report"

    def begins(self) -> tuple[Intent, ...]:
        """Return no requests, as the results are reported when the page is closed."""
        return ()

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw faults with their remedies in columns, and all working parts in one paragraph."""
        _ = stage.words.gettext
        mm = stage.mm
        room = page_room(stage)
        top, rest = room.split_top(mm(14), mm(2))
        bottom, lines = rest.split_bottom(mm(14), mm(2))
        bad = [item for item in self._all(stage) if item.finding is PartFinding.WRONG]
        if not bad:
            title = _("All parts work")
        elif len(bad) == 1:
            title = _("One part isn't working")
        else:
            title = _("{count} parts aren't working").format(count=len(bad))
        text = _("The results are in the terminal's log.")
        head = Heading(title, text, "check" if not bad else "warning")
        results = tuple((result.part, result.finding.value) for result in self._all(stage))
        leave = Reply((ReportSelfTest(results), SelfTest(is_on=False)), closes=True)
        done = Button(
            bottom.centre(mm(60), mm(14)), "done", _("Done"), ButtonStyle.MAIN, "check", size_px=mm(4.8),
            action=OnTouch(leave),
        )  # fmt: skip
        parts = (*head_parts(stage, top, head), *self._lines(stage, lines, bad), done)
        return page(stage, parts, "report")

    def _all(self, stage: SceneContext) -> tuple[PartResult, ...]:
        """Return the results of all steps, and faults that the panel found in other parts."""
        asked_of = {result.part for result in self.run.results}
        own = (failed.part for failed in stage.table.parts.failed if failed.part not in asked_of)
        return (*self.run.results, *(PartResult(part, PartFinding.WRONG) for part in own))

    def _lines(self, stage: SceneContext, room: Rect, bad: list[PartResult]) -> Iterator[Part]:
        _, mm = stage.words.gettext, stage.mm
        fine = [item for item in self._all(stage) if item.finding is PartFinding.FINE]
        columns = max(1, min(3, room.w // mm(_COLUMN_MM)))
        rows = -(-len(bad) // columns)
        below = mm(_FINE_MM) if fine and bad else 0
        high = min(mm(_ROW_MM), (room.h - below) // rows) if rows else 0
        spots = [
            Rect(column.x, column.y + row * high, column.w, high)
            for column in room.columns([1] * columns, mm(4))
            for row in range(rows)
        ]
        for spot, item in zip(spots, bad, strict=False):
            yield from _line(stage, spot, item)
        if fine:
            names = ", ".join(part_name(item.part, stage.words) for item in fine)
            under = Rect(room.x, room.y + rows * high, room.w, room.h - rows * high).inset(mm(1), mm(1))
            yield Paragraph(under, _("Working: {parts}.").format(parts=names), mm(4), theme.CREAM)


def _line(stage: SceneContext, spot: Rect, item: PartResult) -> Iterator[Part]:
    mm = stage.mm
    yield Box(Rect(spot.x, spot.bottom - 1, spot.w, 1), theme.PLANK_EDGE)
    sign, words = spot.inset(mm(0.6), mm(0.8)).split_left(mm(5), mm(1.4))
    yield Icon(sign, "cross", theme.NOON, theme.WOOD)
    name = part_name(item.part, stage.words)
    upper, lower = words.rows([1.1, 1], 0) if spot.h >= mm(_TWO_LINES_MM) else words.columns([1.7, 1], mm(1))
    yield Label(upper, name[:1].upper() + name[1:], mm(4.2), theme.NOON, Typeface.BOLD, Align.LEFT)
    advice = stage.words.gettext("Tell the organiser.")
    failed = stage.table.parts.failure(item.part)
    if failed is not None or item.part not in _NO_WIRES:
        advice = mend_words(failed, stage.words)
    yield Paragraph(lower, advice, mm(3.4), theme.CREAM_SOFT)


def mend_words(failed: PartFailed | None, words: Words) -> str:
    """Return what people can do about a part that doesn't work."""
    _ = words.gettext
    advice = {
        RepairHint.WIRE: _("Check its wires and its pin."),
        RepairHint.FREE: _("Another program uses its pin."),
        RepairHint.RELEASE: _("Stuck: free it, or unplug it."),
        RepairHint.RIGHTS: _("The system denies access."),
        RepairHint.CLEAN: _("A loose contact."),
        RepairHint.FAN: _("Dust, or a cable in the blades."),
        RepairHint.INSTALL: _("The pin driver isn't working."),
    }
    return advice[RepairHint.WIRE if failed is None else failed.mend]
