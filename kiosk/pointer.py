"""A finger on the glass, from any kind of event."""

import enum

import msgspec


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
