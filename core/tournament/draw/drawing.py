"""The steps of a draw, from its seal to its publication, and the permission to use tables of 4."""

from typing import Self

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import FOUR, Edition, Schedule, with_tables_of_four
from core.rule_set import TablesOfFour
from core.terms import Dollars, PlayerId, RoundNo
from core.tournament.draw.by_hand import sealed_round
from core.tournament.draw.draw_algorithm import (
    Candidate,
    DrawKey,
    draw,
    draw_in_groups,
    is_seed,
    normalise_hall_word,
    seal_of,
)
from core.tournament.draw.hall_tables import in_hall, require_enough_tables, require_free_tables
from core.tournament.draw.rounds import (
    next_games,
    planned_rounds,
    plays_in_groups,
    printed_rounds,
    table_sizes,
)
from core.tournament.state.decision import (
    WRITTEN,
    Decision,
    HallFacts,
    name_of,
    require_all_entries,
    require_all_sheets,
    require_disputes_waived,
    require_leavers_withdrawn,
    require_reason,
    require_unpublished,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, HallClock, Redraw, Round
from core.tournament.state.tournament import TournamentState, attempts_after


class SealDraw(Decision, frozen=True, kw_only=True, tag="draw-sealed", omit_defaults=True):
    """Seal the seed of the next draw, or of a redraw before publication.

    round, attempt: computed, from 1.
    seed: 64 random hex digits, generated outside the core and published with the draw.
    seal: computed; the SHA-256 of the seed in hex, which may be published at once.
    reason: why a draw is repeated; None in logs from before it was required.
    """

    round: RoundNo = RoundNo(0)
    attempt: int = 0
    seed: str
    seal: str = ""
    by: str = WRITTEN
    reason: str | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        require_all_sheets(state, edition)
        require_disputes_waived(state, hall.disputed, edition)
        published = len(state.published_rounds)
        if state.rounds_planned is not None and published >= state.rounds_planned:
            raise Refused(TournamentReason.ALL_ROUNDS_PLAYED)
        require_enough_tables(state.hall_tables, len(_next_sizes(state, edition)))
        if not is_seed(self.seed):
            raise Refused(TournamentReason.BAD_SEED)
        if any(self.seed == drawn.seed for drawn in state.rounds):
            raise Refused(TournamentReason.SEED_USED)
        used = state.attempts[published] if published < len(state.attempts) else 0
        is_asked = used > 0 and self.reason is not None
        return replace(
            self,
            round=RoundNo(published + 1),
            attempt=used + 1,
            seal=seal_of(self.seed),
            reason=require_reason(self.reason or "") if is_asked else None,
        )

    def apply(self, state: TournamentState) -> TournamentState:
        sealed, redraws = Round(self.round, self.attempt, self.seed, self.seal), state.redraws
        if self.attempt > 1:
            redraws = (*redraws, Redraw(self.round, self.attempt, self.reason or ""))
        return replace(
            state,
            rounds=(*state.published_rounds, sealed),
            attempts=attempts_after(state, self.round, self.attempt),
            redraws=redraws,
        )


def _next_sizes(state: TournamentState, edition: Edition) -> tuple[int, ...]:
    # Source: Championship 2022/23 v1.4, 1.1 "Following matches"; fewer than 10 left: reading D05.
    players = len(state.contenders)
    if plays_in_groups(state, edition):
        return next_games(state, edition).sizes
    if not state.published_rounds:
        printed_rounds(players, edition, unofficial=state.unofficial)
    began = bool(state.published_rounds)
    return table_sizes(players, edition, below_minimum=state.unofficial or began)


class AllowTablesOfFour(Decision, frozen=True, tag="tables-of-four-allowed"):
    """Allow tables of 4 from the next draw on (D44). dollars: what they pay, by row of the winnings."""

    dollars: tuple[Dollars, ...]
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        reason = require_reason(self.reason)
        if edition.tables_of_four:
            raise Refused(TournamentReason.FOUR_ALLOWED_ALREADY)
        if not edition.may_have_tables_of_four:
            raise Refused(TournamentReason.NO_TABLES_OF_FOUR)
        players = len(state.contenders)
        if players not in {FOUR + FOUR, FOUR + FOUR + 1}:
            raise Refused(TournamentReason.FOUR_NOT_NEEDED, players=players)
        with_tables_of_four(edition, TablesOfFour(reason, self.dollars))
        return replace(self, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        four = TablesOfFour(self.reason, self.dollars)
        return replace(state, rules=replace(state.rules, tables_of_four=four))


class MakeDraw(Decision, frozen=True, kw_only=True, tag="draw-made", omit_defaults=True):
    """Open the seal and make the draw that follows from the seed and the hall word.

    hall_word: called out by somebody in the hall; may be empty. All other fields are computed.
    tables: numbered from 1, independently of the hall.
    repeated_sheriffs: players who are Sheriff again (D06).
    series: the number of the series, from 1, if there are several groups; otherwise 0.
    """

    round: RoundNo = RoundNo(0)
    attempt: int = 0
    hall_word: str = WRITTEN
    tables: tuple[DrawnTable, ...] = ()
    repeated_sheriffs: tuple[PlayerId, ...] = msgspec.field(default_factory=tuple[PlayerId, ...])
    by: str = WRITTEN
    series: int = 0

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        pending = _pending(state, TournamentReason.NOTHING_SEALED)
        if pending.drawn:
            raise Refused(TournamentReason.DRAWN_ALREADY)
        hall_word = normalise_hall_word(self.hall_word)
        key = DrawKey(
            tournament=state.tournament,
            round=pending.round,
            attempt=pending.attempt,
            seed=pending.seed,
            hall_word=hall_word,
        )
        require_leavers_withdrawn(state, hall.left)
        require_all_entries(state, hall.owing)
        require_disputes_waived(state, hall.disputed, edition)
        sizes = _next_sizes(state, edition)
        require_enough_tables(state.hall_tables, len(sizes))
        games = next_games(state, edition) if plays_in_groups(state, edition) else None
        if games is None or games.is_new_series:
            counts = edition.tables.sheriff_once or edition.schedule is Schedule.ONE_GROUP
            times = ((one.player, len(one.sheriff_in) if counts else 0) for one in state.contenders)
            drawn = draw(key, [Candidate(player, number) for player, number in times], sizes)
        else:
            were = games.were_sheriff
            groups = [[Candidate(player, int(player in were)) for player in group] for group in games.groups]
            drawn = draw_in_groups(key, groups)
        return replace(
            self,
            round=pending.round,
            attempt=pending.attempt,
            hall_word=hall_word,
            tables=drawn.tables,
            repeated_sheriffs=() if edition.schedule is Schedule.ONE_GROUP else drawn.repeated_sheriffs,
            series=0 if games is None else games.series,
        )

    def apply(self, state: TournamentState) -> TournamentState:
        tables = in_hall(self.tables, state.hall_tables)
        drawn = replace(
            sealed_round(state, self.round),
            hall_word=self.hall_word,
            tables=tables,
            drawn_tables=tables,
            repeated_sheriffs=self.repeated_sheriffs,
            series=self.series,
        )
        return replace(state, rounds=(*state.published_rounds, drawn))


class PublishDraw(Decision, frozen=True, tag="draw-published"):
    """Publish the draw, and start the round. rounds_planned: fixed by the first published draw (D04)."""

    round: RoundNo = RoundNo(0)
    by: str = ""
    rounds_planned: int = 0

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        pending = _pending(state, TournamentReason.NOTHING_DRAWN)
        if not pending.drawn:
            raise Refused(TournamentReason.NOTHING_DRAWN)
        seated = {player for table in pending.tables for player in table.players}
        changed = seated ^ _to_be_seated(state, edition)
        if changed:
            names = [name_of(state, one.player) for one in state.entrants if one.player in changed]
            raise Refused(TournamentReason.DRAW_IS_STALE, names=", ".join(names))
        require_free_tables([table.table for table in pending.tables], hall.in_use)
        require_leavers_withdrawn(state, hall.left)
        require_all_entries(state, hall.owing)
        require_disputes_waived(state, hall.disputed, edition)
        rounds = state.rounds_planned
        if rounds is None:
            rounds = planned_rounds(len(seated), edition, state.waivers, unofficial=state.unofficial)
        return replace(self, round=pending.round, rounds_planned=rounds)

    def apply(self, state: TournamentState) -> TournamentState:
        published = replace(sealed_round(state, self.round), published=True)
        sheriffs = {table.players[0] for table in published.tables}
        return replace(
            state,
            rounds=(*state.published_rounds, published),
            rounds_planned=self.rounds_planned,
            clock=HallClock(self.round),
            entrants=tuple(
                replace(one, sheriff_in=(*one.sheriff_in, self.round)) if one.player in sheriffs else one
                for one in state.entrants
            ),
        )


def _to_be_seated(state: TournamentState, edition: Edition) -> set[PlayerId]:
    if plays_in_groups(state, edition):
        return {player for group in next_games(state, edition).groups for player in group}
    return {entrant.player for entrant in state.contenders}


def _pending(state: TournamentState, missing: TournamentReason) -> Round:
    require_unpublished(state)
    if state.pending_round is None:
        raise Refused(missing)
    return state.pending_round
