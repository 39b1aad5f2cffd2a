"""The end of a tournament: lots for unbroken ties, and the published ranking."""

from typing import Self

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.tables import FINALISTS
from core.terms import PlayerId
from core.tournament.draw.draw_algorithm import is_seed, lot_order
from core.tournament.standings.standings import Standings, rounds_standings
from core.tournament.state.decision import (
    WRITTEN,
    Decision,
    HallFacts,
    name_of,
    require_all_entries,
    require_entrant,
    require_leavers_withdrawn,
    require_no_disputes,
    require_rounds_over,
    require_unpublished,
)
from core.tournament.state.prizes import PrizeGroup
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Stage, TournamentState


class DrawLots(Decision, frozen=True, tag="lots-drawn"):
    """Draw lots for all remaining ties. seed: 64 hex digits. groups (computed): each best first.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers".
    """

    seed: str
    groups: tuple[tuple[PlayerId, ...], ...] = ()
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        require_rounds_over(state, edition)
        require_leavers_withdrawn(state, hall.left)
        if not is_seed(self.seed):
            raise Refused(TournamentReason.BAD_SEED)
        if any(self.seed == drawn.seed for drawn in state.rounds):
            raise Refused(TournamentReason.SEED_USED)
        tied = rounds_standings(state, edition).draw_groups
        if not tied:
            raise Refused(TournamentReason.NOTHING_TIED)
        order = {entrant.player: place for place, entrant in enumerate(state.entrants)}
        groups = [sorted(group, key=order.__getitem__) for group in tied]
        return replace(self, groups=lot_order(self.seed, groups))

    def apply(self, state: TournamentState) -> TournamentState:
        seeds = (self.seed,) * len(self.groups)
        return replace(state, lots=state.lots + self.groups, lot_seeds=state.lot_seeds + seeds)


def offers_one_on_one(edition: Edition) -> bool:
    """Return whether two tied players may play a one-on-one game instead of drawing lots.

    Source: Official Score System 2003; reading D30.
    """
    return edition.is_one_group


def one_on_one_pairs(standings: Standings, edition: Edition) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the ties of exactly two players, which a one-on-one game may break.

    Source: Official Score System 2003; reading D30.
    """
    if not offers_one_on_one(edition):
        return ()
    return tuple(group for group in standings.draw_groups if len(group) == _TWO)


_TWO = 2


class EnterOneOnOne(Decision, frozen=True, tag="one-on-one-entered"):
    """Enter the result of a one-on-one game that two tied players played instead of drawing lots.

    Source: Official Score System 2003; reading D30.
    """

    winner: PlayerId
    loser: PlayerId
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        require_rounds_over(state, edition)
        require_leavers_withdrawn(state, hall.left)
        if not offers_one_on_one(edition):
            raise Refused(TournamentReason.NO_ONE_ON_ONE)
        both = (self.winner, self.loser)
        names = [name_of(state, require_entrant(state, player).player) for player in both]
        pairs = one_on_one_pairs(rounds_standings(state, edition), edition)
        if set(both) not in (set(pair) for pair in pairs):
            raise Refused(TournamentReason.NOT_TIED_ALONE, names=", ".join(names))
        return self

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, one_on_ones=(*state.one_on_ones, (self.winner, self.loser)))


class PublishRanking(Decision, frozen=True, tag="ranking-published", omit_defaults=True):
    """End the tournament and publish the ranking.

    With fewer than four players left, the tournament ends with the ranking of the rounds.
    newcomers: as marked by the judges; kept only if a prize is for newcomers.
    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D22.
    """

    by: str = WRITTEN
    newcomers: tuple[PlayerId, ...] = ()

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        if state.stage is Stage.PUBLISHED:
            raise Refused(TournamentReason.RANKING_TWICE)
        require_rounds_over(state, edition)
        require_no_disputes(hall.disputed, edition)
        require_leavers_withdrawn(state, hall.left)
        if state.stage is Stage.FINALS and (state.finals is not None or len(state.contenders) >= FINALISTS):
            raise Refused(TournamentReason.FINALS_NOT_OVER)
        tied = rounds_standings(state, edition).draw_groups
        if tied:
            names = ", ".join(name_of(state, player) for player in tied[0])
            raise Refused(TournamentReason.TIED, names=names)
        require_all_entries(state, hall.owing)
        are_needed = any(prize.group is PrizeGroup.NEWCOMERS for prize in state.prizes)
        players = (entrant.player for entrant in state.entrants if are_needed)
        return replace(self, newcomers=tuple(player for player in players if player in self.newcomers))

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, stage=Stage.PUBLISHED, newcomers=self.newcomers)
