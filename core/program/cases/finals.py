"""Cases of prizes, and of how many games one group plays."""

from collections.abc import Mapping

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData, Refused
from saloon.core.program.files import decoded
from saloon.core.program.vectors import Vector
from saloon.core.tournament.events import Waivers
from saloon.core.tournament.prizes import prizes as prizes_of
from saloon.core.tournament.rounds import planned_rounds


class _Rounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    ruleset: str = ""


class _Group(msgspec.Struct, frozen=True):
    """A group. cycles: how often each is to be Sheriff. games: that somebody would like to play."""

    players: int
    cycles: int = 1
    games: int | None = None


def prizes(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """The prizes of the finals after so many rounds, the first place first."""
    rounds = decoded(vector.input, _Rounds, f"{where}, input").rounds
    if edition.finals is None:
        raise BadData(where, f"{edition.key} has no finals")
    return {"by_place": prizes_of(edition.finals, rounds, edition.readings.prize_other_rounds)}


def schedule(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """How many games a group plays, how often each is Sheriff in them, and whether a number will do."""
    given = decoded(vector.input, _Group, f"{where}, input")
    try:
        least = planned_rounds(given.players, edition, Waivers(cycles=1))
        planned = planned_rounds(given.players, edition, Waivers(cycles=given.cycles))
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    games = planned if given.games is None else given.games
    return {
        "games": games,
        "minimum_games": least,
        "sheriff_each": games // given.players,
        "valid": games >= least and games % given.players == 0,
    }
