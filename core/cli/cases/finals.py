"""Cases of prizes, and of how many games one group plays."""

from collections.abc import Mapping

import msgspec

from saloon.base.errors import BadData, Refused
from saloon.core.cli.cases.fields import named
from saloon.core.cli.cases.vectors import Vector
from saloon.core.cli.files import decoded
from saloon.core.editions.edition import Edition
from saloon.core.tournament.draw.rounds import planned_rounds
from saloon.core.tournament.events import Waivers
from saloon.core.tournament.standings.prizes import prizes as prizes_of


class _Rounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    ruleset: str = ""


class _Group(msgspec.Struct, frozen=True):
    """A group. cycles: how often each is to be Sheriff. games: that somebody would like to play."""

    players: int
    cycles: int = 1
    games: int | None = None


def prizes(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the dollars by place, the first place first: prizes of finals, or bonuses of the ranking.

    Source: Championship 2010 v1.1, 1.2; Championship 2022/23 v1.4, 1.2.
    """
    rounds = decoded(named(vector.input, _ALSO_CALLED, where), _Rounds, f"{where}, input").rounds
    by_place: tuple[int, ...] = edition.bonus
    if edition.finals is not None:
        by_place = prizes_of(edition.finals, rounds, edition.readings.prize_other_rounds)
    elif not edition.bonus:
        raise BadData(where, f"{edition.key} has neither prizes nor bonuses")
    return dict.fromkeys(("by_place", "prizes", "bonuses", "bonus", "amounts"), by_place)


_ALSO_CALLED = {"rounds": ("rounds_played", "turns"), "ruleset": ("edition",)}


def schedule(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the games of a group, how often each player is Sheriff, and whether a number is possible."""
    given = decoded(vector.input, _Group, f"{where}, input")
    try:
        least = planned_rounds(given.players, edition, Waivers(cycles=1))
        planned = planned_rounds(given.players, edition, Waivers(cycles=given.cycles))
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    games = planned if given.games is None else given.games
    return {
        "games": games,
        **dict.fromkeys(("minimum_games", "at_least", "least_games"), least),
        **dict.fromkeys(("games_must_be_multiple_of", "multiple_of", "games_multiple_of"), given.players),
        "sheriff_each": games // given.players,
        "valid": games >= least and games % given.players == 0,
    }
