"""Duels that the judge starts: between the top four in the finals, and between two tied players."""

from collections.abc import Iterable
from itertools import count

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import DuelPart, MatchKind, RoundNo, TableNo
from core.tournament.commands import BeginDuels, BeginTieDuel, CallOffTieDuel, PublishRoundsRanking
from core.tournament.draw.chance import is_seed
from core.tournament.draw.draw_algorithm import game_id, lot_order
from core.tournament.draw.hall_tables import in_hall, tables_are_free, tables_suffice
from core.tournament.events import DuelsBegun, TieDuelCalledOff
from core.tournament.standings.ranking import one_on_one_pairs
from core.tournament.standings.ranking_events import RoundsRankingPublished
from core.tournament.standings.standings import rounds_standings
from core.tournament.state import TournamentState
from core.tournament.state.finals import FINALISTS, Finals, Pair
from core.tournament.state.guards import (
    name_of,
    nobody_left_is_in,
    nothing_disputed,
    nothing_owed,
    require_finals,
    rounds_are_over,
    still_secret,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.seating import DrawnTable


def publish_rounds_ranking(
    state: TournamentState, command: PublishRoundsRanking, edition: Edition, by: str
) -> RoundsRankingPublished:
    """Return the event that publishes the rounds' ranking, whose top four are the finalists.

    Refused in an edition without finals, before the rounds are over, while a tie is unbroken, and
    if fewer than four players are left.
    Source: Championship 2010 v1.1, 1.2.
    """
    still_secret(state)
    if not state.with_finals:
        raise Refused(TournamentReason.NO_FINALS)
    rounds_are_over(state, edition)
    nothing_disputed(command.disputed, edition)
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
    """Return the event that starts the semifinals or, once both are won, the final.

    Duels of players who left are not played.
    Source: Championship 2010 v1.1, 1.2 and 1.3; reading D24.
    """
    finals = require_finals(state)
    part, pairs = _next_part(finals)
    nobody_left_is_in(state, command.left)
    if edition.finals is None or command.kind not in edition.finals.modes:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=command.kind)
    begun = _called(state, part, pairs, command.kind, by)
    tables_suffice(state.hall_tables, len(begun.tables))
    tables_are_free([table.table for table in in_hall(begun.tables, state.hall_tables)], command.in_use)
    return begun


def begin_tie_duel(state: TournamentState, command: BeginTieDuel, edition: Edition, by: str) -> DuelsBegun:
    """Return the event that starts a duel of two tied players; the first seat is decided by lot.

    Source: Official Score System 2003; reading D30.
    """
    still_secret(state)
    rounds_are_over(state, edition)
    nobody_left_is_in(state, command.left)
    if command.kind not in edition.duel_modes:
        raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=command.kind)
    if not is_seed(command.seed):
        raise Refused(TournamentReason.BAD_SEED)
    tied = {frozenset(pair) for pair in one_on_one_pairs(rounds_standings(state, edition), edition)}
    pair = frozenset(command.players)
    if pair not in tied:
        names = ", ".join(name_of(state, player) for player in command.players)
        raise Refused(TournamentReason.NOT_TIED_ALONE, names=names)
    running = {frozenset(table.players): table.table for _, table in state.open_tie_duels}
    if pair in running:
        raise Refused(TournamentReason.DUELS_RUN, tables=str(running[pair]))
    (order,) = lot_order(command.seed, [[one.player for one in state.entrants if one.player in pair]])
    place = next(n for n in count(1) if state.hall_tables.find_number(n) not in running.values())
    begun = _called(state, DuelPart.TIE_BREAK, [(TableNo(place), (order[0], order[1]))], command.kind, by)
    tables_suffice(state.hall_tables, place)
    tables_are_free([table.table for table in in_hall(begun.tables, state.hall_tables)], command.in_use)
    return msgspec.structs.replace(begun, seed=command.seed)


def call_off_tie_duel(state: TournamentState, command: CallOffTieDuel, by: str) -> TieDuelCalledOff:
    """Return the event that cancels a duel of tied players. Refused for a duel that isn't running."""
    still_secret(state)
    if all(table.game != command.game for _, table in state.open_tie_duels):
        raise Refused(TournamentReason.UNKNOWN_GAME, game=command.game)
    return TieDuelCalledOff(command.game, by)


def _called(
    state: TournamentState,
    part: DuelPart,
    pairs: Iterable[tuple[TableNo, Pair]],
    kind: MatchKind,
    by: str,
) -> DuelsBegun:
    # Each duel of tied players is a round of its own, as its table may have had another one.
    before = len(state.published_rounds) + len(state.tie_duels)
    round_no = RoundNo(before + (2 if part is DuelPart.FINAL else 1))
    attempt = 1 + (state.attempts[round_no - 1] if round_no <= len(state.attempts) else 0)
    return DuelsBegun(
        part=part,
        round=round_no,
        attempt=attempt,
        kind=kind,
        tables=tuple(
            DrawnTable(table, pair, game_id(state.tournament, round_no, attempt, table))
            for table, pair in pairs
        ),
        by=by,
    )


def _next_part(finals: Finals) -> tuple[DuelPart, list[tuple[TableNo, Pair]]]:
    if finals.champion is not None:
        raise Refused(TournamentReason.FINALS_ARE_OVER)
    if finals.open_duels:
        tables = ", ".join(str(table.table) for _, table in finals.open_duels)
        raise Refused(TournamentReason.DUELS_RUN, tables=tables)
    pair = finals.final_pair
    if pair is not None:
        return DuelPart.FINAL, [(TableNo(1), pair)]
    numbered = zip((TableNo(1), TableNo(2)), finals.semifinal_pairs, finals.semifinal_winners, strict=True)
    return DuelPart.SEMIFINALS, [(table, pair) for table, pair, winner in numbered if winner is None]
