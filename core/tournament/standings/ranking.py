"""The end of a tournament: lots for unbroken ties, and the published ranking."""

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.editions.readings import OneOnOne
from core.terms import PlayerId
from core.tournament.commands import DrawLots, EnterOneOnOne, PublishRanking
from core.tournament.draw.chance import is_seed
from core.tournament.draw.draw_algorithm import lot_order
from core.tournament.standings.ranking_events import LotsDrawn, OneOnOneEntered, RankingPublished
from core.tournament.standings.standings import Standings, rounds_standings
from core.tournament.state import Stage, TournamentState
from core.tournament.state.finals import FINALISTS
from core.tournament.state.guards import (
    name_of,
    nobody_left_is_in,
    nothing_disputed,
    nothing_owed,
    require_entrant,
    rounds_are_over,
    still_secret,
)
from core.tournament.state.reasons import TournamentReason


def draw_lots(state: TournamentState, command: DrawLots, edition: Edition, by: str) -> LotsDrawn:
    """Return the event that orders all remaining ties by lot.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers".
    """
    still_secret(state)
    rounds_are_over(state, edition)
    nobody_left_is_in(state, command.left)
    if not is_seed(command.seed):
        raise Refused(TournamentReason.BAD_SEED)
    if any(command.seed == drawn.seed for drawn in state.rounds):
        raise Refused(TournamentReason.SEED_USED)
    tied = rounds_standings(state, edition).draw_groups
    if not tied:
        raise Refused(TournamentReason.NOTHING_TIED)
    order = {entrant.player: place for place, entrant in enumerate(state.entrants)}
    groups = [sorted(group, key=order.__getitem__) for group in tied]
    return LotsDrawn(seed=command.seed, groups=lot_order(command.seed, groups), by=by)


def offers_one_on_one(edition: Edition) -> bool:
    """Return whether two tied players may play a one-on-one game instead of drawing lots.

    Source: Official Score System 2003; reading D30.
    """
    match edition.readings.one_on_one:
        case OneOnOne.OFFERED:
            return edition.schedule is Schedule.ONE_GROUP


def one_on_one_pairs(found: Standings, edition: Edition) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the ties of exactly two players, which a one-on-one game may break.

    Source: Official Score System 2003; reading D30.
    """
    if not offers_one_on_one(edition):
        return ()
    return tuple(group for group in found.draw_groups if len(group) == _TWO)


_TWO = 2


def enter_one_on_one(
    state: TournamentState, command: EnterOneOnOne, edition: Edition, by: str
) -> OneOnOneEntered:
    """Return the result of a one-on-one game. Refused for players who aren't the only two in their tie.

    Source: Official Score System 2003; reading D30.
    """
    still_secret(state)
    rounds_are_over(state, edition)
    nobody_left_is_in(state, command.left)
    if not offers_one_on_one(edition):
        raise Refused(TournamentReason.NO_ONE_ON_ONE)
    names = [
        name_of(state, require_entrant(state, player).player) for player in (command.winner, command.loser)
    ]
    pairs = one_on_one_pairs(rounds_standings(state, edition), edition)
    if {command.winner, command.loser} not in (set(pair) for pair in pairs):
        raise Refused(TournamentReason.NOT_TIED_ALONE, names=", ".join(names))
    return OneOnOneEntered(winner=command.winner, loser=command.loser, by=by)


def publish_ranking(
    state: TournamentState, command: PublishRanking, edition: Edition, by: str
) -> RankingPublished:
    """Return the event that ends a tournament. Refused while rounds, sheets, finals or ties are open.

    With fewer than four players left, the tournament ends with the ranking of the rounds.
    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D22.
    """
    if state.stage is Stage.PUBLISHED:
        raise Refused(TournamentReason.RANKING_TWICE)
    rounds_are_over(state, edition)
    nothing_disputed(command.disputed, edition)
    nobody_left_is_in(state, command.left)
    if state.stage is Stage.FINALS and (state.finals is not None or len(state.contenders) >= FINALISTS):
        raise Refused(TournamentReason.FINALS_NOT_OVER)
    tied = rounds_standings(state, edition).draw_groups
    if tied:
        raise Refused(TournamentReason.TIED, names=", ".join(name_of(state, player) for player in tied[0]))
    nothing_owed(state, command.owing)
    return RankingPublished(by=by)
