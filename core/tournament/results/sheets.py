"""Accept and correct record sheets, of games and of duels."""

from typing import assert_never

from base.errors import Refused
from core.editions.edition import Edition
from core.game.duel.finished import FinishedDuel, check_finished_duel
from core.game.ending.finished import FinishedGame, check_finished
from core.game.result import Result
from core.terms import GameId
from core.tournament.commands import AcceptSheet, ContestSheet, CorrectSheet, DisputeSheet, SettleDispute
from core.tournament.events import (
    DisputeSettled,
    DuelAccepted,
    DuelContested,
    DuelCorrected,
    SheetAccepted,
    SheetContested,
    SheetCorrected,
    SheetDisputed,
)
from core.tournament.evolve import evolve
from core.tournament.standings.standings import rounds_standings
from core.tournament.state import Round, TournamentState
from core.tournament.state.finals import Duels
from core.tournament.state.guards import published_game, require_finals, require_reason, still_secret
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.seating import DrawnTable
from core.tournament.state.sheets import AcceptedSheet, sheet_of


def accept(
    state: TournamentState, command: AcceptSheet, edition: Edition, by: str
) -> SheetAccepted | DuelAccepted:
    """Return the event that accepts a table's record sheet. Refused if done already, or impossible.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; Championship 2010 v1.1, 1.2.
    """
    game, result, source, reason = command.game, command.result, command.source, command.reason.strip()
    drawn, table = _match_of(state, game, result)
    if sheet_of(drawn.sheets, game) is not None:
        raise Refused(TournamentReason.SHEET_TWICE, table=table.table)
    _check(result, drawn, table, edition)
    match result:
        case FinishedGame():
            return SheetAccepted(game, result, source, by, command.origin, reason)
        case FinishedDuel():
            _check_final(state, result)
            return DuelAccepted(game, result, source, by, command.origin, reason)
        case _:
            assert_never(result)


def contest(
    state: TournamentState, command: ContestSheet, edition: Edition, by: str
) -> SheetContested | DuelContested:
    """Return the event that stores a carried record sheet differing from the accepted one, only once."""
    game, result, origin = command.game, command.result, command.origin
    drawn, table = _match_of(state, game, result)
    sheet = _accepted_sheet(drawn, table)
    if sheet.result == result or sheet.origin == origin or (result, origin) in sheet.contested:
        raise Refused(TournamentReason.NOTHING_CONTESTED, table=table.table)
    _check(result, drawn, table, edition)
    match result:
        case FinishedGame():
            return SheetContested(game, result, origin, by)
        case FinishedDuel():
            return DuelContested(game, result, origin, by)
        case _:
            assert_never(result)


def correct(
    state: TournamentState, command: CorrectSheet, edition: Edition, by: str
) -> SheetCorrected | DuelCorrected:
    """Return the event that replaces an accepted record sheet; possible until the ranking is public."""
    game, result, reason = command.game, command.result, require_reason(command.reason)
    drawn, table = _match_of(state, game, result)
    if _accepted_sheet(drawn, table).result == result:
        raise Refused(TournamentReason.NOTHING_CORRECTED, table=table.table)
    _check(result, drawn, table, edition)
    match result:
        case FinishedGame():
            corrected = SheetCorrected(game, result, reason, by)
            _check_finalists(state, corrected, edition)
            return corrected
        case FinishedDuel():
            _check_final(state, result)
            return DuelCorrected(game, result, reason, by)
        case _:
            assert_never(result)


def dispute(state: TournamentState, command: DisputeSheet, by: str) -> SheetDisputed:
    """Return the event that marks an accepted sheet as disputed; it still counts until the judge decides."""
    still_secret(state)
    reason = require_reason(command.reason)
    _accepted_sheet(*published_game(state, command.game))
    return SheetDisputed(game=command.game, reason=reason, by=by)


def settle(state: TournamentState, command: SettleDispute, by: str) -> DisputeSettled:
    """Return the event that confirms a disputed sheet."""
    still_secret(state)
    reason = require_reason(command.reason)
    _accepted_sheet(*published_game(state, command.game))
    return DisputeSettled(game=command.game, reason=reason, by=by)


def _match_of(state: TournamentState, game: GameId, result: Result) -> tuple[Round | Duels, DrawnTable]:
    """Return the round, or the part of the finals, and the table of a game."""
    still_secret(state)
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


def _check_finalists(state: TournamentState, corrected: SheetCorrected, edition: Edition) -> None:
    """Raise Refused for a late correction that would change the announced pairs of the finals."""
    if state.finals is None:
        return
    found = rounds_standings(evolve(state, corrected), edition)
    best = found.ranking[: len(state.finals.finalists)]
    if best != tuple((player,) for player in state.finals.finalists):
        raise Refused(TournamentReason.OTHER_FINALISTS)


def _check_final(state: TournamentState, result: FinishedDuel) -> None:
    """Raise Refused if a semifinal's winner isn't in the final that has already started."""
    final = None if state.finals is None else state.finals.final
    if final is not None and not any(result.winning_player in table.players for table in final.tables):
        raise Refused(TournamentReason.FINAL_IS_BEGUN)
