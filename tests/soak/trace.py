"""The events of a simulated world: their hash names the whole, their end helps to find a fault."""

import hashlib
from collections import deque
from collections.abc import Callable

_LAST = 60


class Trace:
    """Events as they happen. now_ms: of the world."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._hash = hashlib.sha256()
        self._last: deque[str] = deque(maxlen=_LAST)
        self.events = 0

    def note(self, who: str, what: str) -> None:
        """Something happened."""
        line = f"{self._now_ms():>8} {who}: {what}"
        self._hash.update(line.encode())
        self._last.append(line)
        self.events += 1

    def digest(self) -> str:
        """Names all that happened: the same for the same seed."""
        return self._hash.hexdigest()

    def last(self) -> str:
        """The last events, a line each."""
        return "\n".join(self._last)
