"""Fingers that come through the door: touches that know when they end, and fingers as they lie and move."""

from collections.abc import Callable

from saloon.kiosk.pointer import Pointer, PointerPhase

_FIRST = 1_000_000
"""Numbers that no real finger has."""
_LIVE = 900_000
_FORSAKEN_MS = 15_000
"""A finger without a report for this time belongs to a page that is gone."""


class DoorFingers:
    """Touches waiting to be handed on. clock_ms: monotonic."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._number = _FIRST
        self._moments: list[Pointer] = []
        self._live: dict[int, Pointer] = {}

    def touch(self, x: int, y: int, hold_ms: int, *, is_named: bool = False) -> None:
        """Put a finger down now and lift it after ``hold_ms``; one touch after the other."""
        self._number += 1
        touches = (p.at_ms + 1 for p in self._moments if p.finger > _FIRST)
        start = max([self._clock_ms(), *touches])
        self._moments.append(Pointer(self._number, PointerPhase.DOWN, x, y, start, is_named))
        self._moments.append(Pointer(self._number, PointerPhase.UP, x, y, start + hold_ms, is_named))

    def move(self, finger: int, phase: PointerPhase, x: int, y: int) -> None:
        """Add a moment of a finger that is on the glass now; several may be there at once."""
        number = _LIVE + finger
        lies = number in self._live
        if lies == (phase is PointerPhase.DOWN):
            if not lies:
                return
            self._moments.append(self._now(number, PointerPhase.LOST, x, y))
        moment = self._now(number, phase, x, y)
        self._moments.append(moment)
        if phase in {PointerPhase.DOWN, PointerPhase.MOVE}:
            self._live[number] = moment
        else:
            del self._live[number]

    def is_down(self) -> bool:
        """Return whether a touch is not over yet; fingers that are held and moved do not count."""
        return any(moment.finger > _FIRST for moment in self._moments)

    def due(self, now_ms: int) -> tuple[Pointer, ...]:
        """Return the moments that are due, oldest first."""
        for number, last in tuple(self._live.items()):
            if now_ms - last.at_ms >= _FORSAKEN_MS:
                del self._live[number]
                self._moments.append(Pointer(number, PointerPhase.LOST, last.x, last.y, now_ms))
        due = tuple(p for p in self._moments if p.at_ms <= now_ms)
        self._moments = [p for p in self._moments if p.at_ms > now_ms]
        return due

    def next_deadline_ms(self) -> int | None:
        """Return the time of the next moment."""
        forsaken = (moment.at_ms + _FORSAKEN_MS for moment in self._live.values())
        return min((*(moment.at_ms for moment in self._moments), *forsaken), default=None)

    def _now(self, number: int, phase: PointerPhase, x: int, y: int) -> Pointer:
        return Pointer(number, phase, x, y, self._clock_ms())
