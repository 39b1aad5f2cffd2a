"""The board's pins, as inputs and outputs without any timing.

Debouncing, hold times, blinking and tunes are in ``hardware.parts``, because gpiozero's versions need threads
and real time. Every error of a pin library is raised as ``PinFault``.
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
    """The library that accesses the pins, as chosen by the user.

    RPIGPIO is the module ``RPi.GPIO``, either from the library of that name or from rpi-lgpio.
    """

    MOCK = "mock"
    RPIGPIO = "rpigpio"
    LGPIO = "lgpio"


class PinsUnavailable(OSError):
    """The requested pin driver does not work on this machine."""


class PinFault(OSError):
    """A pin could not be claimed, read or set. ``remedy`` is the remedy to show."""

    def __init__(self, problem: str, remedy: RepairHint = RepairHint.WIRE) -> None:
        super().__init__(problem)
        self.remedy = remedy


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
    """Release the chip, ignoring any error of the driver."""
    with contextlib.suppress(PinFault), _as_fault():
        factory.close()


class InputPin:
    """A pin that reads a contact. Raises PinFault.

    ``moved`` is called, on any thread, with True when the contact closes and False when it opens.
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
    _device: gpiozero.OutputDevice

    def close(self) -> None:
        with _as_fault():
            self._device.off()
            self._device.close()


class OutputPin(_DrivenPin):
    """A pin that switches a part on and off. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.DigitalOutputDevice(pin, active_high=active_high, pin_factory=factory)
        self._on = False

    def set(self, *, on: bool) -> None:
        """Switch the part, unless it is in this state already."""
        if on != self._on:
            with _as_fault():
                self._device.value = on
            self._on = on


class DimPin(_DrivenPin):
    """A pin that dims or slows a part by pulse-width modulation. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_DIM_HZ, pin_factory=factory
            )
        self._percent = 0

    def set(self, *, percent: int) -> None:
        """Set the percentage of time that the part is on, if it has changed."""
        if percent != self._percent:
            with _as_fault():
                self._device.value = percent / 100
            self._percent = percent


class TonePin(_DrivenPin):
    """A pin that sounds a small loudspeaker at its switching frequency. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_ANY_TONE_HZ, pin_factory=factory
            )
        self._set = (0, 0)

    def set(self, *, hz: int, volume: int = 100) -> None:
        """Sound a tone in Hz, or 0 for silence, at a volume in percent, if either has changed."""
        if (hz, volume) != self._set:
            with _as_fault():
                if hz:
                    self._device.frequency = hz
                self._device.value = _share_on(volume) if hz else 0
            self._set = (hz, volume)


def _share_on(volume: int) -> float:
    """Return the duty cycle that sounds a small loudspeaker at a volume in percent.

    It is loudest at a duty cycle of one half. The amplitude is proportional to the sine of the duty cycle,
    and a quarter of the amplitude sounds about half as loud.
    """
    return math.asin((volume / 100) ** 2) / math.pi


@contextlib.contextmanager
def _as_fault() -> Iterator[None]:
    """Raise every error of the drivers as PinFault.

    Those are RuntimeError from RPi.GPIO, and lgpio's and gpiozero's own classes.
    """
    try:
        yield
    except Exception as error:
        problem = str(error) or type(error).__name__
        # The error's frames keep gpiozero's half-made device alive, and with it the pin's reservation.
        traceback.clear_frames(error.__traceback__)
        raise PinFault(problem, _remedy(error, problem)) from error


def _remedy(error: Exception, problem: str) -> RepairHint:
    """Return the remedy for an error. RPi.GPIO reports a busy pin only as failed edge detection."""
    of_another = isinstance(error, gpiozero.GPIOPinInUse | gpiozero.PinInvalidPin)
    is_busy = "busy" in problem.lower() or "edge detection" in problem.lower()
    return RepairHint.FREE if of_another or is_busy else RepairHint.WIRE
