"""Which steps a self-test has: those of the parts that there are, screen, power, the report."""

from collections.abc import Iterator

from saloon.hardware.contract import PanelButton
from saloon.kiosk.intents import SelfTest
from saloon.kiosk.scenes.scene import Reply
from saloon.kiosk.scenes.selftest.glass import CalibrationStep, PixelStep, TouchStep
from saloon.kiosk.scenes.selftest.hands import ButtonStep, SwitchStep
from saloon.kiosk.scenes.selftest.senses import LAMP_TESTS, LampStep, LightStep, ReadyStep, SoundStep
from saloon.kiosk.scenes.selftest.step import Run, SelfTestStep
from saloon.kiosk.scenes.selftest.told import PowerStep, ReportStep
from saloon.kiosk.view.parts_view import PartsView


def self_test(parts: PartsView) -> Reply:
    """Open the first page of a self-test of these parts."""
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
