"""The end of a tournament: lots for unbroken ties, and the public ranking."""

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.terms import PlayerId
from saloon.core.tournament.chance import is_seed
from saloon.core.tournament.commands import DrawLots
from saloon.core.tournament.draw import lot_order
from saloon.core.tournament.events import LotsDrawn, RankingPublished
from saloon.core.tournament.guards import still_secret
from saloon.core.tournament.reasons import Reason
from saloon.core.tournament.standings import standings_of
from saloon.core.tournament.state import Stage, TournamentState


def draw_lots(state: TournamentState, command: DrawLots, edition: Edition, by: str) -> LotsDrawn:
    """The order by lot of all ties that nothing else broke.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers".
    """
    still_secret(state)
    _finished(state)
    if not is_seed(command.seed):
        raise Refused(Reason.BAD_SEED)
    if any(command.seed == drawn.seed for drawn in state.rounds):
        raise Refused(Reason.SEED_USED)
    tied = standings_of(state, edition).draw_groups
    if not tied:
        raise Refused(Reason.NOTHING_TIED)
    order = [entrant.player for entrant in state.entrants]
    groups = [sorted(group, key=order.index) for group in tied]
    return LotsDrawn(seed=command.seed, groups=lot_order(command.seed, groups), by=by)


def publish_ranking(state: TournamentState, edition: Edition, by: str) -> RankingPublished:
    """The end. Refused while rounds or record sheets are missing, or a tie is unbroken.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D22.
    """
    if state.stage is Stage.PUBLISHED:
        raise Refused(Reason.RANKING_TWICE)
    _finished(state)
    tied = standings_of(state, edition).draw_groups
    if tied:
        raise Refused(Reason.TIED, names=", ".join(_name(state, player) for player in tied[0]))
    return RankingPublished(by=by)


def _name(state: TournamentState, player: PlayerId) -> str:
    entrant = state.entrant(player)
    return player if entrant is None else entrant.name


def _finished(state: TournamentState) -> None:
    if state.stage is not Stage.FINISHED:
        played = sum(not drawn.missing for drawn in state.published_rounds)
        planned = "?" if state.rounds_planned is None else str(state.rounds_planned)
        raise Refused(Reason.NOT_FINISHED, played=played, rounds=planned)
