"""Duels that the judge starts: between the top four in the finals, and between two tied players."""

from collections.abc import Iterable
from itertools import count
from typing import Self

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.tables import FINALISTS
from core.terms import DuelPart, GameId, MatchKind, PlayerId, RoundNo, TableNo
from core.tournament.draw.draw_algorithm import game_id, is_seed, lot_order
from core.tournament.draw.hall_tables import in_hall, require_enough_tables, require_free_tables
from core.tournament.standings.ranking import one_on_one_pairs
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.decision import (
    Decision,
    HallFacts,
    name_of,
    require_all_entries,
    require_finals,
    require_leavers_withdrawn,
    require_no_disputes,
    require_rounds_over,
    require_unpublished,
)
from core.tournament.state.finals import Duels, Finals, Pair, require_begun
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import TournamentState, attempts_after


class PublishRoundsRanking(Decision, frozen=True, tag="rounds-ranking-published"):
    """Publish the ranking of the rounds, whose top four are the finalists.

    finalists: computed; best first.
    Source: Championship 2010 v1.1, 1.2.
    """

    finalists: tuple[PlayerId, ...] = ()
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        if not state.with_finals:
            raise Refused(TournamentReason.NO_FINALS)
        require_rounds_over(state, edition)
        require_no_disputes(hall.disputed, edition)
        require_leavers_withdrawn(state, hall.left)
        if state.finals is not None:
            raise Refused(TournamentReason.ROUNDS_RANKING_TWICE)
        standings = rounds_standings(state, edition)
        if standings.draw_groups:
            tied = ", ".join(name_of(state, player) for player in standings.draw_groups[0])
            raise Refused(TournamentReason.TIED, names=tied)
        ranked = tuple(row.player for row in standings.rows if not row.withdrawn)
        if len(ranked) < FINALISTS:
            raise Refused(TournamentReason.TOO_FEW_FOR_FINALS, players=len(ranked), finalists=FINALISTS)
        require_all_entries(state, hall.owing)
        return replace(self, finalists=ranked[:FINALISTS])

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, finals=Finals(self.finalists))


class BeginDuels(Decision, frozen=True, kw_only=True, tag="duels-begun"):
    """Start the semifinals, the final, or a duel of two tied players (see ``of_tie``).

    part, round, attempt: computed; the round is numbered after those of the tournament.
    tables: computed, except the two tied players; numbered from 1 as in a draw, without duels that need not
        be played. The better placed player has the first seat.
    seed: the seed of the lot that decides the first seat of tied players.
    Source: Championship 2010 v1.1, 1.2 and 1.3; Official Score System 2003; readings D24, D30.
    """

    part: DuelPart = DuelPart.SEMIFINALS
    round: RoundNo = RoundNo(0)
    attempt: int = 0
    kind: MatchKind
    tables: tuple[DrawnTable, ...] = ()
    by: str = ""
    seed: str = ""

    @classmethod
    def of_tie(cls, players: tuple[PlayerId, PlayerId], kind: MatchKind, seed: str) -> "BeginDuels":
        """Return the decision that starts a one-on-one game of two tied players."""
        table = DrawnTable(TableNo(1), players, GameId(""))
        return BeginDuels(part=DuelPart.TIE_BREAK, kind=kind, tables=(table,), seed=seed)

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        if self.part is DuelPart.TIE_BREAK and self.tables:
            begun, needed = self._of_tie(state, edition, hall)
        else:
            begun, needed = self._of_finals(state, edition, hall)
        require_enough_tables(state.hall_tables, needed)
        require_free_tables([one.table for one in in_hall(begun.tables, state.hall_tables)], hall.in_use)
        return begun

    def _of_finals(self, state: TournamentState, edition: Edition, hall: HallFacts) -> tuple[Self, int]:
        finals = require_finals(state)
        part, pairs = _next_part(finals)
        require_leavers_withdrawn(state, hall.left)
        if edition.finals is None or self.kind not in edition.finals.modes:
            raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=self.kind)
        return replace(self._called(state, part, pairs), seed=""), len(pairs)

    def _of_tie(self, state: TournamentState, edition: Edition, hall: HallFacts) -> tuple[Self, int]:
        players = self.tables[0].players
        require_unpublished(state)
        require_rounds_over(state, edition)
        require_leavers_withdrawn(state, hall.left)
        if self.kind not in edition.duel_modes:
            raise Refused(TournamentReason.OTHER_DUEL_KIND, kind=self.kind)
        if not is_seed(self.seed):
            raise Refused(TournamentReason.BAD_SEED)
        tied = {frozenset(pair) for pair in one_on_one_pairs(rounds_standings(state, edition), edition)}
        pair = frozenset(players)
        if pair not in tied:
            names = ", ".join(name_of(state, player) for player in players)
            raise Refused(TournamentReason.NOT_TIED_ALONE, names=names)
        running = {frozenset(table.players): table.table for _, table in state.open_tie_duels}
        if pair in running:
            raise Refused(TournamentReason.DUELS_RUN, tables=str(running[pair]))
        (order,) = lot_order(self.seed, [[one.player for one in state.entrants if one.player in pair]])
        place = next(n for n in count(1) if state.hall_tables.find_number(n) not in running.values())
        return self._called(state, self.part, [(TableNo(place), (order[0], order[1]))]), place

    def _called(self, state: TournamentState, part: DuelPart, pairs: Iterable[tuple[TableNo, Pair]]) -> Self:
        # Each duel of tied players is a round of its own, as its table may have had another one.
        before = len(state.published_rounds) + len(state.tie_duels)
        round_no = RoundNo(before + (2 if part is DuelPart.FINAL else 1))
        attempt = 1 + (state.attempts[round_no - 1] if round_no <= len(state.attempts) else 0)
        tables = tuple(
            DrawnTable(table, pair, game_id(state.tournament, round_no, attempt, table))
            for table, pair in pairs
        )
        return replace(self, part=part, round=round_no, attempt=attempt, tables=tables)

    def apply(self, state: TournamentState) -> TournamentState:
        tables = in_hall(self.tables, state.hall_tables)
        duels = Duels(self.part, self.round, self.attempt, self.kind, tables)
        attempts = attempts_after(state, self.round, self.attempt)
        if self.part is DuelPart.TIE_BREAK:
            return replace(state, tie_duels=(*state.tie_duels, duels), attempts=attempts)
        finals = require_begun(state.finals, type(self).__name__)
        is_final = self.part is DuelPart.FINAL
        finals = replace(finals, final=duels) if is_final else replace(finals, semifinals=duels)
        return replace(state, finals=finals, attempts=attempts)


class CallOffTieDuel(Decision, frozen=True, tag="tie-duel-called-off"):
    """Cancel a duel of tied players: it was started by mistake, or they are no longer tied."""

    game: GameId
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        if all(table.game != self.game for _, table in state.open_tie_duels):
            raise Refused(TournamentReason.UNKNOWN_GAME, game=self.game)
        return self

    def apply(self, state: TournamentState) -> TournamentState:
        ties = tuple(
            replace(duels, called_off=True) if duels.tables[0].game == self.game else duels
            for duels in state.tie_duels
        )
        if ties == state.tie_duels:
            raise BadData("tournament log", f"a duel is called off that is not running: {self.game}")
        return replace(state, tie_duels=ties)


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
