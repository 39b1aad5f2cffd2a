"""The sequence of a self-test: buttons, switches and other parts, then power and the report."""

from collections.abc import Iterator
from typing import ClassVar, Final

from hardware.contract import PanelButton, PartFailed, RepairHint, SwitchState
from kiosk.i18n import Words
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.selftest.glass import CalibrationStep, PixelStep, TouchStep
from kiosk.scenes.selftest.steps import (
    LAMP_TESTS,
    LampStep,
    LightStep,
    PartFinding,
    PartResult,
    ReadyStep,
    Run,
    SelfTestStep,
    SoundStep,
    button_words,
    question_page,
    yes_no,
)
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.page_parts import page, page_room
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import Intent, ReportSelfTest, SelfTest, TryGlow
from kiosk.view.panel_view import PartsView, SelfTestInput, part_name, reading_words

_COLUMN_MM: Final = 66.0
_ROW_MM: Final = 10.0
_FINE_MM: Final = 8.0
_TWO_LINES_MM: Final = 9.0
_NO_WIRES: Final = frozenset({"power", "pixels", "touch", "calibration", "backlight"})


class PowerStep(SelfTestStep, frozen=True):
    """The page of power supply and temperature."""

    kind: ClassVar[str] = "power"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the readings of all sensors, and ask whether they look right."""
        _ = stage.words.gettext
        said = "  ·  ".join(reading_words(stage.table.parts.readings, stage.words)) or _(
            "This terminal has no temperature, battery or voltage sensor."
        )
        answers = yes_no(self, stage, _("Looks right"), _("Something is wrong"))
        return question_page(self, stage, Heading(_("Power and heat"), said, "warning"), answers)


class ReportStep(SelfTestStep, frozen=True):
    """The final report, with advice about each fault."""

    kind: ClassVar[str] = "report"

    def begins(self) -> tuple[Intent, ...]:
        return ()

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw faults with advice in columns, and the names of all working parts below them."""
        _ = stage.words.gettext
        mm = stage.mm
        room = page_room(stage)
        top, rest = room.split_top(mm(14), mm(2))
        bottom, lines = rest.split_bottom(mm(14), mm(2))
        bad = [item for item in self._all(stage) if item.finding is PartFinding.WRONG]
        many = _("{count} parts aren't working").format(count=len(bad))
        title = _("One part isn't working") if len(bad) == 1 else many if bad else _("All parts work")
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
        """Return the results of all steps, and of other parts in which the panel has found a fault."""
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
    """Say what people can do about a part that doesn't work."""
    _ = words.gettext
    advice = {
        RepairHint.WIRE: _("Check its wires and its pin."),
        RepairHint.FREE: _("Another program is using its pin."),
        RepairHint.RELEASE: _("Stuck: free it, or unplug it."),
        RepairHint.RIGHTS: _("The system denies access."),
        RepairHint.CLEAN: _("A loose contact."),
        RepairHint.FAN: _("Dust, or a cable in the blades."),
        RepairHint.INSTALL: _("The pin driver isn't working."),
    }
    return advice[RepairHint.WIRE if failed is None else failed.remedy]


class ButtonStep(SelfTestStep, frozen=True):
    """The test of a button, whose lamp blinks until it is pressed."""

    button: PanelButton = PanelButton.RESHUFFLE
    has_lamp: bool = False

    @property
    def part(self) -> str:
        return f"button {self.button.value}"

    def begins(self) -> tuple[Intent, ...]:
        return (TryGlow(self.button),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show which button to press, and how often it was pressed."""
        _ = stage.words.gettext
        times = _test_input(stage).presses.count(self.button)
        others = [button for button in _test_input(stage).presses if button is not self.button]
        if times == 1:
            text = _("One press counted. If one press counts more than once, the contact is bad.")
        elif times:
            text = _("{times} presses counted. If that's wrong, the contact is bad.").format(times=times)
        elif others:
            pressed = button_words(others[-1], stage)
            text = _("That was “{button}”. If you pressed a different one, the wires are swapped.").format(
                button=pressed
            )
        elif self.has_lamp:
            text = _("Just once. Its lamp is blinking.")
        else:
            text = _("Just once. It's a button on the panel, not on the screen.")
        title = _("Press “{button}”").format(button=button_words(self.button, stage))
        yes = _("Button and lamp work") if self.has_lamp else _("It works")
        answers = yes_no(self, stage, yes, _("It doesn't"), may_say_yes=times > 0)
        return question_page(self, stage, Heading(title, text, "check" if times else "bell"), answers)


class SwitchStep(SelfTestStep, frozen=True, kw_only=True):
    """The test of a switch, which has to be turned on and off."""

    switch: SwitchState

    @property
    def part(self) -> str:
        return self.switch.part

    def begins(self) -> tuple[Intent, ...]:
        return (TryGlow(None),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show which way to turn the switch next."""
        _ = stage.words.gettext
        times = _test_input(stage).turns.count(self.part)
        is_on = any(switch.on for switch in stage.table.parts.switches if switch.part == self.part)
        text = _(self.switch.to_off if is_on else self.switch.to_on)
        if times > 1:
            text = _("Turned {times} times.").format(times=times)
        answers = yes_no(self, stage, _("It works"), _("It doesn't"), may_say_yes=times > 1)
        return question_page(self, stage, Heading(_(self.switch.title), text, "key"), answers)


def _test_input(stage: SceneContext) -> SelfTestInput:
    return stage.table.parts.tested or SelfTestInput()


def self_test(parts: PartsView) -> Reply:
    """Return the reply that opens the first page of a self-test of these parts."""
    power = (PowerStep(),) if {"heat", "supply", "battery", "fan"} & set(parts.names) else ()
    steps = (*_of_panel(parts), PixelStep(), TouchStep(), CalibrationStep(), *power, ReportStep())
    return Reply((SelfTest(is_on=True),), opens=ReadyStep(Run(rest=steps)))


def _of_panel(parts: PartsView) -> Iterator[SelfTestStep]:
    for button in PanelButton:
        if f"button {button.value}" in parts.names:
            yield ButtonStep(button=button, has_lamp=f"lamp in {button.value}" in parts.names)
    yield from (SwitchStep(switch=switch) for switch in parts.switches)
    if "lamp" in parts.names:
        yield from (LampStep(shows=shows) for shows in LAMP_TESTS)
    if "buzzer" in parts.names:
        yield SoundStep()
    if "backlight" in parts.names:
        yield LightStep()
