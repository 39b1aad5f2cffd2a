"""The seam between a terminal's app and its panel of real parts."""

import enum
from collections.abc import Mapping
from typing import Protocol

import msgspec

from saloon.hardware.readings import Readings


class Button(enum.Enum):
    """A button of the panel, by what it is for."""

    RESHUFFLE = "reshuffle"
    END_TURN = "end-turn"
    CALL_JUDGE = "call-judge"
    SHUT_DOWN = "shut-down"
    """Optional: asks, on the screen, whether the terminal shall be shut down."""


class PressKind(enum.Enum):
    """What a finger did to a button."""

    PRESSED = "pressed"
    HELD = "held"
    """Pressed for the hold time of the panel file; follows PRESSED."""


class ButtonPressed(msgspec.Struct, frozen=True):
    """A debounced press. at_ms: monotonic clock of the first edge."""

    button: Button
    kind: PressKind
    at_ms: int


class KeyTurned(msgspec.Struct, frozen=True):
    """The judge's key switch came to rest. on: the judge is present."""

    on: bool
    at_ms: int


class Mend(enum.Enum):
    """What people can do about a part that failed."""

    WIRE = "wire"
    """Look at its wires and its pin in the panel file."""
    FREE = "free"
    """Another program has its pin, or the pin is not of this board."""
    RELEASE = "release"
    """It is pressed all the time: free what presses it, or unplug it."""
    RIGHTS = "rights"
    """The program may not use it, or the system does not know it."""
    CLEAN = "clean"
    """It turns or bounces on and off: a loose contact."""
    FAN = "fan"
    """Dust, a cable in its blades, or its end."""
    INSTALL = "install"
    """What drives the pins is missing: another driver, or install it."""


class PartFailed(msgspec.Struct, frozen=True):
    """A part is missing, busy or stuck; everything else goes on, and it is tried again later."""

    part: str
    problem: str
    mend: Mend = Mend.WIRE


class PartMended(msgspec.Struct, frozen=True):
    """A part that failed works again."""

    part: str


class ReadingsTold(msgspec.Struct, frozen=True):
    """Something about power or heat changed. readings: all that is known now."""

    readings: Readings


PanelEvent = ButtonPressed | KeyTurned | PartFailed | PartMended | ReadingsTold


class Glow(enum.Enum):
    """What the lamp in a button says."""

    DARK = "dark"
    LIT = "lit"
    """The button does something now."""
    BLINKING = "blinking"
    """It is expected to be pressed."""


class Lamp(enum.Enum):
    """What the status lamp says; colours and rhythms are in ``patterns``."""

    OFF = "off"
    WAITING = "waiting"
    PLAYING = "playing"
    HIGH_NOON = "high-noon"
    TIME_SHORT = "time-short"
    """The round is nearly over; shown for a while after each warning."""
    TIME_OVER = "time-over"
    JUDGE_CALLED = "judge-called"
    ENDED = "ended"
    TROUBLE = "trouble"


class Tune(enum.Enum):
    """What the buzzer plays."""

    CLICK = "click"
    HIGH_NOON = "high-noon"
    ATTENTION = "attention"
    GAME_OVER = "game-over"
    TIME_SHORT = "time-short"
    TIME_OVER = "time-over"
    TURN_LONG = "turn-long"


class PanelState(msgspec.Struct, frozen=True):
    """What the panel's outputs do now, for the virtual terminal and for tests.

    lamp: red, green, blue as 0 or 1 at this moment. sounding: the buzzer is on at this moment.
    """

    lamp_says: Lamp
    lamp: tuple[int, int, int]
    sounding: bool
    tune: Tune | None
    key_on: bool
    failed_parts: tuple[PartFailed, ...]
    lit: tuple[Button, ...] = ()
    """Buttons whose lamps are lit at this moment, whether or not a lamp is wired."""
    parts: tuple[str, ...] = ()
    """The names of all parts that this panel should have."""
    readings: Readings = Readings()


class PowerSource(enum.Enum):
    """Where the power comes from, as a virtual battery is told."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """The battery, and not for long."""


class Panel(Protocol):
    """Buttons, key switch, lamp and buzzer of one terminal, driven by the owner's clock.

    Edges may arrive on any thread; they wait inside until the owner calls ``advance``.
    """

    def fileno(self) -> int:
        """A file that becomes readable when an edge arrived."""

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Debounce, hold, blink and play up to now; what happened since the last call."""

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next, None for only after an edge."""

    def show(self, lamp: Lamp) -> None:
        """Let the lamp say something until told otherwise."""

    def glow(self, glows: Mapping[Button, Glow]) -> None:
        """What the lamps in the buttons say from now on; those not named are dark."""

    def play(self, tune: Tune) -> None:
        """Play a tune once, instead of the one that may be playing."""

    def set_volume(self, percent: int) -> None:
        """How loud tunes are from now on, 0 to 100; an active buzzer only knows silence and sound."""

    def set_brightness(self, percent: int) -> None:
        """How bright the screen is from now on, 0 (dark) to 100; nothing where no light can be set."""

    def state(self) -> PanelState:
        """What the outputs do now."""

    def press(self, button: Button, *, hold_ms: int = 0) -> None:
        """Press a virtual button through the mock pins; ``Unavailable`` on real ones."""

    def turn_key(self, *, on: bool) -> None:
        """Turn the virtual key switch; ``Unavailable`` on real pins."""

    def run_on(self, source: PowerSource) -> None:
        """Let the virtual battery tell of this through its mock pins; ``Unavailable`` on real ones."""

    def close(self) -> None:
        """Lamp and buzzer off, pins free."""
