"""Raw edges in, raw levels out: the only module that uses gpiozero.

Debouncing, holding, blinking and tunes are ours (``contacts``, ``outputs``), since gpiozero's use
threads and real time. Any error of a pin library is raised as ``PinFault``.
"""

import contextlib
import math
import traceback
from collections.abc import Callable, Iterator
from enum import Enum

import gpiozero
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.contract import RepairHint

_ANY_TONE_HZ = 440
_DIM_HZ = 200


class PinDriver(Enum):
    """The library that accesses the pins. Named by the user, never chosen silently.

    RPIGPIO is the module ``RPi.GPIO``, either from the library of that name or from rpi-lgpio.
    """

    MOCK = "mock"
    RPIGPIO = "rpigpio"
    LGPIO = "lgpio"


class PinsUnavailable(OSError):
    """The requested pin driver does not work on this machine."""


class PinFault(OSError):
    """A pin could not be claimed, read or set. ``mend`` is the remedy to show."""

    def __init__(self, problem: str, mend: RepairHint = RepairHint.WIRE) -> None:
        super().__init__(problem)
        self.mend = mend


def pin_factory(driver: PinDriver) -> Factory:
    """Return gpiozero's factory for a driver. Raises PinsUnavailable with the reason and the remedy."""
    try:
        match driver:
            case PinDriver.MOCK:
                return MockFactory(pin_class=MockPWMPin)
            case PinDriver.RPIGPIO:
                from gpiozero.pins.rpigpio import RPiGPIOFactory

                return RPiGPIOFactory()
            case PinDriver.LGPIO:
                from gpiozero.pins.lgpio import LGPIOFactory

                return LGPIOFactory()
    except Exception as error:
        # The drivers raise any kind of error when their library or chip is missing.
        why = str(error) or type(error).__name__
        raise PinsUnavailable(f"pins by {driver.value}: {why}; install it, or name another") from error


def close_factory(factory: Factory) -> None:
    """Release the chip; ignore drivers that can't."""
    with contextlib.suppress(PinFault), _as_fault():
        factory.close()


class InputPin:
    """A part that is open or closed. Raises PinFault.

    ``moved`` is called, on any thread, with True if the part closed, False if it opened.
    """

    def __init__(self, pin: int, *, to_ground: bool, factory: Factory, moved: Callable[[bool], None]) -> None:
        with _as_fault():
            self._device = gpiozero.DigitalInputDevice(pin, pull_up=to_ground, pin_factory=factory)
            try:
                # Use the level that comes with the edge; if read later, a bouncing contact may have changed.
                self._device.when_activated = lambda: moved(True)
                self._device.when_deactivated = lambda: moved(False)
            except BaseException:
                self._device.close()
                raise

    def is_closed(self) -> bool:
        with _as_fault():
            return bool(self._device.value)

    def close(self) -> None:
        with _as_fault():
            self._device.close()


class _DrivenPin:
    """A pin that drives a part."""

    _device: gpiozero.OutputDevice

    def close(self) -> None:
        """Switch the part off and free the pin."""
        with _as_fault():
            self._device.off()
            self._device.close()


class OutputPin(_DrivenPin):
    """A part that is on or off. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.DigitalOutputDevice(pin, active_high=active_high, pin_factory=factory)
        self._on = False

    def set(self, *, on: bool) -> None:
        """Switch it on or off, if it isn't already."""
        if on != self._on:
            with _as_fault():
                self._device.value = on
            self._on = on


class DimPin(_DrivenPin):
    """A part that is dimmed, or slowed down, by fast switching. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_DIM_HZ, pin_factory=factory
            )
        self._percent = 0

    def set(self, *, percent: int) -> None:
        """Set the percentage of time that it is on, if it has changed."""
        if percent != self._percent:
            with _as_fault():
                self._device.value = percent / 100
            self._percent = percent


class TonePin(_DrivenPin):
    """A part whose tone is the switching frequency of its pin. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_ANY_TONE_HZ, pin_factory=factory
            )
        self._set = (0, 0)

    def set(self, *, hz: int, volume: int = 100) -> None:
        """Sound at a frequency in Hz, 0 for silence, and a volume in percent, if either has changed."""
        if (hz, volume) != self._set:
            with _as_fault():
                if hz:
                    self._device.frequency = hz
                self._device.value = _share_on(volume) if hz else 0
            self._set = (hz, volume)


def _share_on(volume: int) -> float:
    """Return the duty cycle of a small loudspeaker for a volume in percent.

    It is loudest at one half. A tone's strength is proportional to the sine of the duty cycle; a quarter of
    the strength is heard as about half as loud.
    """
    return math.asin((volume / 100) ** 2) / math.pi


@contextlib.contextmanager
def _as_fault() -> Iterator[None]:
    """Translate all errors of the drivers: RuntimeError from RPi.GPIO, lgpio's and gpiozero's classes."""
    try:
        yield
    except Exception as error:
        problem = str(error) or type(error).__name__
        # The error's frames keep gpiozero's half-made device alive, and with it the pin's reservation.
        traceback.clear_frames(error.__traceback__)
        raise PinFault(problem, _mend(error, problem)) from error


def _mend(error: Exception, problem: str) -> RepairHint:
    """Return the remedy for an error. RPi.GPIO reports a busy pin only as a failure to detect edges."""
    of_another = isinstance(error, gpiozero.GPIOPinInUse | gpiozero.PinInvalidPin)
    is_busy = "busy" in problem.lower() or "edge detection" in problem.lower()
    return RepairHint.FREE if of_another or is_busy else RepairHint.WIRE
