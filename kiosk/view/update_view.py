"""The state of a new version of the program, as the screen shows it."""

import enum

import msgspec


class UpdateShown(enum.Enum):
    """The stage of an update that people at the terminal see."""

    NOTHING = "nothing"
    FETCHING = "fetching"
    """A word on the waiting screen."""
    SOON = "soon"
    """It begins in a moment, unless somebody puts it off."""
    APPLYING = "applying"
    """The system puts it in place; then the terminal starts again."""


class UpdateView(msgspec.Struct, frozen=True):
    """An update as the screen shows it. version: its name. percent: downloaded."""

    shown: UpdateShown = UpdateShown.NOTHING
    version: str = ""
    percent: int = 0
