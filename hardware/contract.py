"""The interface between a terminal's app and its panel."""

import enum
from collections.abc import Mapping
from typing import Final, Protocol

import msgspec


class SupplyTrouble(enum.Enum):
    """An effect of a weak power supply or a hot processor; the value is the firmware's bit."""

    UNDER_VOLTAGE = 0
    """The voltage is below 4.63 V: the supply or its cable is too weak."""
    CAPPED = 1
    """The processor's maximum speed is reduced."""
    THROTTLED = 2
    """The processor is slowed down at this moment."""
    HOT = 3
    """The processor is above its temperature limit."""


class Supply(msgspec.Struct, frozen=True):
    """The firmware's report on the power supply.

    ``ever`` covers the time since the board started, including now.
    """

    now: frozenset[SupplyTrouble] = frozenset()
    ever: frozenset[SupplyTrouble] = frozenset()


class Battery(msgspec.Struct, frozen=True):
    """The state of the terminal's battery. A value is None if the battery doesn't report it."""

    percent: int | None = None
    on_mains: bool | None = None
    is_low: bool = False


class Heat(msgspec.Struct, frozen=True):
    """The processor's temperature, in whole degrees Celsius."""

    celsius: int


class Fan(msgspec.Struct, frozen=True):
    """The requested and the measured speed of the fan. ``rpm`` is None without a tachometer."""

    percent: int
    rpm: int | None = None


Reading = Supply | Battery | Heat | Fan


class SensorReadings(msgspec.Struct, frozen=True):
    """The latest reading of each kind, or None where this terminal has no such sensor."""

    supply: Supply | None = None
    battery: Battery | None = None
    heat: Heat | None = None
    fan: Fan | None = None

    def after(self, reading: Reading) -> "SensorReadings":
        """Return the readings with one replaced, in the field named after its class."""
        return msgspec.structs.replace(self, **{type(reading).__name__.lower(): reading})

    def without(self, gauge: str) -> "SensorReadings":
        """Return the readings without those of a failed gauge."""
        return msgspec.structs.replace(self, **{gauge: None}) if gauge in self.__struct_fields__ else self


class PanelButton(enum.Enum):
    """A button of the panel, by its purpose."""

    RESHUFFLE = "reshuffle"
    END_TURN = "end-turn"
    CALL_JUDGE = "call-judge"
    SHUT_DOWN = "shut-down"
    """Asks on the screen whether to shut down the terminal. Optional."""


class PressKind(enum.Enum):
    """The kind of a press: a first contact, or a hold."""

    PRESSED = "pressed"
    HELD = "held"
    """Reported after PRESSED, once the button was down for the panel file's hold time."""


class ButtonPressed(msgspec.Struct, frozen=True):
    """A debounced press. ``at_ms`` is the monotonic clock at its first edge."""

    button: PanelButton
    kind: PressKind
    at_ms: int


class SwitchMoved(msgspec.Struct, frozen=True):
    """A switch has been moved and is stable again. ``part`` is ``KEY`` or the name of another switch."""

    part: str
    on: bool
    at_ms: int


KEY: Final = "key"
"""The name of the judge's key switch, which is on while the judge is present."""


class SwitchState(msgspec.Struct, frozen=True):
    """A switch. ``title``, ``to_on`` and ``to_off`` are the untranslated texts of its self-test."""

    part: str
    title: str
    to_on: str
    to_off: str
    on: bool = False


class RepairHint(enum.Enum):
    """The remedy for a failed part."""

    WIRE = "wire"
    """Check its wires and its pin in the panel file."""
    FREE = "free"
    """Another program uses its pin, or the board has no such pin."""
    RELEASE = "release"
    """It is pressed all the time: release or unplug it."""
    RIGHTS = "rights"
    """The program has no permission, or the system has no such part."""
    CLEAN = "clean"
    """It keeps turning on and off: a loose contact."""
    FAN = "fan"
    """Dust, a cable in the blades, or a worn-out fan."""
    INSTALL = "install"
    """The pin driver is missing: choose another one, or install it."""


class PartFailed(msgspec.Struct, frozen=True):
    """A part is missing, busy or stuck. All others still work, and this one is retried later."""

    part: str
    problem: str
    remedy: RepairHint = RepairHint.WIRE


class PartRecovered(msgspec.Struct, frozen=True):
    """A part that failed works again."""

    part: str


class ReadingsReported(msgspec.Struct, frozen=True):
    """A reading changed. ``readings`` contains all current ones."""

    readings: SensorReadings


PanelEvent = ButtonPressed | SwitchMoved | PartFailed | PartRecovered | ReadingsReported


class Glow(enum.Enum):
    """The state of the lamp in a button."""

    DARK = "dark"
    LIT = "lit"
    """The button has a function now."""
    BLINKING = "blinking"
    """The button is expected to be pressed."""


class Lamp(enum.Enum):
    """The message that the status lamp shows. Its colours and rhythms are in ``parts.outputs``."""

    OFF = "off"
    WAITING = "waiting"
    PLAYING = "playing"
    HIGH_NOON = "high-noon"
    ASKED = "asked"
    """The screen shows a reminder that nobody has answered yet."""
    TIME_SHORT = "time-short"
    """The round is nearly over; shown for a while after each warning."""
    TIME_OVER = "time-over"
    JUDGE_CALLED = "judge-called"
    ENDED = "ended"
    TROUBLE = "trouble"
    IDENTIFY = "identify"
    """A judge is looking for this terminal."""


class Tune(enum.Enum):
    """A tune of the buzzer."""

    CLICK = "click"
    HIGH_NOON = "high-noon"
    ATTENTION = "attention"
    GAME_OVER = "game-over"
    TIME_SHORT = "time-short"
    TIME_OVER = "time-over"
    TURN_LONG = "turn-long"
    LIFE_CHANGED = "life-changed"
    TURN_PASSED = "turn-passed"
    RESHUFFLED = "reshuffled"
    ELIMINATED = "eliminated"


class PanelState(msgspec.Struct, frozen=True):
    """The current state of a panel. ``lamp`` is red, green, blue as 0 or 1."""

    lamp_says: Lamp
    lamp: tuple[int, int, int]
    sounding: bool
    tune: Tune | None
    key_on: bool
    failed_parts: tuple[PartFailed, ...]
    lit: tuple[PanelButton, ...] = ()
    """The buttons whose lamps are lit at this moment, whether or not a lamp is wired."""
    parts: tuple[str, ...] = ()
    """All parts that the panel file lists."""
    switches: tuple[SwitchState, ...] = ()
    readings: SensorReadings = SensorReadings()


class PowerSource(enum.Enum):
    """The power source that a virtual battery reports."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """The battery, which is almost empty."""


class Panel(Protocol):
    """The buttons, switches, lamps and buzzer of one terminal, driven by the owner's clock.

    Edges may arrive on any thread; they are queued until the owner calls ``advance``.
    """

    def fileno(self) -> int:
        """Return a file descriptor that becomes readable when an edge arrives."""

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Run debouncing, holding, blinking and tunes up to now; return the events since the last call."""

    def next_deadline_ms(self) -> int | None:
        """Return when ``advance`` must be called next, or None if only an edge requires it."""

    def show(self, lamp: Lamp) -> None:
        """Set the message of the lamp."""

    def glow(self, glows: Mapping[PanelButton, Glow]) -> None:
        """Set the lamps in the buttons; those not listed are dark."""

    def play(self, tune: Tune) -> None:
        """Play a tune once, replacing any current one."""

    def set_volume(self, percent: int) -> None:
        """Set the volume of tunes, 0 to 100; an active buzzer can only be on or off."""

    def set_brightness(self, percent: int) -> None:
        """Set the brightness of the screen, 0 (dark) to 100; does nothing without an adjustable backlight."""

    def state(self) -> PanelState:
        """Return the current state of outputs, switches and readings."""

    def press(self, button: PanelButton, *, hold_ms: int = 0) -> None:
        """Press a virtual button. Raises VirtualOnly on real pins."""

    def turn_key(self, *, on: bool) -> None:
        """Turn the virtual key switch. Raises VirtualOnly on real pins."""

    def run_on(self, source: PowerSource) -> None:
        """Set the power source of the virtual battery. Raises VirtualOnly on real pins."""

    def close(self) -> None:
        """Switch off the lamp and the buzzer, and release the pins."""


class WiringFault(ValueError):
    """A panel file is wrong. ``where`` is the file, line and key."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")
