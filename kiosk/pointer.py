"""A finger on the glass, from any kind of event, and the drops that are none."""

import enum
from typing import Final

import msgspec

VIRTUAL_FINGERS: Final = 900_000
"""The first number that no real finger has: pages and programs touch with these."""
DROP_MS: Final = 30
"""A contact that is shorter is no finger's: taps take 50 ms and more."""
WITHIN_MS: Final = 5_000
DROPS: Final = 10
PLACES: Final = 5
"""Of the glass's sixteenths."""
_SIDE: Final = 4


class PointerPhase(enum.Enum):
    """The phase of a touch."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"
    LOST = "lost"


class Pointer(msgspec.Struct, frozen=True):
    """One moment of one touch.

    finger: distinguishes touches. x, y: logical pixels, clamped to the screen, rotation already
    undone. at_ms: monotonic clock. is_named: a program touches a target by its name, and means it.
    """

    finger: int
    phase: PointerPhase
    x: int
    y: int
    at_ms: int
    is_named: bool = False

    @property
    def is_of_glass(self) -> bool:
        """Return whether a touch panel reported this: mice have negative numbers."""
        return 0 <= self.finger < VIRTUAL_FINGERS


_OVER: Final = (PointerPhase.UP, PointerPhase.LOST)


class _Drop(msgspec.Struct, frozen=True):
    place: tuple[int, int]
    at_ms: int


class WetGlass:
    """The short contacts of the last seconds on a glass of this size in pixels."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._down: dict[int, Pointer] = {}
        self._drops: list[_Drop] = []

    def is_found_by(self, pointer: Pointer) -> bool:
        """Return whether this touch shows that the glass is wet; it is then taken as dry again."""
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
