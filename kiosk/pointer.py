"""Touches from any kind of input event, and the detection of water drops on the screen."""

import enum
from typing import Final

import msgspec

VIRTUAL_FINGERS: Final = 900_000
"""The first of the finger numbers for touches simulated by web pages and programs."""
DROP_MS: Final = 30
"""The longest contact of a drop, as taps take 50 ms or more."""
WITHIN_MS: Final = 5_000
DROPS: Final = 10
PLACES: Final = 5
"""The number of the screen's 16 areas that must have had drops."""
_SIDE: Final = 4


class PointerPhase(enum.Enum):
    """A phase of a touch."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"
    LOST = "lost"


class Pointer(msgspec.Struct, frozen=True):
    """One event of a touch.

    finger: identifies the touch.
    x, y: logical pixels within the screen, after rotation.
    at_ms: monotonic clock.
    is_named: a program touches a target by its name, so it can't be an accident.
    """

    finger: int
    phase: PointerPhase
    x: int
    y: int
    at_ms: int
    is_named: bool = False

    @property
    def is_of_glass(self) -> bool:
        """Return whether a touch panel reported this; mouse pointers have negative numbers."""
        return 0 <= self.finger < VIRTUAL_FINGERS


_OVER: Final = (PointerPhase.UP, PointerPhase.LOST)


class _Drop(msgspec.Struct, frozen=True):
    place: tuple[int, int]
    at_ms: int


class WetGlass:
    """A detector for water drops, which cause many short contacts.

    ``width`` and ``height`` are the screen's, in pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._down: dict[int, Pointer] = {}
        self._drops: list[_Drop] = []

    def is_found_by(self, pointer: Pointer) -> bool:
        """Return whether this event shows that the screen is wet, and then forget all earlier drops."""
        if pointer.phase is PointerPhase.DOWN:
            self._down[pointer.finger] = pointer
        landed = self._down.pop(pointer.finger, None) if pointer.phase in _OVER else None
        if landed is None or not landed.is_of_glass or not 0 < pointer.at_ms - landed.at_ms < DROP_MS:
            return False
        width, height = self._size
        place = landed.x * _SIDE // width, landed.y * _SIDE // height
        self._drops = [drop for drop in self._drops if pointer.at_ms - drop.at_ms < WITHIN_MS]
        self._drops.append(_Drop(place, pointer.at_ms))
        is_wet = len(self._drops) >= DROPS and len({drop.place for drop in self._drops}) >= PLACES
        if is_wet:
            self._drops.clear()
        return is_wet
