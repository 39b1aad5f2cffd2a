"""The rounds and tables that a tournament would have with its current players."""

from collections.abc import Iterable

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.tournament.draw.rounds import next_games, planned_rounds, plays_in_groups, table_sizes
from core.tournament.state.tournament import Stage, TournamentState


class TournamentForecast(msgspec.Struct, frozen=True):
    """A tournament's rounds and table sizes.

    rounds: 0 if there are too few players.
    sizes: those of the next round, or of the last one once it is published; empty if there are too few
        players.
    """

    rounds: int = 0
    sizes: tuple[int, ...] = ()


def first_free_table(tournaments: Iterable[tuple[TournamentState, Edition]]) -> int:
    """Return the first table number above those of all unfinished tournaments."""
    open_ones = [(state, edition) for state, edition in tournaments if state.stage is not Stage.PUBLISHED]
    return 1 + max((_last_table(state, edition) for state, edition in open_ones), default=0)


def _last_table(state: TournamentState, edition: Edition) -> int:
    """Return the last table number of a tournament, including its next round."""
    planned = (state.hall_tables.find_number(n) for n in range(1, len(plan_of(state, edition).sizes) + 1))
    return max([0, *planned, *(table.table for drawn in state.rounds for table in drawn.tables)])


def is_movable(state: TournamentState) -> bool:
    """Return whether the judge may choose other tables: no round is running, and more are to come."""
    return state.stage not in {Stage.PLAYING, Stage.FINISHED, Stage.PUBLISHED} and not state.open_duels


def plan_of(state: TournamentState, edition: Edition) -> TournamentForecast:
    """Return the current plan. The first published draw fixes the number of rounds."""
    players = len(state.contenders)
    has_begun = bool(state.published_rounds)
    try:
        if plays_in_groups(state, edition):
            sizes = next_games(state, edition).sizes
        else:
            sizes = table_sizes(players, edition, below_minimum=state.unofficial or has_begun)
    except Refused:
        sizes = ()
    if state.rounds_planned is not None:
        if len(state.published_rounds) >= state.rounds_planned:
            # Withdrawals can't change the tables any more.
            sizes = tuple(len(table.players) for table in state.published_rounds[-1].tables)
        return TournamentForecast(state.rounds_planned, sizes)
    try:
        rounds = planned_rounds(players, edition, state.waivers, unofficial=state.unofficial)
    except Refused:
        rounds = 0
    return TournamentForecast(rounds, sizes)
