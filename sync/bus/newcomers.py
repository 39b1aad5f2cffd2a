"""Units that answered an invitation and have no lease yet, and units that must stay away."""

from collections.abc import Iterator

from saloon.sync.bus.payloads import Here

_MOST = 32
_FIRST_SLOTS = 4
_MOST_SLOTS = 32
FIRST_SHUN_MS = 10_000
LONGEST_SHUN_MS = 600_000


class Newcomers:
    """A queue of units, each once, and the number of slots of the next invitation."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, Here] = {}
        self.slots = _FIRST_SLOTS

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Here]:
        return iter(tuple(self._waiting.values()))

    def add(self, here: Here) -> None:
        """Queue a unit that has answered, replacing an earlier life of it."""
        if here.unit in self._waiting or len(self._waiting) < _MOST:
            self._waiting[here.unit] = here

    def take(self) -> Here | None:
        """Remove and return the next unit to admit; None when nobody waits."""
        unit = next(iter(self._waiting), None)
        return None if unit is None else self._waiting.pop(unit)

    def invited(self, *, voices: int, is_garbage: bool) -> None:
        """Adapt the number of slots to the answers to an invitation."""
        if is_garbage:
            self.slots = min(_MOST_SLOTS, self.slots * 2)
        elif not voices:
            self.slots = max(_FIRST_SLOTS, self.slots // 2)


class Shunned:
    """Units that must stay away, each time longer."""

    def __init__(self) -> None:
        self._until: dict[bytes, tuple[int, int]] = {}

    def add(self, unit: bytes, now_ms: int) -> int:
        """Keep a unit away; return for how long, in milliseconds."""
        times = self._until.get(unit, (0, 0))[1]
        for_ms = min(LONGEST_SHUN_MS, FIRST_SHUN_MS << min(times, 10))
        while len(self._until) >= _MOST and unit not in self._until:
            del self._until[next(iter(self._until))]
        self._until[unit] = (now_ms + for_ms, times + 1)
        return for_ms

    def is_kept_away(self, unit: bytes, now_ms: int) -> bool:
        """Return whether a unit must still stay away."""
        return now_ms < self._until.get(unit, (0, 0))[0]
