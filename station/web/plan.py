"""How many rounds and which tables a tournament will have with the players that it has now."""

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.tournament.rounds import planned_rounds
from saloon.core.tournament.state import TournamentState
from saloon.core.tournament.table_chart import table_sizes


class Plan(msgspec.Struct, frozen=True):
    """rounds: 0 while there are too few players. sizes: of the next round's tables, empty likewise."""

    rounds: int = 0
    sizes: tuple[int, ...] = ()


def plan_of(state: TournamentState, edition: Edition) -> Plan:
    """The plan as of now; the rounds are fixed by the first published draw."""
    players = len(state.contenders)
    has_begun = bool(state.published_rounds)
    try:
        sizes = table_sizes(players, edition, below_minimum=state.unofficial or has_begun)
    except Refused:
        sizes = ()
    if state.rounds_planned is not None:
        return Plan(state.rounds_planned, sizes)
    try:
        rounds = planned_rounds(players, edition, state.waivers, unofficial=state.unofficial)
    except Refused:
        rounds = 0
    return Plan(rounds, sizes)
