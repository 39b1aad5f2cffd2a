"""A finger on the glass, from any kind of event."""

import enum
from typing import Final

import msgspec

VIRTUAL_FINGERS: Final = 900_000
"""The first number that no real finger has: pages and programs touch with these."""


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
