"""A battery that runs empty: the panel tells that the mains are gone, then that it is low; then it ends."""

from collections.abc import Callable
from typing import Final

from saloon.core.errors import Unavailable
from saloon.demo.rehearsal.units import Unit, UnitsAtWork
from saloon.hardware.contract import PowerSource
from saloon.kiosk.rehearsal.door import Door

LASTS_S: Final = 60.0
"""From one step to the next, at people's own speed."""
_SHORTEST_S: Final = 1.5


class Draining:
    """The batteries of a hall that run empty now. speed: of the people, asked at each look."""

    def __init__(self, units: UnitsAtWork, now_s: Callable[[], float], speed: Callable[[], float]) -> None:
        self._units = units
        self._now_s = now_s
        self._speed = speed
        self._since_s: dict[str, float] = {}
        self._is_low: set[str] = set()

    def begin(self, unit: Unit) -> None:
        """Take the mains away from a terminal; without a battery that can tell, its power."""
        if _run_on(unit, PowerSource.BATTERY):
            self._since_s[unit.name] = self._now_s()
        else:
            self._units.cut_power(unit)

    def end(self, unit: Unit) -> None:
        """Give a terminal the mains; one that went dark starts again."""
        self._is_low.discard(unit.name)
        if self._since_s.pop(unit.name, None) is not None:
            _run_on(unit, PowerSource.MAINS)
        self._units.switch_on(unit)

    def look(self) -> None:
        """What is due: a battery is low, or empty."""
        step_s = max(_SHORTEST_S, LASTS_S / self._speed())
        for unit in self._units:
            since_s = self._since_s.get(unit.name)
            if since_s is None:
                continue
            if self._now_s() - since_s >= 2 * step_s:
                self._since_s.pop(unit.name)
                self._is_low.discard(unit.name)
                self._units.cut_power(unit)
            elif self._now_s() - since_s >= step_s and unit.name not in self._is_low:
                self._is_low.add(unit.name)
                _run_on(unit, PowerSource.LOW)


def _run_on(unit: Unit, supply: PowerSource) -> bool:
    try:
        return Door(unit.door).run_on(supply)
    except Unavailable:
        return False
