"""Decisions about the record sheets of games and duels: accept, correct and dispute them, or do without."""

from collections.abc import Callable
from typing import Generic, Self, TypeVar

from msgspec.structs import replace

from base.errors import BadData, Refused
from base.immutable import GrowingTuple
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame, check_finished
from core.game.result import FinishedDuel, Result, ResultT_co, check_finished_duel
from core.terms import GameId
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.decision import (
    WRITTEN,
    Decision,
    HallFacts,
    OpenSheet,
    OwingTable,
    published_game,
    require_finals,
    require_reason,
    require_unpublished,
)
from core.tournament.state.finals import Duels, require_begun
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import AcceptedSheet, DrawnTable, Round, SheetOrigin, Source, sheet_of
from core.tournament.state.tournament import TournamentState

_Result = TypeVar("_Result", bound=Result)
_Sheets = GrowingTuple[AcceptedSheet[_Result]]


class _AboutResult(Decision, Generic[ResultT_co], frozen=True):
    game: GameId
    result: ResultT_co

    def apply(self, state: TournamentState) -> TournamentState:
        if isinstance(self, AcceptSheet | ContestSheet | CorrectSheet):
            return _with_sheet(state, self)
        assert isinstance(self, AcceptDuel | ContestDuel | CorrectDuel)
        return _with_duel_sheet(state, self)


class AcceptResult(_AboutResult[ResultT_co], Generic[ResultT_co], frozen=True):
    """Confirm the record sheet of a table.

    origin: where a sheet carried offline comes from.
    reason: why it differs from the terminal's report, or "".
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; Championship 2010 v1.1, 1.2.
    """

    source: Source
    by: str = WRITTEN
    origin: SheetOrigin | None = None
    reason: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        drawn, table = _match_of(state, self.game, self.result)
        if sheet_of(drawn.sheets, self.game) is not None:
            raise Refused(TournamentReason.SHEET_TWICE, table=table.table)
        _check(self.result, drawn, table, edition)
        _check_final(state, self.result)
        return replace(self, reason=self.reason.strip())

    def apply_to(self, sheets: _Sheets[ResultT_co]) -> _Sheets[ResultT_co]:
        """Return the accepted sheets with this one added."""
        accepted = AcceptedSheet(
            self.game, self.result, self.source, self.by, origin=self.origin, reason=self.reason
        )
        return sheets.added(accepted)


class ContestResult(_AboutResult[ResultT_co], Generic[ResultT_co], frozen=True):
    """Keep a record sheet that was carried offline and differs from the accepted one, which still counts."""

    origin: SheetOrigin
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        drawn, table = _match_of(state, self.game, self.result)
        sheet = _accepted_sheet(drawn, table)
        is_known = sheet.origin == self.origin or (self.result, self.origin) in sheet.contested
        if sheet.result == self.result or is_known:
            raise Refused(TournamentReason.NOTHING_CONTESTED, table=table.table)
        _check(self.result, drawn, table, edition)
        return self

    def apply_to(self, sheets: _Sheets[ResultT_co]) -> _Sheets[ResultT_co]:
        """Return the accepted sheets, one of them with this differing sheet."""
        return _changed(
            sheets,
            self.game,
            lambda sheet: replace(sheet, contested=(*sheet.contested, (self.result, self.origin))),
        )


class CorrectResult(_AboutResult[ResultT_co], Generic[ResultT_co], frozen=True):
    """Replace an accepted record sheet, giving a reason; possible until the ranking is public."""

    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        reason = require_reason(self.reason)
        drawn, table = _match_of(state, self.game, self.result)
        if _accepted_sheet(drawn, table).result == self.result:
            raise Refused(TournamentReason.NOTHING_CORRECTED, table=table.table)
        _check(self.result, drawn, table, edition)
        _check_final(state, self.result)
        corrected = replace(self, reason=reason)
        if state.finals is not None and isinstance(self.result, FinishedGame):
            best = rounds_standings(corrected.apply(state), edition).ranking[: len(state.finals.finalists)]
            if best != tuple((player,) for player in state.finals.finalists):
                raise Refused(TournamentReason.OTHER_FINALISTS)
        return corrected

    def apply_to(self, sheets: _Sheets[ResultT_co]) -> _Sheets[ResultT_co]:
        """Return the accepted sheets, one of them with the corrected result."""
        return _changed(
            sheets,
            self.game,
            lambda sheet: replace(
                sheet,
                result=self.result,
                by=self.by,
                corrections=(*sheet.corrections, self.reason),
                contested=(),
                disputed="",
            ),
        )


class AcceptSheet(AcceptResult[FinishedGame], frozen=True, tag="sheet-accepted", omit_defaults=True):
    """Confirm the record sheet of a game."""


class AcceptDuel(AcceptResult[FinishedDuel], frozen=True, tag="duel-accepted", omit_defaults=True):
    """Confirm the record sheet of a duel."""


class ContestSheet(ContestResult[FinishedGame], frozen=True, tag="sheet-contested"):
    """Keep a sheet of a game that differs from the accepted one."""


class ContestDuel(ContestResult[FinishedDuel], frozen=True, tag="duel-contested"):
    """Keep a sheet of a duel that differs from the accepted one."""


class CorrectSheet(CorrectResult[FinishedGame], frozen=True, tag="sheet-corrected"):
    """Replace the record sheet of a game."""


class CorrectDuel(CorrectResult[FinishedDuel], frozen=True, tag="duel-corrected"):
    """Replace the record sheet of a duel."""


def accept_result(
    game: GameId, result: Result, source: Source, *, origin: SheetOrigin | None = None, reason: str = ""
) -> AcceptSheet | AcceptDuel:
    """Return the decision that confirms the record sheet of a match."""
    if isinstance(result, FinishedGame):
        return AcceptSheet(game, result, source, origin=origin, reason=reason)
    return AcceptDuel(game, result, source, origin=origin, reason=reason)


def contest_result(game: GameId, result: Result, origin: SheetOrigin) -> ContestSheet | ContestDuel:
    """Return the decision that keeps a differing record sheet of a match."""
    if isinstance(result, FinishedGame):
        return ContestSheet(game, result, origin)
    return ContestDuel(game, result, origin)


def correct_result(game: GameId, result: Result, reason: str) -> CorrectSheet | CorrectDuel:
    """Return the decision that replaces the record sheet of a match."""
    if isinstance(result, FinishedGame):
        return CorrectSheet(game, result, reason)
    return CorrectDuel(game, result, reason)


class _AboutSheet(Decision, frozen=True):
    game: GameId
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        reason = require_reason(self.reason)
        _accepted_sheet(*published_game(state, self.game))
        return replace(self, reason=reason)


class DisputeSheet(_AboutSheet, frozen=True, tag="sheet-disputed"):
    """Mark an accepted record sheet as disputed; it counts until the judge decides."""

    def apply(self, state: TournamentState) -> TournamentState:
        return _with_dispute(state, self.game, lambda sheet: replace(sheet, disputed=self.reason))


class SettleDispute(_AboutSheet, frozen=True, tag="dispute-settled"):
    """Decide that a disputed record sheet remains valid."""

    def apply(self, state: TournamentState) -> TournamentState:
        return _with_dispute(state, self.game, lambda sheet: replace(sheet, disputed="", contested=()))


def _match_of(state: TournamentState, game: GameId, result: Result) -> tuple[Round | Duels, DrawnTable]:
    require_unpublished(state)
    if isinstance(result, FinishedGame):
        return published_game(state, game)
    if state.with_finals:
        require_finals(state)
    for duels in state.duels:
        for table in duels.tables:
            if table.game == game:
                return duels, table
    raise Refused(TournamentReason.UNKNOWN_GAME, game=game)


def _accepted_sheet(drawn: Round | Duels, table: DrawnTable) -> AcceptedSheet[Result]:
    sheet = sheet_of(drawn.sheets, table.game)
    if sheet is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)
    return sheet


def _check(result: Result, drawn: Round | Duels, table: DrawnTable, edition: Edition) -> None:
    if (result.round, result.table) != (drawn.round, table.table):
        raise Refused(
            TournamentReason.OTHER_TABLE,
            unit=edition.unit,
            round=result.round,
            table=result.table,
            drawn_round=drawn.round,
            drawn_table=table.table,
        )
    if result.players != table.players:
        raise Refused(TournamentReason.OTHER_PLAYERS, table=table.table)
    if isinstance(result, FinishedGame):
        check_finished(result, edition)
        return
    if isinstance(drawn, Duels) and result.kind is not drawn.kind:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=result.kind)
    check_finished_duel(result, edition)


def _check_final(state: TournamentState, result: Result) -> None:
    if not isinstance(result, FinishedDuel):
        return
    final = None if state.finals is None else state.finals.final
    if final is not None and not any(result.winning_player in table.players for table in final.tables):
        raise Refused(TournamentReason.FINAL_IS_BEGUN)


def _changed(
    sheets: _Sheets[_Result],
    game: GameId,
    change: Callable[[AcceptedSheet[_Result]], AcceptedSheet[_Result]],
) -> _Sheets[_Result]:
    return sheets.changed(lambda sheet: change(sheet) if sheet.game == game else sheet)


def _with_sheet(
    state: TournamentState, decision: AcceptSheet | ContestSheet | CorrectSheet
) -> TournamentState:
    number, table = decision.result.round, decision.result.table
    drawn = state.rounds[number - 1] if 1 <= number <= len(state.rounds) else None
    if drawn is None or not drawn.has(decision.game, table):
        raise BadData(
            "tournament log", f"{type(decision).__name__} of a game that is not drawn: {decision.game}"
        )
    after = replace(drawn, sheets=decision.apply_to(drawn.sheets))
    if after.complete and after.missing:
        raise BadData("tournament log", f"a record sheet of round {number} is accepted twice")
    rounds = (*state.rounds[: number - 1], after, *state.rounds[number:])
    return replace(state, rounds=rounds, sheets_waived=_waived_without(state, decision.game))


def _with_dispute(
    state: TournamentState,
    game: GameId,
    change: Callable[[AcceptedSheet[FinishedGame]], AcceptedSheet[FinishedGame]],
) -> TournamentState:
    rounds = tuple(replace(drawn, sheets=_changed(drawn.sheets, game, change)) for drawn in state.rounds)
    if not any(game == sheet.game for drawn in rounds for sheet in drawn.sheets):
        raise BadData("tournament log", f"a sheet is disputed that was not accepted: {game}")
    return replace(state, rounds=rounds, sheets_waived=_waived_without(state, game))


def _waived_without(state: TournamentState, game: GameId) -> tuple[GameId, ...]:
    return tuple(waived for waived in state.sheets_waived if waived != game)


def _with_duel_sheet(
    state: TournamentState, decision: AcceptDuel | ContestDuel | CorrectDuel
) -> TournamentState:
    def after(duels: Duels) -> Duels:
        if not any(table.game == decision.game for table in duels.tables):
            return duels
        return replace(duels, sheets=decision.apply_to(duels.sheets))

    ties = tuple(map(after, state.tie_duels))
    if ties != state.tie_duels:
        return replace(state, tie_duels=ties)
    finals = require_begun(state.finals, type(decision).__name__)
    changed = replace(
        finals,
        semifinals=None if finals.semifinals is None else after(finals.semifinals),
        final=None if finals.final is None else after(finals.final),
    )
    if changed == finals:
        raise BadData("tournament log", f"{type(decision).__name__} changes nothing: duel {decision.game}")
    return replace(state, finals=changed)


class WaiveOwedEntries(Decision, frozen=True, tag="owed-entries-waived"):
    """Continue without the missing entries of these tables; they are still accepted if they arrive."""

    tables: tuple[OwingTable, ...]
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        reason = require_reason(self.reason)
        if all(table.game in state.owed_waived for table in self.tables):
            raise Refused(TournamentReason.NOTHING_OWED)
        known = {table.game for _, table in state.called_tables}
        for table in self.tables:
            if table.game not in known:
                raise Refused(TournamentReason.UNKNOWN_GAME, game=table.game)
        return replace(self, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, owed_waived=(*state.owed_waived, *(table.game for table in self.tables)))


class WaiveOpenSheets(Decision, frozen=True, tag="open-sheets-waived"):
    """Draw the next round although these record sheets are missing or disputed."""

    sheets: tuple[OpenSheet, ...]
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        reason = require_reason(self.reason)
        missing = {table.game for _, table in state.missing_sheets}
        for sheet in self.sheets:
            published_game(state, sheet.game)
        new = tuple(
            sheet
            for sheet in self.sheets
            if sheet.game not in state.sheets_waived and (sheet.game in missing) is not sheet.is_disputed
        )
        if not new:
            raise Refused(TournamentReason.NOTHING_OPEN)
        return replace(self, sheets=new, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, sheets_waived=(*state.sheets_waived, *(sheet.game for sheet in self.sheets)))
