"""What people chose at this terminal: language, light, loudness, layout. It survives a restart.

Never what the game or the tournament is about: that is in the journal.
"""

import enum
from typing import Annotated

import msgspec

from saloon.core.errors import BadData

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Theme(enum.Enum):
    """For which light the picture is made."""

    DAY = "day"
    DIM = "dim"
    """A dim hall."""


class Layout(enum.Enum):
    """How the terminal lies."""

    RING = "ring"
    """Flat in the middle of the table: each panel is turned to its player."""
    KEEPER = "keeper"
    """Upright at one end of the table: everything is upright."""


class Preferences(msgspec.Struct, frozen=True):
    """What people chose. language: a gettext code, empty for the one the terminal was started with.

    brightness, volume: in percent of what the parts can do.
    """

    language: str = ""
    theme: Theme = Theme.DAY
    layout: Layout = Layout.RING
    brightness: Percent = 80
    volume: Percent = 60
    muted: bool = False


def preferences_bytes(preferences: Preferences) -> bytes:
    """As they lie in a file: JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(preferences)) + b"\n"


def preferences_of(content: bytes, where: str) -> Preferences:
    """What a file says; keys of a newer version are left out. Raises BadData naming ``where`` and the key."""
    try:
        return msgspec.json.decode(content, type=Preferences)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadData(where, f"no preferences of a terminal: {error}") from error
