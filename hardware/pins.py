"""Raw edges in, raw levels out: the only module that knows gpiozero.

Debouncing, holding, blinking and tunes are ours (``debounce``, ``outputs``): gpiozero's run on
threads and real time. Whatever a pin library raises leaves here as ``PinFault``.
"""

import contextlib
import math
import traceback
from collections.abc import Callable, Iterator
from enum import Enum

import gpiozero
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from saloon.hardware.contract import RepairHint

_ANY_TONE_HZ = 440
_DIM_HZ = 200


class PinDriver(Enum):
    """The library that switches the pins. Named by the user, never chosen silently.

    RPIGPIO is the module ``RPi.GPIO``, of the library of this name or of rpi-lgpio.
    """

    MOCK = "mock"
    RPIGPIO = "rpigpio"
    LGPIO = "lgpio"


class PinsUnavailable(OSError):
    """The requested pin driver does not work on this machine."""


class PinFault(OSError):
    """A pin could not be claimed, read or set. mend: the remedy."""

    def __init__(self, problem: str, mend: RepairHint = RepairHint.WIRE) -> None:
        super().__init__(problem)
        self.mend = mend


def pin_factory(driver: PinDriver) -> Factory:
    """Return gpiozero's factory of a driver. Raises PinsUnavailable with the reason and the remedy."""
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
    """Release the chip; ignore a driver that cannot."""
    with contextlib.suppress(PinFault), _as_fault():
        factory.close()


class InputPin:
    """A part that is open or closed. Raises PinFault.

    moved: called, on any thread, with whether the part closed or opened.
    """

    def __init__(self, pin: int, *, to_ground: bool, factory: Factory, moved: Callable[[bool], None]) -> None:
        with _as_fault():
            self._device = gpiozero.DigitalInputDevice(pin, pull_up=to_ground, pin_factory=factory)
            try:
                # The level comes with the edge: read later, a bouncing contact may be open again.
                self._device.when_activated = lambda: moved(True)
                self._device.when_deactivated = lambda: moved(False)
            except BaseException:
                self._device.close()
                raise

    def is_closed(self) -> bool:
        """Return whether the part is closed at this moment."""
        with _as_fault():
            return bool(self._device.value)

    def close(self) -> None:
        """Free the pin."""
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
        """Switch it, unless it is in that state already."""
        if on != self._on:
            with _as_fault():
                self._device.value = on
            self._on = on


class DimPin(_DrivenPin):
    """A part that is on for a share of the time, by fast switching: dimmed, or slower. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_DIM_HZ, pin_factory=factory
            )
        self._percent = 0

    def set(self, *, percent: int) -> None:
        """Switch it on for a percentage of the time, unless it is already."""
        if percent != self._percent:
            with _as_fault():
                self._device.value = percent / 100
            self._percent = percent


class TonePin(_DrivenPin):
    """A part whose tone follows the switching of its pin. Raises PinFault."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        with _as_fault():
            self._device = gpiozero.PWMOutputDevice(
                pin, active_high=active_high, frequency=_ANY_TONE_HZ, pin_factory=factory
            )
        self._set = (0, 0)

    def set(self, *, hz: int, volume: int = 100) -> None:
        """Sound at a frequency in Hz, 0 for silence, and a volume in percent, unless it does already."""
        if (hz, volume) != self._set:
            with _as_fault():
                if hz:
                    self._device.frequency = hz
                self._device.value = share_on(volume) if hz else 0
            self._set = (hz, volume)


def share_on(volume: int) -> float:
    """Return the share of each wave to switch a small loudspeaker on for a volume in percent.

    It is loudest at a half. A tone's strength goes with the sine of the share; ears hear a quarter of the
    strength as about half as loud.
    """
    return math.asin((volume / 100) ** 2) / math.pi


@contextlib.contextmanager
def _as_fault() -> Iterator[None]:
    """Catch all errors of the drivers: RuntimeError of RPi.GPIO, the class of lgpio, the tree of gpiozero."""
    try:
        yield
    except Exception as error:
        problem = str(error) or type(error).__name__
        # The frames of the error hold gpiozero's half-made device, and with it the reservation of its pin.
        traceback.clear_frames(error.__traceback__)
        raise PinFault(problem, _mend(error, problem)) from error


def _mend(error: Exception, problem: str) -> RepairHint:
    """Recognise a busy pin, of which RPi.GPIO only reports that it cannot watch its edges."""
    of_another = isinstance(error, gpiozero.GPIOPinInUse | gpiozero.PinInvalidPin)
    is_busy = "busy" in problem.lower() or "edge detection" in problem.lower()
    return RepairHint.FREE if of_another or is_busy else RepairHint.WIRE
