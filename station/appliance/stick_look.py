"""How the stick is, for people: on the pages, and on the own screen."""

import enum

import msgspec


class StickState(enum.Enum):
    """How the stick is."""

    NONE = "none"
    """No stick is in."""
    WRITING = "writing"
    """A copy is on its way; to pull the stick out now costs this copy alone."""
    GOOD = "good"
    FULL = "full"
    READ_ONLY = "read-only"
    FAILED = "failed"
    LET_GO = "let go"
    """Nothing more is written until another stick is put in, or this one again."""


class StickLook(msgspec.Struct, frozen=True):
    """What people are told of the stick. good_ms: wall clock of the last good copy, on whichever stick.

    file: its name. A copy that would be the same as the last one is not written again and counts as good.
    """

    state: StickState = StickState.NONE
    good_ms: int | None = None
    file: str = ""
