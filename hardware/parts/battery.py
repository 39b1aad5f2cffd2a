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
        self._part, self._wake = part, wake
        self._pins: dict[str, InputPin] = {}
        self._levels = {"power_lost": KeyState(), "low": KeyState()}
        self.reading: Battery | None = None

    def wire(self, factory: Factory) -> None:
        """Claim its pins. Raises PinFault and claims none."""
        part, to_ground = self._part, not self._part.active_high
        try:
            for name, number in (("power_lost", part.power_lost), ("low", part.low)):
                if number is not None:
                    self._pins[name] = InputPin(
                        number, to_ground=to_ground, factory=factory, moved=lambda _: self._wake()
                    )
        except PinFault:
            self.close()
            raise

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Follow the levels; ``reading`` has their meaning. Raises PinFault."""
        for name, pin in self._pins.items():
            self._levels[name] = self._levels[name].after(level=pin.is_closed(), now_ms=now_ms)
        on_mains = not self._levels["power_lost"].on if "power_lost" in self._pins else None
        self.reading = Battery(None, on_mains, self._levels["low"].on)
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which a level counts as stable."""
        del now_ms
        due = (level.deadline_ms() for level in self._levels.values())
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def close(self) -> None:
        """Free its pins."""
        self.reading = None
        while self._pins:
            with contextlib.suppress(PinFault):
                self._pins.popitem()[1].close()
