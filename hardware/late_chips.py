"""The wait for the pins' chip, which may appear a moment after this program began."""

import threading
from collections.abc import Callable
from typing import Final

_LOOK_EVERY_S: Final = 1.0


def retry_wait(within_s: float, clock_ms: Callable[[], int], stopping: threading.Event) -> Callable[[], bool]:
    """Return a function that waits a second and returns whether to look again.

    It returns False after ``within_s``, or once the program ends. stopping: set when the program ends, on
    another thread; this ends the wait at once.
    """
    end_ms = clock_ms() + round(within_s * 1000)

    def waits() -> bool:
        return not stopping.wait(min(_LOOK_EVERY_S, within_s)) and clock_ms() < end_ms

    return waits
