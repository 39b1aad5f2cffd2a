"""The state of the stick, for the pages and the station's screen."""

import enum

import msgspec


class StickState(enum.Enum):
    """The state of the stick."""

    NONE = "none"
    """No stick is inserted."""
    WRITING = "writing"
    """A copy is being written; unplugging the stick now loses only this copy."""
    GOOD = "good"
    FULL = "full"
    READ_ONLY = "read-only"
    FAILED = "failed"
    LET_GO = "let go"
    """Nothing more is written until this stick or another one is inserted again."""


class StickStatus(msgspec.Struct, frozen=True):
    """The state of the stick for people. good_ms: wall clock of the last good copy, on any stick.

    file: its name. A copy identical to the last one is not written again and counts as good.
    """

    state: StickState = StickState.NONE
    good_ms: int | None = None
    file: str = ""
