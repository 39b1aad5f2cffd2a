"""Raw edges in, raw levels out: the only module that knows gpiozero.

Debouncing, holding, blinking and tunes are ours (``debounce``, ``patterns``): gpiozero's run on
threads and real time.
"""

from collections.abc import Callable
from enum import Enum

import gpiozero
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from saloon.hardware.contract import PartFailed


class PinDriver(Enum):
    """Who moves the pins. Named by the user, never chosen silently."""

    MOCK = "mock"
    RPIGPIO = "rpigpio"
    LGPIO = "lgpio"


class PinsUnavailable(OSError):
    """The pin driver that was asked for does not work on this machine."""


def pin_factory(driver: PinDriver) -> Factory:
    """Gpiozero's factory of a driver. Raises PinsUnavailable with the reason and the mend."""
    try:
        match driver:
            case PinDriver.MOCK:
                return MockFactory()
            case PinDriver.RPIGPIO:
                from gpiozero.pins.rpigpio import RPiGPIOFactory

                return RPiGPIOFactory()
            case PinDriver.LGPIO:
                from gpiozero.pins.lgpio import LGPIOFactory

                return LGPIOFactory()
    except Exception as error:
        # The drivers raise what they like when their library or chip is missing.
        why = str(error) or type(error).__name__
        raise PinsUnavailable(f"pins by {driver.value}: {why}; install it, or name another") from error


class InputPin:
    """A part that is open or closed."""

    def __init__(self, pin: int, *, to_ground: bool, factory: Factory, changed: Callable[[], None]) -> None:
        self._device = gpiozero.DigitalInputDevice(pin, pull_up=to_ground, pin_factory=factory)
        self._device.when_activated = changed
        self._device.when_deactivated = changed

    def is_closed(self) -> bool:
        """Whether the part is closed at this moment."""
        return bool(self._device.value)

    def close(self) -> None:
        """Free the pin."""
        self._device.close()


class OutputPin:
    """A part that is on or off."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory) -> None:
        self._device = gpiozero.DigitalOutputDevice(pin, active_high=active_high, pin_factory=factory)
        self._on = False

    def set(self, *, on: bool) -> None:
        """Switch it, if it is not so already."""
        if on != self._on:
            self._device.value = on
            self._on = on

    def close(self) -> None:
        """Switch it off and free the pin."""
        self._device.off()
        self._device.close()


def failed(part: str, error: Exception) -> PartFailed:
    """A part that cannot be used, in words."""
    return PartFailed(part, str(error) or type(error).__name__)
