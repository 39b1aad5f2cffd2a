"""Cases of rankings: games with their payout as given, and the standings they make."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData
from saloon.core.program.files import decoded
from saloon.core.program.vectors import Vector
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.results import Contender, GameResult
from saloon.core.tournament.standings import Rank, StandingRow, Standings, standings
from saloon.core.tournament.tie_breaks import Value


class CaseResult(msgspec.Struct, frozen=True):
    """A game of a case. seats: players by seat. won: players who won the match. payout: by seat."""

    seats: tuple[PlayerId, ...]
    won: tuple[PlayerId, ...]
    payout: tuple[Dollars, ...]


class CaseTournament(msgspec.Struct, frozen=True):
    """A tournament of a case. lots: orders already drawn for tied groups, best first."""

    players: tuple[PlayerId, ...]
    games: tuple[CaseResult, ...]
    withdrawn: tuple[PlayerId, ...] = ()
    lots: tuple[tuple[PlayerId, ...], ...] = ()

    def __post_init__(self) -> None:
        for name, listed in (("players", self.players), ("withdrawn", self.withdrawn)):
            if len(set(listed)) != len(listed):
                raise ValueError(f"{name} names a player twice")
        strangers = set(self.withdrawn) - set(self.players)
        if strangers:
            raise ValueError(f"withdrawn names {min(strangers)}, who is not one of players")


def case_standings(given: CaseTournament, edition: Edition, where: str) -> Standings:
    """The standings of a case's tournament. Raises BadData for games that name strangers or do not fit."""
    try:
        results = [GameResult(game.seats, game.won, game.payout) for game in given.games]
        entrants = [Contender(player, withdrawn=player in given.withdrawn) for player in given.players]
        return standings(results, entrants, edition, given.lots)
    except ValueError as error:
        raise BadData(f"{where}, games", str(error)) from error


def tie_breaks(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Ranking, keys, unbroken ties and bonuses that a lot decides."""
    given = decoded(vector.input, CaseTournament, f"{where}, input")
    return standings_fields(case_standings(given, edition, f"{where}, input"))


def standings_fields(found: Standings) -> Mapping[str, object]:
    """Standings as the worked cases write them."""
    return {
        "ranking": found.ranking,
        "withdrawn": [row.player for row in found.rows if row.withdrawn],
        "standings": [row_fields(row) for row in found.rows],
        "draw_groups": found.draw_groups,
        "bonus_by_draw": [
            {"players": bonus.players, "bonuses": bonus.bonuses} for bonus in found.open_bonuses
        ],
    }


def row_fields(row: StandingRow) -> Mapping[str, object]:
    """A row as the worked cases write it; fractions as "a/b", null where there is no value."""
    return {
        "rank": rank_field(row.rank),
        "player": row.player,
        "score": row.score,
        "marogi": value_field(row.marogi),
        "matches_won": row.matches_won,
        "games": row.games,
        "bonus": row.bonus,
        "bonus_by_draw": row.bonus_by_draw,
        "final_score": row.final_score,
    }


def rank_field(rank: Rank | None) -> object:
    """A rank as a number, shared places as both ends, and ``withdrawn``."""
    if rank is None:
        return "withdrawn"
    return [rank.first, rank.last] if rank.is_shared else rank.first


def value_field(value: Value) -> str | None:
    """An exact fraction as "a/b"; null for a player who met nobody."""
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
