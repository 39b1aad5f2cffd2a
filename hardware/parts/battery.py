"""A battery HAT that reports by pins: mains lost, battery low."""

import contextlib
from collections.abc import Callable

from gpiozero.pins import Factory

from saloon.hardware.contract import PanelEvent
from saloon.hardware.part_wiring import BatteryWiring
from saloon.hardware.parts.debounce import KeyState
from saloon.hardware.parts.readings import Battery
from saloon.hardware.pins import InputPin, PinFault


class BatteryPins:
    """The pins of a battery, none until ``wire``. A level counts once it is stable, like a key's."""

    name = "battery"

    def __init__(self, part: BatteryWiring, wake: Callable[[], None]) -> None:
        self._part = part
        self._wake = wake
        self._lost, self._low = KeyState(), KeyState()
        self._lost_pin: InputPin | None = None
        self._low_pin: InputPin | None = None
        self.reading: Battery | None = None

    def wire(self, factory: Factory) -> None:
        """Claim its pins. Raises PinFault and claims none."""
        self._lost_pin = self._input(self._part.power_lost, factory)
        try:
            self._low_pin = self._input(self._part.low, factory)
        except PinFault:
            self.close()
            raise

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Follow the levels; ``reading`` has their meaning. Raises PinFault."""
        self._lost = _followed(self._lost, self._lost_pin, now_ms)
        self._low = _followed(self._low, self._low_pin, now_ms)
        on_mains = None if self._lost_pin is None else not self._lost.on
        self.reading = Battery(None, on_mains, self._low.on)
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which a level counts as stable."""
        del now_ms
        due = (self._lost.deadline_ms(), self._low.deadline_ms())
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def close(self) -> None:
        """Free its pins."""
        pins, self._lost_pin, self._low_pin = (self._lost_pin, self._low_pin), None, None
        self.reading = None
        for pin in pins:
            if pin is not None:
                with contextlib.suppress(PinFault):
                    pin.close()

    def _input(self, number: int | None, factory: Factory) -> InputPin | None:
        if number is None:
            return None
        to_ground = not self._part.active_high
        return InputPin(number, to_ground=to_ground, factory=factory, moved=lambda _: self._wake())


def _followed(state: KeyState, pin: InputPin | None, now_ms: int) -> KeyState:
    return state if pin is None else state.after(level=pin.is_closed(), now_ms=now_ms)
