"""The record sheets that a judge has accepted, of games and of duels."""

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from base.growing_tuple import GrowingTuple
from core.game.result import Result, ResultT_co
from core.terms import GameId
from core.tournament.events import ResultAccepted, ResultContested, ResultCorrected, Source
from core.tournament.origin import SheetOrigin

_Result = TypeVar("_Result", bound=Result)


class AcceptedSheet(msgspec.Struct, Generic[ResultT_co], frozen=True):
    """An accepted record sheet.

    corrections: the reasons, oldest first. disputed: the reason, if it is disputed. origin: where a sheet
    carried offline comes from. contested: carried sheets that differ, oldest first, until the judge corrects
    or upholds this one. reason: why it differs from the terminal's report.
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
    """Return the accepted record sheet of a match; None if there is none."""
    return next((sheet for sheet in sheets if sheet.game == game), None)


def sheets_after(
    sheets: GrowingTuple[AcceptedSheet[_Result]],
    event: ResultAccepted[_Result] | ResultContested[_Result] | ResultCorrected[_Result],
) -> GrowingTuple[AcceptedSheet[_Result]]:
    """Return the accepted sheets of a round or of duels after an event."""
    if isinstance(event, ResultAccepted):
        accepted = AcceptedSheet(
            event.game, event.result, event.source, event.by, origin=event.origin, reason=event.reason
        )
        return sheets.added(accepted)
    return sheets.changed(lambda sheet: _apply_changes(sheet, event) if sheet.game == event.game else sheet)


def _apply_changes(
    sheet: AcceptedSheet[_Result], event: ResultContested[_Result] | ResultCorrected[_Result]
) -> AcceptedSheet[_Result]:
    if isinstance(event, ResultContested):
        return replace(sheet, contested=(*sheet.contested, (event.result, event.origin)))
    corrections = (*sheet.corrections, event.reason)
    return replace(
        sheet, result=event.result, by=event.by, corrections=corrections, contested=(), disputed=""
    )
