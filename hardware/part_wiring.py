"""The wiring of each part of a panel, as a panel file describes it."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, ClassVar, Final

import msgspec

from hardware.contract import KEY, SwitchState

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]
Percent = Annotated[int, msgspec.Meta(ge=1, le=100)]
Celsius = Annotated[int, msgspec.Meta(ge=20, le=100)]


TRANSISTOR: Final = "1 kΩ to the base of a transistor"


def _(text: str) -> str:
    return text


class Place(msgspec.Struct, frozen=True):
    """A wire of the panel: part, GPIO number, key in the panel file, and the component in between."""

    part: str
    pin: int
    key: str
    note: str


class PartWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of one part in a panel file.

    ``wires`` lists the fields that are pins, each with a note for the wiring plan.
    """

    wires: ClassVar[Mapping[str, str]] = {}

    def places(self, key: str) -> Iterator[Place]:
        """Yield the wires of the part, whose table in the file is ``key``."""
        part = key.replace("buttons.", "button ")
        for field, note in self.wires.items():
            pin: int | None = getattr(self, field)
            if pin is not None:
                name = part if field == "pin" else f"{part} {field.replace('_', ' ')}"
                yield Place(name, pin, f"{key}.{field}", note)


class ButtonWiring(PartWiring, frozen=True):
    """A push-button, and its lamp if it has one.

    pin: GPIO number.
    to_ground: the closed button pulls the pin low.
    lamp: GPIO number.
    lamp_active_high: a high pin lights the lamp.
    """

    pin: Pin
    to_ground: bool = True
    hold_ms: Annotated[int, msgspec.Meta(ge=100, le=10_000)] = 800
    lamp: Pin | None = None
    lamp_active_high: bool = True

    wires = {"pin": "push-button, other side to ground"}

    def lamp_place(self, name: str) -> Iterator[Place]:
        if self.lamp is not None:
            yield Place(f"lamp in {name}", self.lamp, f"buttons.{name}.lamp", TRANSISTOR)


class SwitchWiring(PartWiring, frozen=True):
    """A switch with two positions. Derive a class for each switch, as ``KeyWiring`` does."""

    state: ClassVar[SwitchState]

    pin: Pin
    to_ground: bool = True


class KeyWiring(SwitchWiring, frozen=True):
    """The judge's key switch."""

    wires = {"pin": "key switch, other side to ground"}
    state = SwitchState(
        KEY, _("Turn the key"), _("The key is off. Turn it on."), _("The key is on. Turn it off.")
    )


class LampWiring(PartWiring, frozen=True):
    """The status lamp, with a pin for each colour. With ``active_high``, a high pin lights it.

    ``brightness`` is in percent; below 100, the pins use pulse-width modulation.
    """

    red: Pin
    green: Pin
    blue: Pin
    active_high: bool = True
    brightness: Percent = 100

    wires = {colour: f"330 Ω to the {colour} leg" for colour in ("red", "green", "blue")}


class Sound(Enum):
    """The source of a buzzer's tone."""

    ACTIVE = "active"
    """The buzzer has a built-in tone and needs only power."""
    PASSIVE = "passive"
    """The buzzer is a small loudspeaker, and its pin makes the tone."""


class BuzzerWiring(PartWiring, frozen=True):
    """A buzzer, active or passive."""

    pin: Pin
    active_high: bool = True
    sound: Sound = Sound.ACTIVE

    wires = {"pin": TRANSISTOR}


class BacklightWiring(PartWiring, frozen=True):
    """The backlight of the screen.

    ``name`` is its folder in /sys/class/backlight, or empty for all of them.
    """

    name: str = ""


class FanWiring(PartWiring, frozen=True):
    """A fan, which starts at ``on_c`` and stops at ``off_c``, in degrees Celsius.

    speeds: run at half speed at on_c and at full speed at full_c; otherwise the fan is only on or off.
    tacho: the pin that receives two pulses per turn.
    """

    pin: Pin
    active_high: bool = True
    on_c: Celsius = 60
    off_c: Celsius = 50
    full_c: Celsius = 75
    speeds: bool = False
    tacho: Pin | None = None

    wires = {"pin": TRANSISTOR, "tacho": "third wire of the fan: open collector"}


class BatteryKind(Enum):
    """The source of the battery's state."""

    PINS = "pins"
    """A HAT with a pin that reports a power failure, and possibly one that reports a low battery."""
    KERNEL = "kernel"
    """A battery that the kernel lists in /sys/class/power_supply."""
    GAUGE = "max17040"
    """A MAX17040, 17043 or 17048 on I2C."""


class BatteryWiring(PartWiring, frozen=True):
    """The terminal's battery, reported as low below ``low_percent``.

    power_lost, low: GPIO numbers, for PINS; active while high, or while low if not active_high.
    name: the folder in /sys/class/power_supply, for KERNEL, or empty for the first battery.
    bus, address: its address on I2C, for GAUGE.
    """

    kind: BatteryKind
    power_lost: Pin | None = None
    low: Pin | None = None
    active_high: bool = True
    name: str = ""
    bus: Annotated[int, msgspec.Meta(ge=0, le=20)] = 1
    address: Annotated[int, msgspec.Meta(ge=3, le=0x77)] = 0x36
    low_percent: Percent = 20

    wires = dict.fromkeys(("power_lost", "low"), "signal of the battery HAT, 3.3 V")


class SupplySource(Enum):
    """The source of warnings about a weak power supply."""

    VCGENCMD = "vcgencmd"
    """The firmware's program, which reports voltage and temperature, now and since the start."""
    KERNEL = "kernel"
    """The kernel driver rpi_volt, which reports only the voltage."""
    EITHER = "either"
    """The firmware if its program is installed, otherwise the kernel."""


class SupplyWiring(PartWiring, frozen=True):
    """Monitoring of the power supply's voltage."""

    source: SupplySource = SupplySource.EITHER
