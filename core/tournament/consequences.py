"""The consequences of a decision before it is made: dollars, ranks, tie-breaks and later budgets."""

from collections.abc import Iterator, Mapping
from itertools import repeat

import msgspec

from core.editions.edition import Edition, TieBreak
from core.editions.tables import FINALISTS
from core.terms import Dollars, GameId, PlayerId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, TournamentStep, decide
from core.tournament.standings.ledger import budgets, game_result, is_money_spent
from core.tournament.standings.standings import StandingRow, Standings, rounds_standings, standings_of
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import TournamentTimeline, extend


class SeatChange(msgspec.Struct, frozen=True):
    """A change in what a player won and spent in one game; None where there is no record sheet."""

    round: RoundNo
    table: TableNo
    game: GameId
    player: PlayerId
    won_before: Dollars | None
    won_after: Dollars | None
    spent_before: Dollars | None
    spent_after: Dollars | None


class RowChange(msgspec.Struct, frozen=True):
    """A change to a player's row in the standings. before, after: None where there is no row."""

    player: PlayerId
    before: StandingRow | None
    after: StandingRow | None

    @property
    def keys(self) -> tuple[TieBreak, ...]:
        """The tie-breaks whose value changes."""
        if self.before is None or self.after is None:
            return ()
        pairs = zip(self.before.keys, self.after.keys, strict=True)
        return tuple(one.key for one, other in pairs if one.value != other.value)


class BudgetChange(msgspec.Struct, frozen=True):
    """A change to the budget of a player who is already seated. spent: None until the sheet is accepted."""

    round: RoundNo
    table: TableNo
    game: GameId
    player: PlayerId
    before: Dollars
    after: Dollars
    spent: Dollars | None

    @property
    def is_overspent(self) -> bool:
        return self.spent is not None and self.spent > max(0, self.after)


class Consequences(msgspec.Struct, frozen=True):
    """The consequences of a decision.

    rows: changed rows, best first by the new order.
    finalists: the players of the finals, or empty in an edition without.
    final: the two players of the final, or empty before both semifinals are won.
    ties: groups that can only be ordered by lot.
    lots_void: lots already drawn that would no longer count.
    """

    seats: tuple[SeatChange, ...]
    rows: tuple[RowChange, ...]
    budgets: tuple[BudgetChange, ...]
    finalists_before: tuple[PlayerId, ...]
    finalists_after: tuple[PlayerId, ...]
    final_before: tuple[PlayerId, ...]
    final_after: tuple[PlayerId, ...]
    ties_before: tuple[tuple[PlayerId, ...], ...]
    ties_after: tuple[tuple[PlayerId, ...], ...]
    lots_void: tuple[tuple[PlayerId, ...], ...]

    @property
    def is_empty(self) -> bool:
        lists = (self.seats, self.rows, self.budgets, self.lots_void)
        return not any(lists) and self.final_before == self.final_after

    @property
    def overspent(self) -> tuple[BudgetChange, ...]:
        return tuple(change for change in self.budgets if change.is_overspent)


def consequences(
    timeline: TournamentTimeline, decision: TournamentDecision, edition: Edition
) -> Consequences:
    """Return what a decision would change, without making it. Raises Refused as ``decide`` does."""
    before = timeline.state
    events = decide(before, decision, edition, by="")
    after = extend(timeline, TournamentStep(before.tournament, events, "")).state
    return changes(before, after, edition)


def changes(before: TournamentState, after: TournamentState, edition: Edition) -> Consequences:
    """Return the differences between two states in dollars, ranks, tie-breaks and budgets."""
    standing, later = standings_of(before, edition), standings_of(after, edition)
    was, is_ = ({row.player: row for row in standings.rows} for standings in (standing, later))
    return Consequences(
        seats=tuple(_seat_changes(before, after, edition)),
        rows=tuple(
            RowChange(player, was.get(player), is_.get(player))
            for player in dict.fromkeys((*is_, *was))
            if was.get(player) != is_.get(player)
        ),
        budgets=tuple(_budget_changes(before, after, edition)),
        finalists_before=_finalists(before, edition),
        finalists_after=_finalists(after, edition),
        final_before=_final(before),
        final_after=_final(after),
        ties_before=standing.draw_groups,
        ties_after=later.draw_groups,
        lots_void=tuple(
            group for group in before.lots if _counts(group, standing) and not _counts(group, later)
        ),
    )


def _finalists(state: TournamentState, edition: Edition) -> tuple[PlayerId, ...]:
    if not state.with_finals:
        return ()
    if state.finals is not None:
        return state.finals.finalists
    inside = [row.player for row in rounds_standings(state, edition).rows if not row.withdrawn]
    return tuple(inside[:FINALISTS])


def _final(state: TournamentState) -> tuple[PlayerId, ...]:
    return () if state.finals is None else state.finals.final_pair or ()


def _seat_changes(before: TournamentState, after: TournamentState, edition: Edition) -> Iterator[SeatChange]:
    was, is_ = _money(before, edition), _money(after, edition)
    for seat in dict.fromkeys((*was, *is_)):
        (won, spent), (would_win, would_spend) = (money.get(seat, (None, None)) for money in (was, is_))
        if (won, spent) != (would_win, would_spend):
            yield SeatChange(*seat, won, would_win, spent, would_spend)


def _money(
    state: TournamentState, edition: Edition
) -> Mapping[tuple[RoundNo, TableNo, GameId, PlayerId], tuple[Dollars, Dollars]]:
    return {
        (drawn.round, sheet.result.table, sheet.game, player): (won, spent)
        for drawn in state.published_rounds
        for sheet in drawn.sheets
        for player, won, spent in zip(
            sheet.result.players,
            game_result(sheet.result, edition).payout,
            sheet.result.spent or repeat(Dollars(0)),
            strict=False,
        )
    }


def _budget_changes(
    before: TournamentState, after: TournamentState, edition: Edition
) -> Iterator[BudgetChange]:
    if not is_money_spent(edition):
        return
    money = _money(after, edition)
    attempts = {drawn.round: drawn.attempt for drawn in before.published_rounds}
    for drawn in after.published_rounds:
        if attempts.get(drawn.round) != drawn.attempt:
            continue
        was, would_be = budgets(before, edition, drawn.round), budgets(after, edition, drawn.round)
        for table in drawn.tables:
            for player in table.players:
                if was[player] != would_be[player]:
                    seat = (drawn.round, table.table, table.game, player)
                    _, spent = money.get(seat, (None, None))
                    yield BudgetChange(*seat, was[player], would_be[player], spent)


def _counts(group: tuple[PlayerId, ...], standings: Standings) -> bool:
    rows = [standings.row(player) for player in group]
    return all(row is not None and row.lot == place for place, row in enumerate(rows, start=1))
