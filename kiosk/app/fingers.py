"""Fingers that come through the door: put down now, lifted later, on the app's clock."""

from collections.abc import Callable

from saloon.kiosk.pointer import Pointer, PointerPhase

_FIRST = 1_000_000
"""Numbers that no real finger has."""


class DoorFingers:
    """Touches waiting to be handed on. clock_ms: monotonic."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._number = _FIRST
        self._moments: list[Pointer] = []

    def touch(self, x: int, y: int, hold_ms: int) -> None:
        """A finger goes down now and up after so long; one touch after the other."""
        self._number += 1
        start = max([self._clock_ms(), *(p.at_ms + 1 for p in self._moments)])
        self._moments.append(Pointer(self._number, PointerPhase.DOWN, x, y, start))
        self._moments.append(Pointer(self._number, PointerPhase.UP, x, y, start + hold_ms))

    def is_down(self) -> bool:
        """Whether a finger has not been lifted yet."""
        return bool(self._moments)

    def due(self, now_ms: int) -> tuple[Pointer, ...]:
        """The moments that have come."""
        due = tuple(p for p in self._moments if p.at_ms <= now_ms)
        self._moments = [p for p in self._moments if p.at_ms > now_ms]
        return due

    def next_deadline_ms(self) -> int | None:
        """When the next moment comes."""
        return self._moments[0].at_ms if self._moments else None
