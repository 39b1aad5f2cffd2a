"""A round of a tournament: its drawn tables, accepted record sheets, changes by hand, and clock."""

import enum
from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from base.immutable import GrowingTuple
from core.game.ending.finished_game import FinishedGame
from core.game.result import Result, ResultT_co
from core.game.state.game import Confirmation
from core.terms import GameId, PlayerId, RoundNo, Seconds, TableNo


class DrawnTable(msgspec.Struct, frozen=True):
    """A table of a draw: players by seat, the Sheriff first, and the id of its game."""

    table: TableNo
    players: tuple[PlayerId, ...]
    game: GameId


class SwappedPlayers(msgspec.Struct, frozen=True, tag="swapped", tag_field="kind"):
    """Two players of a draft who swap seats."""

    one: PlayerId
    other: PlayerId


class MovedPlayer(msgspec.Struct, frozen=True, tag="moved", tag_field="kind"):
    """A player of a draft who moves to a new last seat at another table, numbered from 1 as in a draw."""

    player: PlayerId
    table: TableNo


SeatingChange = SwappedPlayers | MovedPlayer


_Result = TypeVar("_Result", bound=Result)


class Source(enum.Enum):
    """The origin of an accepted record sheet."""

    TERMINAL = "terminal"
    PAPER = "paper"
    CARRIED = "carried"
    """The sheet was signed by the terminal and carried by a code on its screen or a USB drive."""


class SheetOrigin(msgspec.Struct, frozen=True):
    """The terminal that sealed a result, and the durable head of its journal at that moment.

    hash: the hash of the last entry, in hex.
    confirmed: how a judge confirmed the sheet at the table, or None.
    sealed: the parcel, verified by the terminal's certificate.
    """

    terminal: str
    epoch: str
    seq: int
    hash: str
    confirmed: Confirmation | None
    sealed: bytes


class AcceptedSheet(msgspec.Struct, Generic[ResultT_co], frozen=True):
    """An accepted record sheet.

    corrections: the reasons, oldest first.
    origin: where a sheet carried offline comes from.
    contested: carried sheets that differ, oldest first, until the judge corrects or upholds this one.
    reason: why it differs from the terminal's report.
    """

    game: GameId
    result: ResultT_co
    source: Source
    by: str
    corrections: tuple[str, ...] = ()
    disputed: str = ""
    origin: SheetOrigin | None = None
    contested: tuple[tuple[ResultT_co, SheetOrigin], ...] = ()
    reason: str = ""


def sheet_of(sheets: Iterable[AcceptedSheet[_Result]], game: GameId) -> AcceptedSheet[_Result] | None:
    return next((sheet for sheet in sheets if sheet.game == game), None)


class HallClock(msgspec.Struct, frozen=True):
    """The clock of one round. round: None before the first.

    extensions: seconds for a table, or for all (None).
    changes: the table of each change, or None for all, oldest first.
    let_run: numbers of pauses by a table's own judge that the station ended.
    """

    round: RoundNo | None = None
    is_started: bool = False
    is_held: bool = False
    held: tuple[TableNo, ...] = ()
    extensions: tuple[tuple[TableNo | None, Seconds], ...] = ()
    changes: tuple[TableNo | None, ...] = ()
    let_run: tuple[tuple[TableNo, int], ...] = ()

    def changes_of(self, table: TableNo) -> int:
        return sum(changed in {None, table} for changed in self.changes)

    def time_given_to(self, table: TableNo) -> Seconds:
        return Seconds(sum(seconds for whom, seconds in self.extensions if whom in {None, table}))

    def ended_pause_of(self, table: TableNo) -> int:
        """Return the number of the last pause at a table that the station ended, or 0."""
        return next((pause for whom, pause in reversed(self.let_run) if whom == table), 0)

    def is_paused_at(self, table: TableNo) -> bool:
        return self.is_held or table in self.held


class Redraw(msgspec.Struct, frozen=True):
    """Another attempt at the draw of a round. reason: empty in logs from before it was required."""

    round: RoundNo
    attempt: int
    reason: str


class ChangeByHand(msgspec.Struct, frozen=True):
    """A change to a draft by hand, with its reason and the judge's name."""

    change: SeatingChange
    reason: str
    by: str


class Round(msgspec.Struct, frozen=True):
    """A round with its draw and the sheets accepted so far.

    tables: numbered as in the hall.
    drawn_tables: the tables that the seed gave, before any change by hand.
    series: the number of the series, from 1, if there are several groups (D46); otherwise 0.
    """

    round: RoundNo
    attempt: int
    seed: str
    seal: str
    hall_word: str = ""
    tables: tuple[DrawnTable, ...] = ()
    repeated_sheriffs: tuple[PlayerId, ...] = ()
    published: bool = False
    sheets: GrowingTuple[AcceptedSheet[FinishedGame]] = GrowingTuple()
    drawn_tables: tuple[DrawnTable, ...] = ()
    changes: tuple[ChangeByHand, ...] = ()
    series: int = 0

    @property
    def drawn(self) -> bool:
        return bool(self.tables)

    def has(self, game: GameId, table: TableNo) -> bool:
        # Table numbers are usually consecutive, so 2,000 tables need not be searched.
        """Return whether this game was drawn at this table."""
        place = table - self.tables[0].table if self.tables else -1
        if 0 <= place < len(self.tables) and self.tables[place].game == game:
            return self.tables[place].table == table
        return any(drawn.game == game and drawn.table == table for drawn in self.tables)

    @property
    def complete(self) -> bool:
        return len(self.sheets) >= len(self.tables)

    @property
    def missing(self) -> tuple[DrawnTable, ...]:
        """The tables without an accepted record sheet, by number."""
        accepted = {sheet.game for sheet in self.sheets}
        return tuple(table for table in self.tables if table.game not in accepted)
