"""The record sheets that a judge has accepted, of games and of duels."""

import enum
from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from core.game.result import Result, ResultT_co
from core.game.state.game import Confirmation
from core.terms import GameId

_Result = TypeVar("_Result", bound=Result)


class Source(enum.Enum):
    """The origin of an accepted record sheet."""

    TERMINAL = "terminal"
    PAPER = "paper"
    CARRIED = "carried"
    """The sheet was signed by the terminal and carried by a code on its screen or a USB drive."""


class SheetOrigin(msgspec.Struct, frozen=True):
    """The terminal that sealed a result, and the durable head of its journal at that moment.

    hash: the hash of the entry numbered seq in that epoch, hex.
    confirmed: how a judge confirmed the sheet at the table, None if not confirmed.
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
    disputed: the reason, if it is disputed.
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
    """Return the accepted record sheet of a match, or None if there is none."""
    return next((sheet for sheet in sheets if sheet.game == game), None)
