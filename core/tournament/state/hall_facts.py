"""Facts about the hall that the station knows and a tournament's log does not contain."""

import enum
from typing import Final

import msgspec

from core.terms import GameId, PlayerId, RoundNo, TableNo


class OwingTable(msgspec.Struct, frozen=True):
    """A table whose terminal has, or may have, entries that the station has not received.

    ``owes`` is how many at least, or None if the terminal couldn't be reached to find out.
    """

    round: RoundNo
    table: TableNo
    game: GameId
    owes: int | None


class OpenSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table whose record sheet is missing or disputed."""

    round: RoundNo
    table: TableNo
    game: GameId
    is_disputed: bool = False


class DisputedTable(msgspec.Struct, frozen=True):
    """A table whose record sheet is disputed, by a judge or by its terminal's entries."""

    round: RoundNo
    table: TableNo


class TableInUse(msgspec.Struct, frozen=True):
    """A table of the hall in use by another tournament. ``tournament`` is its name."""

    table: TableNo
    tournament: str


class Progress(enum.Enum):
    """The progress of a game, as reported by its terminal."""

    UNKNOWN = "unknown"
    """The terminal is disconnected."""
    BEGINNING = "beginning"
    PLAYING = "playing"
    OVER = "over"
    """The game has ended; its record sheet is not accepted yet."""
    ACCEPTED = "accepted"


class VoidedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game voided because its draw was undone. Its steps stay stored.

    turn: number of the last turn, or 0 before the first.
    eliminated: players, in order.
    """

    round: RoundNo
    table: TableNo
    game: GameId
    progress: Progress
    turn: int = 0
    eliminated: tuple[PlayerId, ...] = ()


class HallFacts(msgspec.Struct, frozen=True):
    """The facts that some decisions depend on and that are not stored with them.

    owing: tables with missing entries. left: players who left at a table but haven't been withdrawn.
    disputed: tables with a disputed record sheet. in_use: tables of other tournaments.
    """

    owing: tuple[OwingTable, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    in_use: tuple[TableInUse, ...] = ()


NOTHING_KNOWN: Final = HallFacts()
