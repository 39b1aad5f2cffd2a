"""The judge's work in the finals: name the four, call the duels, confirm their results."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.duel.finished import FinishedDuel, check_finished_duel
from saloon.core.terms import GameId, PlayerId, RoundNo, TableNo
from saloon.core.tournament.commands import (
    AcceptDuel,
    BeginDuels,
    ContestDuel,
    CorrectDuel,
    PublishRoundsRanking,
)
from saloon.core.tournament.draw.draw import game_id
from saloon.core.tournament.draw.hall_tables import in_hall, tables_are_free
from saloon.core.tournament.events import (
    DrawnTable,
    DuelAccepted,
    DuelContested,
    DuelCorrected,
    DuelsBegun,
    FinalsPart,
    RoundsRankingPublished,
)
from saloon.core.tournament.finals.finals import FINALISTS, AcceptedDuel, Duels, Finals, Pair
from saloon.core.tournament.guards import (
    given_reason,
    name_of,
    nobody_left_is_in,
    nothing_disputed,
    nothing_owed,
    rounds_are_over,
    still_secret,
)
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.standings.standings import rounds_standings
from saloon.core.tournament.state import TournamentState


def publish_rounds_ranking(
    state: TournamentState, command: PublishRoundsRanking, edition: Edition, by: str
) -> RoundsRankingPublished:
    """Return the publication of the rounds' ranking, whose four best are the finalists.

    Refused in an edition without finals, before the rounds are over, while a tie is unbroken, and
    with fewer than four players left.
    Source: Championship 2010 v1.1, 1.2.
    """
    still_secret(state)
    if not state.with_finals:
        raise Refused(TournamentReason.NO_FINALS)
    rounds_are_over(state)
    nothing_disputed(command.disputed)
    nobody_left_is_in(state, command.left)
    if state.finals is not None:
        raise Refused(TournamentReason.ROUNDS_RANKING_TWICE)
    found = rounds_standings(state, edition)
    if found.draw_groups:
        raise Refused(
            TournamentReason.TIED, names=", ".join(name_of(state, player) for player in found.draw_groups[0])
        )
    ranked = tuple(row.player for row in found.rows if not row.withdrawn)
    if len(ranked) < FINALISTS:
        raise Refused(TournamentReason.TOO_FEW_FOR_FINALS, players=len(ranked), finalists=FINALISTS)
    nothing_owed(state, command.owing)
    return RoundsRankingPublished(finalists=ranked[:FINALISTS], by=by)


def begin(state: TournamentState, command: BeginDuels, edition: Edition, by: str) -> DuelsBegun:
    """Return the semifinals, or when both are won the final; a duel whose opponent left is not played.

    Source: Championship 2010 v1.1, 1.2 and 1.3; reading D24.
    """
    finals = _named(state)
    part, pairs = _next_part(finals)
    nobody_left_is_in(state, command.left)
    if edition.finals is None or command.kind not in edition.finals.modes:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=command.kind.value)
    played = len(state.published_rounds)
    round_no = RoundNo(played + (1 if part is FinalsPart.SEMIFINALS else 2))
    used = state.attempts[round_no - 1] if round_no <= len(state.attempts) else 0
    tables = tuple(
        DrawnTable(table, pair, game_id(state.tournament, round_no, used + 1, table)) for table, pair in pairs
    )
    tables_are_free([table.table for table in in_hall(tables, state.first_table)], command.in_use)
    return DuelsBegun(
        part=part,
        round=round_no,
        attempt=used + 1,
        kind=command.kind,
        tables=tables,
        by=by,
    )


def _next_part(finals: Finals) -> tuple[FinalsPart, list[tuple[TableNo, Pair]]]:
    if finals.champion is not None:
        raise Refused(TournamentReason.FINALS_ARE_OVER)
    if finals.open_duels:
        tables = ", ".join(str(table.table) for _, table in finals.open_duels)
        raise Refused(TournamentReason.DUELS_RUN, tables=tables)
    pair = finals.final_pair
    if pair is not None:
        return FinalsPart.FINAL, [(TableNo(1), pair)]
    numbered = zip((TableNo(1), TableNo(2)), finals.semifinal_pairs, finals.semifinal_winners, strict=True)
    return FinalsPart.SEMIFINALS, [(table, pair) for table, pair, winner in numbered if winner is None]


def accept(state: TournamentState, command: AcceptDuel, edition: Edition, by: str) -> DuelAccepted:
    """Return a duel's confirmed result. Source: Championship 2010 v1.1, 1.2."""
    duels, table = _called(state, command.game)
    if duels.result_at(table.table) is not None:
        raise Refused(TournamentReason.SHEET_TWICE, table=table.table)
    _check(command.result, duels, table, edition)
    _check_final_stands(state, duels, command.result)
    return DuelAccepted(
        game=command.game,
        result=command.result,
        source=command.source,
        by=by,
        origin=command.origin,
        reason=command.reason.strip(),
    )


def contest(state: TournamentState, command: ContestDuel, edition: Edition, by: str) -> DuelContested:
    """Return a carried result beside the accepted one, which says otherwise; kept once for each origin."""
    duels, table = _called(state, command.game)
    accepted = duels.result_at(table.table)
    if accepted is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)
    said = (command.result, command.origin)
    if accepted.result == command.result or accepted.origin == command.origin or said in accepted.contested:
        raise Refused(TournamentReason.NOTHING_CONTESTED, table=table.table)
    _check(command.result, duels, table, edition)
    return DuelContested(game=command.game, result=command.result, origin=command.origin, by=by)


def correct(state: TournamentState, command: CorrectDuel, edition: Edition, by: str) -> DuelCorrected:
    """Return the corrected result; a semifinal's winner changes only before the final begins."""
    reason = given_reason(command.reason)
    duels, table = _called(state, command.game)
    accepted: AcceptedDuel | None = duels.result_at(table.table)
    if accepted is None:
        raise Refused(TournamentReason.NO_SHEET_TO_CORRECT, table=table.table)
    if accepted.result == command.result:
        raise Refused(TournamentReason.NOTHING_CORRECTED, table=table.table)
    _check(command.result, duels, table, edition)
    _check_final_stands(state, duels, command.result)
    return DuelCorrected(game=command.game, result=command.result, reason=reason, by=by)


def _named(state: TournamentState) -> Finals:
    still_secret(state)
    if not state.with_finals:
        raise Refused(TournamentReason.NO_FINALS)
    if state.finals is None:
        raise Refused(TournamentReason.FINALISTS_UNKNOWN)
    return state.finals


def _called(state: TournamentState, game: GameId) -> tuple[Duels, DrawnTable]:
    for duels in _named(state).begun:
        for table in duels.tables:
            if table.game == game:
                return duels, table
    raise Refused(TournamentReason.UNKNOWN_GAME, game=game)


def _check(result: FinishedDuel, duels: Duels, table: DrawnTable, edition: Edition) -> None:
    if (result.round, result.table) != (duels.round, table.table):
        raise Refused(
            TournamentReason.OTHER_TABLE,
            round=result.round,
            table=result.table,
            drawn_round=duels.round,
            drawn_table=table.table,
        )
    if result.players != table.players:
        raise Refused(TournamentReason.OTHER_PLAYERS, table=table.table)
    if result.kind is not duels.kind:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=result.kind.value)
    check_finished_duel(result, edition)


def _check_final_stands(state: TournamentState, duels: Duels, result: FinishedDuel) -> None:
    """Refuse a winner of a semifinal who is not in the final that has begun without him."""
    finals = _named(state)
    if duels.part is FinalsPart.FINAL or finals.final is None:
        return
    in_final: set[PlayerId] = {player for table in finals.final.tables for player in table.players}
    if result.winning_player not in in_final:
        raise Refused(TournamentReason.FINAL_IS_BEGUN)
