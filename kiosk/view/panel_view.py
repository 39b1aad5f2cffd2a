"""The panel's parts as the screen shows them: failures, readings and self-test, and their names as text."""

import enum
from collections.abc import Iterator

import msgspec

from hardware.contract import (
    KEY,
    Battery,
    Fan,
    PanelButton,
    PartFailed,
    SensorReadings,
    Supply,
    SupplyTrouble,
    SwitchState,
)
from kiosk.i18n import Words


class ShutDown(enum.Enum):
    """The state of a shutdown request."""

    NO = "no"
    ASKED = "asked"
    """The button was held, and the screen asks; another hold confirms."""
    FAILED = "failed"
    """The system refused."""


class SelfTestInput(msgspec.Struct, frozen=True):
    """Presses of buttons and turns of switches since the self-test asked for them."""

    presses: tuple[PanelButton, ...] = ()
    turns: tuple[str, ...] = ()


class PartsView(msgspec.Struct, frozen=True):
    """The panel's parts as the screen shows them: the names of all that it should have, and the failed ones.

    ``tested`` is the input of a running self-test. ``touch_trial``: a new calibration is being tried.
    """

    names: tuple[str, ...] = ()
    failed: tuple[PartFailed, ...] = ()
    readings: SensorReadings = SensorReadings()
    tested: SelfTestInput | None = None
    touch_trial: bool = False
    shut_down: ShutDown = ShutDown.NO
    switches: tuple[SwitchState, ...] = ()

    def failure(self, part: str) -> PartFailed | None:
        return next((failed for failed in self.failed if failed.part == part), None)


def part_name(part: str, words: Words) -> str:
    """Return the translated name of a part."""
    _ = words.gettext
    names = {
        "button reshuffle": _("reshuffle button"),
        "button end-turn": _("end-turn button"),
        "button call-judge": _("call-judge button"),
        "button shut-down": _("shutdown button"),
        "lamp in reshuffle": _("reshuffle button lamp"),
        "lamp in end-turn": _("end-turn button lamp"),
        "lamp in call-judge": _("call-judge button lamp"),
        "lamp in shut-down": _("shutdown button lamp"),
        KEY: _("judge's key switch"),
        "lamp": _("status lamp"),
        "lamp red": _("red lamp"),
        "lamp green": _("green lamp"),
        "lamp blue": _("blue lamp"),
        "lamp white": _("lamp in all colours"),
        "buzzer": _("buzzer"),
        "backlight": _("screen backlight"),
        "pixels": _("screen pixels"),
        "touch": _("touch panel"),
        "calibration": _("touch calibration"),
        "power": _("power and heat"),
        "fan": _("fan"),
        "battery": _("battery"),
        "supply": _("power supply monitor"),
        "heat": _("thermometer"),
        "pins": _("all buttons and lamps"),
    }
    return names.get(part) or _(part)


def reading_words(readings: SensorReadings, words: Words) -> Iterator[str]:
    """Yield a line for each reading of power and temperature."""
    _ = words.gettext
    if readings.heat is not None:
        yield _("Processor {celsius} °C").format(celsius=readings.heat.celsius)
    if readings.supply is not None:
        yield from _supply_words(readings.supply, words)
    if readings.battery is not None:
        yield from _battery_words(readings.battery, words)
    if readings.fan is not None:
        yield _fan_words(readings.fan, words)


def _supply_words(supply: Supply, words: Words) -> Iterator[str]:
    _ = words.gettext
    names = {
        SupplyTrouble.UNDER_VOLTAGE: _("voltage too low"),
        SupplyTrouble.CAPPED: _("processor speed limited"),
        SupplyTrouble.THROTTLED: _("processor slowed down"),
        SupplyTrouble.HOT: _("processor too hot"),
    }
    if not supply.ever:
        yield _("Voltage has been fine since startup")
    for trouble in SupplyTrouble:
        if trouble in supply.now:
            yield _("Now: {trouble}").format(trouble=names[trouble])
        elif trouble in supply.ever:
            yield _("Since startup: {trouble}").format(trouble=names[trouble])


def _battery_words(battery: Battery, words: Words) -> Iterator[str]:
    _ = words.gettext
    if battery.percent is not None:
        yield _("Battery {percent}%").format(percent=battery.percent)
    if battery.is_low:
        yield _("Battery almost empty")
    if battery.on_mains is not None:
        yield _("On mains power") if battery.on_mains else _("On battery, no mains power")


def _fan_words(fan: Fan, words: Words) -> str:
    _ = words.gettext
    if fan.rpm is not None and fan.percent:
        return _("Fan {rpm} rpm").format(rpm=fan.rpm)
    return _("Fan {percent}%").format(percent=fan.percent) if fan.percent else _("Fan not turning")
