"""The state of offline exports (codes and stick), as the screen shows it."""

import enum

import msgspec


class ParcelContents(enum.Enum):
    """The content of a parcel."""

    SHEET = "sheet"
    """The finished result."""
    OWED = "owed"
    """The entries that the station may be missing."""
    GAME = "game"
    """All entries of the game."""


class ParcelCode(msgspec.Struct, frozen=True):
    """A square code. rows: from the top, each as a number whose highest bit is the module at the left."""

    size: int
    rows: tuple[int, ...]


class ShownParcel(msgspec.Struct, frozen=True):
    """A parcel on the screen. code: of part ``number`` of ``count``; None while it is drawn.

    first, last: numbers of its entries, 0 for a sheet. every_ms: how long a part stays while they play.
    is_too_large: it has too many parts and goes by stick. has_failed: it could not be made.
    """

    load: ParcelContents
    number: int = 1
    count: int = 0
    code: ParcelCode | None = None
    first: int = 0
    last: int = 0
    every_ms: int = 500
    is_playing: bool = True
    is_too_large: bool = False
    has_failed: bool = False


class UsbStickState(enum.Enum):
    """The progress of writing to the stick."""

    WRITING = "writing"
    WRITTEN = "written"
    """All is on it; it may be removed."""
    NO_STICK = "no stick"
    FULL = "full"
    READ_ONLY = "read-only"
    PULLED = "pulled"
    """It was gone before all was on it."""
    FAILED = "failed"


class OfflineExportView(msgspec.Struct, frozen=True):
    """The transfer of entries without a connection, as the screen shows it.

    shown: the parcel on the screen now. stick, file: of the last writing. has_sheet: there is a
    result to be shown. owed: entries that the station is not known to have.
    of_game: entries of this game.
    """

    shown: ShownParcel | None = None
    stick: UsbStickState | None = None
    file: str = ""
    has_sheet: bool = False
    owed: int = 0
    of_game: int = 0
