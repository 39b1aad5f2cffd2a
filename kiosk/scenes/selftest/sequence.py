"""The steps of a self-test, and those that test buttons and switches."""

from collections.abc import Iterator

from hardware.contract import PanelButton, SwitchState
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.selftest.glass import CalibrationStep, PixelStep, TouchStep
from kiosk.scenes.selftest.report import PowerStep, ReportStep
from kiosk.scenes.selftest.senses import LAMP_TESTS, LampStep, LightStep, ReadyStep, SoundStep
from kiosk.scenes.selftest.step import Run, SelfTestStep, button_words, question_page, yes_no
from kiosk.scenes.widgets.page_parts import Heading
from kiosk.ui.blocks import Block
from kiosk.view.intents import Intent, SelfTest, TryGlow
from kiosk.view.panel_view import PartsView, SelfTestInput


class ButtonStep(SelfTestStep, frozen=True):
    """The test of one button, which has to be pressed while its lamp blinks."""

    button: PanelButton = PanelButton.RESHUFFLE
    has_lamp: bool = False

    @property
    def part(self) -> str:
        return f"button {self.button.value}"

    def begins(self) -> tuple[Intent, ...]:
        """Make the button's lamp blink, and start counting presses."""
        return (TryGlow(self.button),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw which button to press, and how often it was pressed."""
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
    """The test of one switch, which has to be turned on and off."""

    switch: SwitchState

    @property
    def part(self) -> str:
        return self.switch.part

    def begins(self) -> tuple[Intent, ...]:
        """Start counting turns."""
        return (TryGlow(None),)

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw which way to turn the switch next."""
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
