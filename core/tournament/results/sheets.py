"""Accepting and correcting record sheets."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.ending.finished import FinishedGame, check_finished
from saloon.core.terms import GameId
from saloon.core.tournament.commands import (
    AcceptSheet,
    ContestSheet,
    CorrectSheet,
    DisputeSheet,
    SettleDispute,
)
from saloon.core.tournament.events import (
    DisputeSettled,
    DrawnTable,
    SheetAccepted,
    SheetContested,
    SheetCorrected,
    SheetDisputed,
)
from saloon.core.tournament.evolve import evolve
from saloon.core.tournament.guards import given_reason, published_game, sheet_of, still_secret
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.standings.standings import rounds_standings
from saloon.core.tournament.state import Round, TournamentState


def accept(state: TournamentState, command: AcceptSheet, edition: Edition, by: str) -> SheetAccepted:
    """Return a table's confirmed record sheet: the drawn players, a possible game, and not yet accepted.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """
    still_secret(state)
    drawn, table = published_game(state, command.game)
    if sheet_of(drawn, command.game) is not None:
        raise Refused(TournamentReason.SHEET_TWICE, table=table.table)
    _check(command.result, drawn, table, edition)
    return SheetAccepted(
        game=command.game,
        result=command.result,
        source=command.source,
        by=by,
        origin=command.origin,
        reason=command.reason.strip(),
    )


def contest(state: TournamentState, command: ContestSheet, edition: Edition, by: str) -> SheetContested:
    """Return a carried record sheet that differs from the accepted one; kept once for each origin."""
    still_secret(state)
    drawn, table = published_game(state, command.game)
    sheet = sheet_of(drawn, command.game)
    if sheet is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)
    said = (command.result, command.origin)
    if sheet.result == command.result or sheet.origin == command.origin or said in sheet.contested:
        raise Refused(TournamentReason.NOTHING_CONTESTED, table=table.table)
    _check(command.result, drawn, table, edition)
    return SheetContested(game=command.game, result=command.result, origin=command.origin, by=by)


def correct(state: TournamentState, command: CorrectSheet, edition: Edition, by: str) -> SheetCorrected:
    """Return a record sheet that replaces the accepted one; possible until the ranking is public."""
    still_secret(state)
    reason = given_reason(command.reason)
    drawn, table = published_game(state, command.game)
    sheet = sheet_of(drawn, command.game)
    if sheet is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)
    if sheet.result == command.result:
        raise Refused(TournamentReason.NOTHING_CORRECTED, table=table.table)
    _check(command.result, drawn, table, edition)
    corrected = SheetCorrected(game=command.game, result=command.result, reason=reason, by=by)
    _check_finalists(state, corrected, edition)
    return corrected


def dispute(state: TournamentState, command: DisputeSheet, by: str) -> SheetDisputed:
    """Return a dispute of an accepted sheet, which still counts until somebody has decided."""
    still_secret(state)
    reason = given_reason(command.reason)
    _accepted(state, command.game)
    return SheetDisputed(game=command.game, reason=reason, by=by)


def settle(state: TournamentState, command: SettleDispute, by: str) -> DisputeSettled:
    """Return the decision that the accepted sheet counts in spite of a dispute."""
    still_secret(state)
    reason = given_reason(command.reason)
    _accepted(state, command.game)
    return DisputeSettled(game=command.game, reason=reason, by=by)


def _accepted(state: TournamentState, game: GameId) -> None:
    drawn, table = published_game(state, game)
    if sheet_of(drawn, game) is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)


def _check_finalists(state: TournamentState, corrected: SheetCorrected, edition: Edition) -> None:
    """Refuse a late correction that changes the pairs of finals that are announced."""
    if state.finals is None:
        return
    found = rounds_standings(evolve(state, corrected), edition)
    best = found.ranking[: len(state.finals.finalists)]
    if best != tuple((player,) for player in state.finals.finalists):
        raise Refused(TournamentReason.OTHER_FINALISTS)


def _check(result: FinishedGame, drawn: Round, table: DrawnTable, edition: Edition) -> None:
    if (result.round, result.table) != (drawn.round, table.table):
        raise Refused(
            TournamentReason.OTHER_TABLE,
            round=result.round,
            table=result.table,
            drawn_round=drawn.round,
            drawn_table=table.table,
        )
    if result.players != table.players:
        raise Refused(TournamentReason.OTHER_PLAYERS, table=table.table)
    check_finished(result, edition)
