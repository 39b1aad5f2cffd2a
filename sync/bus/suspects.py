"""Suspects for the judge to look at while a pair of wires stays noisy; pure."""

from collections.abc import Callable

from saloon.sync.bus.events import Cleared, Drowned
from saloon.sync.bus.frame import MOST_TERMINALS


class Suspects:
    """Units that fell silent when the noise began. is_here: returns whether a unit is heard again."""

    def __init__(self, is_here: Callable[[bytes], bool]) -> None:
        self._is_here = is_here
        self._lost: list[bytes] = []
        self._told: tuple[bytes, ...] | None = None

    def lost(self, unit: bytes) -> None:
        """Suspect a unit that stopped answering while the pair was noisy, until it is heard again."""
        self._lost.append(unit)

    def noisy(self, silent: tuple[bytes, ...]) -> Drowned | None:
        """Return the suspects of a pair that stays noisy; None if they have not changed.

        silent: units that do not answer now.
        """
        units = dict.fromkeys((*silent, *self._lost))
        self._lost = [unit for unit in units if unit in silent or not self._is_here(unit)]
        suspects = tuple(self._lost[:MOST_TERMINALS])
        if suspects == self._told:
            return None
        self._told = suspects
        return Drowned(suspects)

    def quiet(self) -> Cleared | None:
        """Return Cleared when a noisy pair is quiet again; None if it was quiet before."""
        self._lost.clear()
        if self._told is None:
            return None
        self._told = None
        return Cleared()
