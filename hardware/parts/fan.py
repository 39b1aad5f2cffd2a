"""The fan: its speed by temperature, and a check that it turns."""

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final, Self

from gpiozero.pins import Factory

from hardware.contract import Fan, Heat, PanelEvent, RepairHint
from hardware.part_wiring import FanWiring
from hardware.parts.contacts import MonitoredPart
from hardware.pins import DimPin, InputPin, OutputPin, PinFault

_FULL: Final = 100
_HALF: Final = 50
_WINDOW_MS: Final = 3_000
"""The milliseconds over which turns are counted, and within which a fan must start."""
_MOST_PULSES: Final = 1_024
_PULSES_A_TURN: Final = 2
_MINUTE_MS: Final = 60_000


def fan_percent(part: FanWiring, celsius: int, *, was: int) -> int:
    """Return the speed (percent) for a temperature and the previous speed.

    The fan starts at on_c and runs until off_c, so that it does not start and stop all the time.
    """
    if celsius <= part.off_c or (not was and celsius < part.on_c):
        return 0
    if not part.speeds:
        return _FULL
    warm = max(0, celsius - part.on_c) / max(1, part.full_c - part.on_c)
    return min(_FULL, round(_HALF + _HALF * warm))


class FanPart(MonitoredPart):
    """A fan, off and without pins until ``wire``. ``clock_ms`` is monotonic."""

    name = "fan"

    def __init__(self, part: FanWiring, clock_ms: Callable[[], int]) -> None:
        self._part = part
        self._clock_ms = clock_ms
        self._percent = 0
        self._since_ms = 0
        self._pulses: deque[int] = deque(maxlen=_MOST_PULSES)
        self._pin: OutputPin | DimPin | None = None
        self._tacho: InputPin | None = None

    def wire(self, factory: Factory) -> Self:
        """Claim all pins, or none and raise PinFault."""
        part = self._part
        make = DimPin if part.speeds else OutputPin
        pin = make(part.pin, active_high=part.active_high, factory=factory)
        if part.tacho is not None:
            try:
                self._tacho = InputPin(part.tacho, to_ground=True, factory=factory, moved=self._on_pulse)
            except PinFault:
                pin.close()
                raise
        self._pin = pin
        return self

    def heat(self, heat: Heat | None, now_ms: int) -> None:
        """Set the speed for the current temperature; if it is unknown (None), run at full speed."""
        wanted = _FULL if heat is None else fan_percent(self._part, heat.celsius, was=self._percent)
        if bool(wanted) != bool(self._percent):
            self._since_ms = now_ms
        self._percent = wanted

    def reading(self, now_ms: int) -> Fan:
        return Fan(self._percent, self._rpm(now_ms) if self._tacho is not None else None)

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the pin; report if the fan stalled or recovered. Raises PinFault."""
        match self._pin:
            case OutputPin():
                self._pin.set(on=self._percent > 0)
            case DimPin():
                self._pin.set(percent=self._percent)
            case None:
                return ()
        waits = not self._percent or now_ms - self._since_ms < _WINDOW_MS
        if self._tacho is None or waits or self._rpm(now_ms):
            return self._recover()
        return self._fail("stalled: told to turn, and does not", RepairHint.FAN) if self.stuck is None else ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when to check whether it turns, or None without a tachometer."""
        if self._tacho is None or self._pin is None or not self._percent:
            return None
        return max(self._since_ms, now_ms) + _WINDOW_MS

    def close(self) -> None:
        """Stop the fan and release its pins."""
        pins, self._pin, self._tacho = (self._pin, self._tacho), None, None
        for pin in pins:
            if pin is not None:
                with contextlib.suppress(PinFault):
                    pin.close()

    def _on_pulse(self, closed: bool) -> None:  # noqa: FBT001 (a callback of the pin)
        if closed:
            self._pulses.append(self._clock_ms())

    def _rpm(self, now_ms: int) -> int:
        pulses = sum(1 for at_ms in tuple(self._pulses) if now_ms - at_ms <= _WINDOW_MS)
        return pulses * _MINUTE_MS // (_PULSES_A_TURN * _WINDOW_MS)
