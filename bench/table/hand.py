"""A simulated finger for a program in this process, which measures the time from touch to picture."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import pygame

_PAUSE_S: Final = (0.10, 0.16)
"""The range of pauses, so that touches don't always coincide with the same phase of the loop."""
_DOWN_S: Final = 0.05
_NS_IN_MS: Final = 1_000_000


class Hand(threading.Thread):
    """A thread that touches places one after another.

    places: positions as shares of width and height.
    ring: wakes the program after a touch, as the kernel does.
    over: called at the end.
    """

    def __init__(
        self,
        places: Sequence[tuple[float, float]],
        taps: int,
        *,
        ring: Callable[[], None],
        over: Callable[[], None],
    ) -> None:
        super().__init__(name="hand", daemon=True)
        self._places = places
        self._taps = taps
        self._ring = ring
        self._over = over
        self._laid_ns: int | None = None
        self.took_ms: list[float] = []

    def flipped(self) -> None:
        laid_ns, self._laid_ns = self._laid_ns, None
        if laid_ns is not None:
            self.took_ms.append((time.perf_counter_ns() - laid_ns) / _NS_IN_MS)

    def run(self) -> None:
        chance = random.Random(7)
        time.sleep(0.5)
        for tap in range(self._taps):
            place = self._places[tap % len(self._places)]
            time.sleep(chance.uniform(*_PAUSE_S))
            self._laid_ns = time.perf_counter_ns()
            self._tell(pygame.FINGERDOWN, place)
            time.sleep(_DOWN_S)
            self._tell(pygame.FINGERUP, place)
        time.sleep(0.3)
        self._over()

    def _tell(self, kind: int, place: tuple[float, float]) -> None:
        pygame.event.post(pygame.event.Event(kind, finger_id=1, x=place[0], y=place[1], dx=0.0, dy=0.0))
        self._ring()
