"""The state of offline exports (codes and USB drive), as the screen shows it."""

import enum

import msgspec


class ParcelContents(enum.Enum):
    """The contents of a parcel."""

    SHEET = "sheet"
    """The finished result."""
    OWED = "owed"
    """The entries that the station may lack."""
    GAME = "game"
    """All entries of the game."""


class ParcelCode(msgspec.Struct, frozen=True):
    """A QR code. Each row, from the top, is a number whose highest bit is the leftmost module."""

    size: int
    rows: tuple[int, ...]


class ShownParcel(msgspec.Struct, frozen=True):
    """A parcel on the screen.

    ``code`` is the code of part ``number`` of ``count``, or None while it is being drawn.

    first, last: numbers of its entries, or 0 for a record sheet.
    every_ms: time for each part while they advance automatically.
    is_too_large: it has too many parts for codes.
    has_failed: it couldn't be created.
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
    """The progress of writing to a USB drive."""

    WRITING = "writing"
    WRITTEN = "written"
    """Everything is written; the drive may be removed."""
    NO_STICK = "no stick"
    FULL = "full"
    READ_ONLY = "read-only"
    PULLED = "pulled"
    """The drive was removed too early."""
    FAILED = "failed"


class OfflineExportView(msgspec.Struct, frozen=True):
    """The state of transfers without a connection, as the screen shows it.

    stick, file: the result and the file of the last attempt to write.
    owed: entries that the station may lack.
    of_game: entries of this game.
    """

    parcel: ShownParcel | None = None
    stick: UsbStickState | None = None
    file: str = ""
    has_sheet: bool = False
    owed: int = 0
    of_game: int = 0
