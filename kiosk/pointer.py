"""A finger on the glass, whatever kind of event told of it."""

import enum

import msgspec


class PointerPhase(enum.Enum):
    """Where a touch is in its life."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"
    LOST = "lost"


class Pointer(msgspec.Struct, frozen=True):
    """One moment of one touch.

    finger: tells touches apart. x, y: logical pixels, clamped to the screen, rotation already
    undone. at_ms: monotonic clock. is_named: a program touches a target by its name, and means it.
    """

    finger: int
    phase: PointerPhase
    x: int
    y: int
    at_ms: int
    is_named: bool = False
