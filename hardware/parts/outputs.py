"""Lamps, buzzer and the screen's backlight: their patterns over time, and their pins.

A part whose pins are missing or failed still has a state, which the virtual terminal shows.
"""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Generic, Self, TypeVar

import msgspec
import structlog
from gpiozero.pins import Factory

from hardware.contract import Glow, Lamp, PanelButton, PanelEvent, Tune
from hardware.part_wiring import ButtonWiring, BuzzerWiring, LampWiring, Sound
from hardware.pins import DimPin, OutputPin, PinFault, TonePin

_log = structlog.get_logger()
USUAL = Path("/sys/class/backlight")


class NoBacklight(OSError):
    """The backlight is missing, or the program has no permission to change it."""


class Backlight:
    """The backlight of the screen: the one with a given name, or all of them.

    ``wanted`` is in percent, or None until it is first set.
    """

    name = "backlight"

    def __init__(self, folder: Path = USUAL, name: str = "") -> None:
        self._folder = folder
        self._light = name
        self.wanted: int | None = None
        self._applied: int | None = None

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Set the wanted brightness. Raises NoBacklight."""
        del now_ms
        if self.wanted is not None and self.wanted != self._applied:
            self.set(self.wanted)
            self._applied = self.wanted
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return None, since the backlight never changes by itself."""
        del now_ms
        return None

    def close(self) -> None:
        """Leave the backlight as it is, so that the screen stays visible after the program ends."""
        self._applied = None

    def set(self, percent: int) -> None:
        """Set the brightness, from 0 (dark) to 100 percent; rounding never turns the light off.

        Raises NoBacklight if there is none or it must not be changed.
        """
        lights = self._lights()
        if not lights:
            raise NoBacklight(f"no backlight in {self._folder}")
        for light in lights:
            try:
                most = int((light / "max_brightness").read_text(encoding="ascii"))
                wanted = max(most * min(percent, 100) // 100, 1 if percent > 0 else 0)
                (light / "brightness").write_text(str(wanted), encoding="ascii")
                _log.info("backlight", light=light.name, brightness=str(wanted))
            except (OSError, ValueError) as error:
                raise NoBacklight(f"backlight {light.name}: {error}") from error

    def _lights(self) -> list[Path]:
        with contextlib.suppress(OSError):
            return [light for light in sorted(self._folder.iterdir()) if self._light in {"", light.name}]
        return []


Colour = tuple[int, int, int]

_OFF: Colour = (0, 0, 0)
_RED: Colour = (1, 0, 0)
_GREEN: Colour = (0, 1, 0)
_BLUE: Colour = (0, 0, 1)
_YELLOW: Colour = (1, 1, 0)
_WHITE: Colour = (1, 1, 1)


class Rhythm(msgspec.Struct, frozen=True):
    """A repeated sequence of colours with their durations in milliseconds. A single colour is constant."""

    steps: tuple[tuple[Colour, int], ...]

    def at(self, elapsed_ms: int) -> Colour:
        return self._step(elapsed_ms)[0]

    def next_change_ms(self, elapsed_ms: int) -> int | None:
        return None if len(self.steps) == 1 else self._step(elapsed_ms)[1]

    def _step(self, elapsed_ms: int) -> tuple[Colour, int]:
        left = elapsed_ms % sum(duration for _, duration in self.steps)
        for colour, duration in self.steps:
            if left < duration:
                return colour, duration - left
            left -= duration
        return self.steps[-1]


RHYTHMS: dict[Lamp, Rhythm] = {
    Lamp.OFF: Rhythm(((_OFF, 1),)),
    Lamp.WAITING: Rhythm(((_BLUE, 1),)),
    Lamp.PLAYING: Rhythm(((_GREEN, 1),)),
    Lamp.HIGH_NOON: Rhythm(((_YELLOW, 700), (_OFF, 300))),
    Lamp.ASKED: Rhythm(((_GREEN, 700), (_OFF, 300))),
    Lamp.TIME_SHORT: Rhythm(((_GREEN, 1200), (_YELLOW, 400))),
    Lamp.TIME_OVER: Rhythm(((_WHITE, 800), (_BLUE, 800))),
    Lamp.JUDGE_CALLED: Rhythm(((_RED, 250), (_OFF, 250))),
    Lamp.ENDED: Rhythm(((_WHITE, 1),)),
    Lamp.TROUBLE: Rhythm(((_RED, 100), (_OFF, 1900))),
    Lamp.IDENTIFY: Rhythm(((_WHITE, 200), (_OFF, 200))),
}

_GLOWS: dict[Glow, Rhythm] = {
    Glow.DARK: Rhythm(((_OFF, 1),)),
    Glow.LIT: Rhythm(((_WHITE, 1),)),
    Glow.BLINKING: Rhythm(((_WHITE, 500), (_OFF, 500))),
}

Note = tuple[int, int]
"""A frequency in Hz, or 0 for a rest, and a duration in milliseconds."""

_LOW, _MIDDLE, _HIGH, _TOP = 880, 1175, 1480, 1760

TUNES: dict[Tune, tuple[Note, ...]] = {
    Tune.CLICK: ((_TOP, 30),),
    # Three long strokes of a bell, then two short ones.
    Tune.HIGH_NOON: (
        (_LOW, 400), (0, 200), (_LOW, 400), (0, 200), (_LOW, 400), (0, 400),
        (_HIGH, 120), (0, 120), (_HIGH, 120),
    ),
    Tune.ATTENTION: ((_HIGH, 80), (0, 80), (_TOP, 80)),
    Tune.GAME_OVER: ((_HIGH, 150), (0, 100), (_MIDDLE, 200), (_LOW, 400)),
    # One stroke and its echo. The end of the round has three equal strokes.
    Tune.TIME_SHORT: ((_MIDDLE, 250), (0, 150), (_MIDDLE, 60)),
    Tune.TIME_OVER: ((_TOP, 350), (0, 250), (_TOP, 350), (0, 250), (_TOP, 350)),
    Tune.TURN_LONG: ((_MIDDLE, 40), (0, 60), (_MIDDLE, 40)),
    Tune.LIFE_CHANGED: ((_HIGH, 15),),
    Tune.TURN_PASSED: ((_MIDDLE, 20), (0, 60), (_HIGH, 20)),
    # The cards of a deck that is riffled.
    Tune.RESHUFFLED: ((_LOW, 15), (0, 25), (_LOW, 15), (0, 25), (_LOW, 15), (0, 25), (_MIDDLE, 40)),
    Tune.ELIMINATED: ((_MIDDLE, 120), (0, 60), (_LOW, 300)),
}  # fmt: skip
"""All tunes, each recognisable by its rhythm alone, because an active buzzer has only one tone."""


_FULL = 100
_Message = TypeVar("_Message")


class _RhythmicLamp(Generic[_Message]):
    """A lamp that shows each message by a rhythm, and has no pins until its class's ``wire`` is called."""

    def __init__(self, rhythms: Mapping[_Message, Rhythm], says: _Message) -> None:
        self.says = says
        self._rhythms = rhythms
        self._since_ms = 0
        self._brightness = 100
        self._pins: tuple[OutputPin | DimPin, ...] = ()

    def show(self, message: _Message, now_ms: int) -> None:
        """Show a message from now on; repeating the same message continues its rhythm."""
        if message is not self.says:
            self.says, self._since_ms = message, now_ms

    def colour(self, now_ms: int) -> Colour:
        return self._rhythms[self.says].at(now_ms - self._since_ms)

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the pins. Raises PinFault."""
        for pin, on in zip(self._pins, self.colour(now_ms), strict=False):
            if isinstance(pin, DimPin):
                pin.set(percent=self._brightness if on else 0)
            else:
                pin.set(on=bool(on))
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when the colour changes next, or None if it is constant or has no working pins."""
        change = self._rhythms[self.says].next_change_ms(now_ms - self._since_ms) if self._pins else None
        return None if change is None else now_ms + change

    def close(self) -> None:
        pins, self._pins = self._pins, ()
        _close(*pins)


class StatusLamp(_RhythmicLamp[Lamp]):
    """The status lamp, which is dark at first."""

    name = "lamp"

    def __init__(self) -> None:
        super().__init__(RHYTHMS, Lamp.OFF)

    def wire(self, part: LampWiring, factory: Factory) -> Self:
        """Claim the pins of all three colours, or none and raise PinFault."""
        make = OutputPin if part.brightness == _FULL else DimPin
        with contextlib.ExitStack() as taken:
            pins = []
            for number in (part.red, part.green, part.blue):
                pins.append(make(number, active_high=part.active_high, factory=factory))
                taken.callback(pins[-1].close)
            self._pins, self._brightness = tuple(pins), part.brightness
            taken.pop_all()
        return self


class ButtonLamp(_RhythmicLamp[Glow]):
    """The lamp in a button, which is dark at first."""

    def __init__(self, button: PanelButton) -> None:
        super().__init__(_GLOWS, Glow.DARK)
        self.button = button
        self.name = f"lamp in {button.value}"

    def wire(self, part: ButtonWiring, factory: Factory) -> Self:
        """Claim the pin. Raises PinFault."""
        assert part.lamp is not None
        self._pins = (OutputPin(part.lamp, active_high=part.lamp_active_high, factory=factory),)
        return self

    def is_lit(self, now_ms: int) -> bool:
        return any(self.colour(now_ms))


class Buzzer:
    """The buzzer, silent and without a pin until ``wire``."""

    name = "buzzer"

    def __init__(self) -> None:
        self._tune: Tune | None = None
        self._since_ms = 0
        self._volume = 100
        self._pin: OutputPin | TonePin | None = None

    def wire(self, part: BuzzerWiring, factory: Factory) -> Self:
        """Claim the pin. Raises PinFault."""
        make = OutputPin if part.sound is Sound.ACTIVE else TonePin
        self._pin = make(part.pin, active_high=part.active_high, factory=factory)
        return self

    def set_volume(self, percent: int) -> None:
        """Set the volume from the next ``advance`` on, 0 to 100; an active buzzer is only on or off."""
        self._volume = min(max(percent, 0), 100)

    def play(self, tune: Tune, now_ms: int) -> None:
        self._tune, self._since_ms = tune, now_ms

    def tune(self, now_ms: int) -> Tune | None:
        return self._tune if self.deadline_ms(now_ms) is not None else None

    def hz(self, now_ms: int) -> int:
        """Return the current frequency (Hz), or 0 for silence."""
        if not self._volume:
            return 0
        left = now_ms - self._since_ms
        for hz, duration in TUNES[self._tune] if self._tune is not None else ():
            if left < duration:
                return hz
            left -= duration
        return 0

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the pin. Raises PinFault."""
        hz = self.hz(now_ms)
        match self._pin:
            case OutputPin():
                self._pin.set(on=hz > 0)
            case TonePin():
                self._pin.set(hz=hz, volume=self._volume)
            case None:
                pass
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when the sound changes next, or None if nothing is played."""
        end = self._since_ms
        for _, duration in TUNES[self._tune] if self._tune is not None else ():
            end += duration
            if now_ms < end:
                return end
        return None

    def close(self) -> None:
        pin, self._pin = self._pin, None
        _close(pin)


def _close(*pins: OutputPin | DimPin | TonePin | None) -> None:
    for pin in pins:
        if pin is not None:
            with contextlib.suppress(PinFault):
                pin.close()
