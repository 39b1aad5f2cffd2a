"""Lamp and buzzer: what they say in time, and the pins that say it.

A part without pins, or whose pins failed, goes on saying it to whoever asks: the virtual terminal shows it.
"""

import contextlib

from gpiozero.pins import Factory

from saloon.hardware.contract import Lamp, Tune
from saloon.hardware.patterns import RHYTHMS, TUNES, Colour
from saloon.hardware.pins import OutputPin, PinFault, TonePin
from saloon.hardware.wiring import BuzzerWiring, LampWiring, Sound


class StatusLamp:
    """The lamp; dark and without pins until ``wire``."""

    name = "lamp"

    def __init__(self) -> None:
        self.says = Lamp.OFF
        self._since_ms = 0
        self._pins: tuple[OutputPin, ...] = ()

    def wire(self, part: LampWiring, factory: Factory) -> None:
        """Take the pins of the three colours. Raises PinFault and takes none."""
        with contextlib.ExitStack() as taken:
            pins = []
            for number in (part.red, part.green, part.blue):
                pins.append(OutputPin(number, active_high=part.active_high, factory=factory))
                taken.callback(pins[-1].close)
            self._pins = tuple(pins)
            taken.pop_all()

    def show(self, lamp: Lamp, now_ms: int) -> None:
        """Say something from now on; the same again goes on as it was."""
        if lamp is not self.says:
            self.says, self._since_ms = lamp, now_ms

    def colour(self, now_ms: int) -> Colour:
        """What it shows now."""
        return RHYTHMS[self.says].at(now_ms - self._since_ms)

    def advance(self, now_ms: int) -> None:
        """Bring the pins up to now. Raises PinFault."""
        for pin, on in zip(self._pins, self.colour(now_ms), strict=False):
            pin.set(on=bool(on))

    def deadline_ms(self, now_ms: int) -> int | None:
        """When the colour changes next; None without pins that could show it, or for never."""
        change = RHYTHMS[self.says].next_change_ms(now_ms - self._since_ms) if self._pins else None
        return None if change is None else now_ms + change

    def close(self) -> None:
        """Dark, pins free."""
        pins, self._pins = self._pins, ()
        for pin in pins:
            with contextlib.suppress(PinFault):
                pin.close()


class Buzzer:
    """The buzzer; silent and without a pin until ``wire``."""

    name = "buzzer"

    def __init__(self) -> None:
        self._tune: Tune | None = None
        self._since_ms = 0
        self._volume = 100
        self._pin: OutputPin | TonePin | None = None

    def wire(self, part: BuzzerWiring, factory: Factory) -> None:
        """Take its pin. Raises PinFault."""
        make = OutputPin if part.sound is Sound.ACTIVE else TonePin
        self._pin = make(part.pin, active_high=part.active_high, factory=factory)

    def set_volume(self, percent: int) -> None:
        """How loud it plays from the next ``advance`` on, 0 to 100; an active one: whether."""
        self._volume = min(max(percent, 0), 100)

    def play(self, tune: Tune, now_ms: int) -> None:
        """Play a tune once, from now on."""
        self._tune, self._since_ms = tune, now_ms

    def tune(self, now_ms: int) -> Tune | None:
        """What is being played."""
        return self._tune if self.deadline_ms(now_ms) is not None else None

    def hz(self, now_ms: int) -> int:
        """How high it sounds now; 0 for silence."""
        if not self._volume:
            return 0
        left = now_ms - self._since_ms
        for hz, duration in TUNES[self._tune] if self._tune is not None else ():
            if left < duration:
                return hz
            left -= duration
        return 0

    def advance(self, now_ms: int) -> None:
        """Bring the pin up to now. Raises PinFault."""
        hz = self.hz(now_ms)
        match self._pin:
            case OutputPin():
                self._pin.set(on=hz > 0)
            case TonePin():
                self._pin.set(hz=hz, volume=self._volume)
            case None:
                pass

    def deadline_ms(self, now_ms: int) -> int | None:
        """When the sound changes next; None when nothing is played."""
        end = self._since_ms
        for _, duration in TUNES[self._tune] if self._tune is not None else ():
            end += duration
            if now_ms < end:
                return end
        return None

    def close(self) -> None:
        """Silent, pin free."""
        pin, self._pin = self._pin, None
        if pin is not None:
            with contextlib.suppress(PinFault):
                pin.close()
