"""Draining batteries: the panel reports mains lost, then battery low; then the terminal goes dark."""

from collections.abc import Callable
from typing import Final

from saloon.base.errors import Unavailable
from saloon.demo.rehearsal.units import Unit, UnitsAtWork
from saloon.hardware.contract import PowerSource
from saloon.kiosk.rehearsal.terminal_client import TerminalClient

LASTS_S: Final = 60.0
"""The time from one step to the next, at people's own speed."""
_SHORTEST_S: Final = 1.5


class BatteryDrain:
    """The draining batteries of a hall. speed: of the people, called at each look."""

    def __init__(self, units: UnitsAtWork, now_s: Callable[[], float], speed: Callable[[], float]) -> None:
        self._units = units
        self._now_s = now_s
        self._speed = speed
        self._since_s: dict[str, float] = {}
        self._is_low: set[str] = set()

    def begin(self, unit: Unit) -> None:
        """Cut the mains of a terminal; without a battery that reports it, cut its power."""
        if _run_on(unit, PowerSource.BATTERY):
            self._since_s[unit.name] = self._now_s()
        else:
            self._units.cut_power(unit)

    def end(self, unit: Unit) -> None:
        """Restore the mains of a terminal; one that went dark starts again."""
        self._is_low.discard(unit.name)
        if self._since_s.pop(unit.name, None) is not None:
            _run_on(unit, PowerSource.MAINS)
        self._units.switch_on(unit)

    def look(self) -> None:
        """Advance batteries that are due: one becomes low, or empty."""
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
        return TerminalClient(unit.door).run_on(supply)
    except Unavailable:
        return False
