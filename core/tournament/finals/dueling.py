"""The judge's work in the finals: name the four, call the duels."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.match import FinalsPart
from saloon.core.terms import RoundNo, TableNo
from saloon.core.tournament.commands import BeginDuels, PublishRoundsRanking
from saloon.core.tournament.draw.draw_algorithm import game_id
from saloon.core.tournament.draw.hall_tables import in_hall, tables_are_free, tables_suffice
from saloon.core.tournament.events import DrawnTable, DuelsBegun, RoundsRankingPublished
from saloon.core.tournament.finals.finals import FINALISTS, Finals, Pair
from saloon.core.tournament.guards import (
    name_of,
    nobody_left_is_in,
    nothing_disputed,
    nothing_owed,
    require_finals,
    rounds_are_over,
    still_secret,
)
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.standings.standings import rounds_standings
from saloon.core.tournament.state import TournamentState


def publish_rounds_ranking(
    state: TournamentState, command: PublishRoundsRanking, edition: Edition, by: str
) -> RoundsRankingPublished:
    """Return the event that publishes the rounds' ranking, whose top four are the finalists.

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
    finals = require_finals(state)
    part, pairs = _next_part(finals)
    nobody_left_is_in(state, command.left)
    if edition.finals is None or command.kind not in edition.finals.modes:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=command.kind)
    played = len(state.published_rounds)
    round_no = RoundNo(played + (1 if part is FinalsPart.SEMIFINALS else 2))
    used = state.attempts[round_no - 1] if round_no <= len(state.attempts) else 0
    tables = tuple(
        DrawnTable(table, pair, game_id(state.tournament, round_no, used + 1, table)) for table, pair in pairs
    )
    tables_suffice(state.hall_tables, len(tables))
    tables_are_free([table.table for table in in_hall(tables, state.hall_tables)], command.in_use)
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
