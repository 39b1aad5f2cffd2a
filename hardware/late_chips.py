"""How long a panel looks for its pins' chip, which may be found a moment after this program began."""

import threading
from collections.abc import Callable
from typing import Final

_LOOK_EVERY_S: Final = 1.0


def looks_again(
    within_s: float, clock_ms: Callable[[], int], stopping: threading.Event
) -> Callable[[], bool]:
    """Waits a second and says whether to look again: no more after so long, or once the program ends.

    stopping: set by whoever ends the program, on another thread; the wait is over at once then.
    """
    end_ms = clock_ms() + round(within_s * 1000)

    def waits() -> bool:
        return not stopping.wait(min(_LOOK_EVERY_S, within_s)) and clock_ms() < end_ms

    return waits
