"""Worked cases of rankings: games with given payouts, and the resulting standings."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.cli.cases.case import Case
from core.editions.edition import Edition, TieBreak
from core.editions.tables import FINALISTS
from core.proof.lines import fraction_text
from core.terms import Dollars, PlayerId, Role
from core.tournament.standings.ledger import Contender, GameResult, prizes
from core.tournament.standings.ranking import one_on_one_pairs
from core.tournament.standings.standings import Rank, StandingRow, Standings, after_finals, standings
from core.tournament.standings.tie_breaks import Value
from core.tournament.state.finals import Finals, Pair


class _CaseResult(msgspec.Struct, frozen=True):
    seats: tuple[PlayerId, ...]
    won: tuple[PlayerId, ...]
    payout: tuple[Dollars, ...]
    auction_spent: tuple[Dollars, ...] = ()
    roles: tuple[Role, ...] = ()
    turns_played: tuple[int, ...] = ()


class _CaseDuels(msgspec.Struct, frozen=True):
    semifinal_1: PlayerId
    semifinal_2: PlayerId
    final: PlayerId


class CaseTournament(msgspec.Struct, frozen=True):
    """The tournament of a worked case. rounds: the number played, for prizes.

    lots: orders already drawn for tied groups, best first.
    start_money: dollars, or None to follow the edition.
    """

    players: tuple[PlayerId, ...]
    games: tuple[_CaseResult, ...]
    withdrawn: tuple[PlayerId, ...] = ()
    lots: tuple[tuple[PlayerId, ...], ...] = ()
    start_money: Dollars | None = None
    rounds: int | None = None
    duel_winners: _CaseDuels | None = None

    def __post_init__(self) -> None:
        for name, listed in (("players", self.players), ("withdrawn", self.withdrawn)):
            if len(set(listed)) != len(listed):
                raise ValueError(f"{name} names a player twice")
        strangers = set(self.withdrawn) - set(self.players)
        if strangers:
            raise ValueError(f"withdrawn names {min(strangers)}, who is not one of players")

    def rules(self, edition: Edition) -> Edition:
        return edition if self.start_money is None else replace(edition, start_money=self.start_money)

    def results(self) -> tuple[GameResult, ...]:
        """Return the games as plain results. Raises ValueError for inconsistent ones."""
        return tuple(
            GameResult(
                game.seats,
                game.won,
                game.payout,
                roles=game.roles,
                spent=game.auction_spent,
                turns_played=game.turns_played,
            )
            for game in self.games
        )


def case_standings(tournament: CaseTournament, edition: Edition, where: str) -> Standings:
    """Return the standings of a case's tournament. Raises BadData for inconsistent games."""
    try:
        entrants = [
            Contender(player, withdrawn=player in tournament.withdrawn) for player in tournament.players
        ]
        return standings(tournament.results(), entrants, tournament.rules(edition), tournament.lots)
    except ValueError as error:
        raise BadData(f"{where}, games", str(error)) from error


def tie_breaks(case: Case) -> Mapping[str, object]:
    """Return the ranking, tie-break keys, unbroken ties, bonuses to be decided by lot, and any finals."""
    tournament = case.read(CaseTournament)
    ranking = case_standings(tournament, case.edition, f"{case.where}, input")
    fields = {
        **standings_fields(ranking),
        "one_on_one_option": [list(pair) for pair in one_on_one_pairs(ranking, case.edition)],
    }
    if case.edition.finals is None:
        return fields
    finals = _finals(tournament, ranking, f"{case.where}, input")
    if finals is None:
        return {**fields, "semifinals": None}
    top = [
        {"place": _place(row.rank), "player": row.player, "prize": row.prize, "total": row.final_score}
        for row in after_duels(tournament, case.edition, ranking, f"{case.where}, input").rows[:FINALISTS]
    ]
    semifinals = {**fields, "semifinals": finals.semifinal_pairs}
    return semifinals if finals.places is None else {**semifinals, "final_top4": top}


def after_duels(tournament: CaseTournament, edition: Edition, ranking: Standings, where: str) -> Standings:
    """Return standings with the places and prizes of a case's finals, if there are any.

    Raises BadData for winners who did not play, or if prizes need a number of rounds that is missing.
    """
    finals = _finals(tournament, ranking, where)
    places = None if finals is None else finals.places
    if edition.finals is None or places is None:
        return ranking
    if tournament.rounds is None:
        raise BadData(f"{where}.rounds", "prizes go by the rounds, and this key is missing")
    amounts = prizes(edition.finals, tournament.rounds)
    return after_finals(ranking, places, amounts)


def _finals(tournament: CaseTournament, ranking: Standings, where: str) -> Finals | None:
    best = ranking.ranking[:FINALISTS]
    if len(best) < FINALISTS or any(len(group) > 1 for group in best):
        return None
    finals = Finals(tuple(group[0] for group in best))
    won = tournament.duel_winners
    if won is None:
        return finals
    first, second = finals.semifinal_pairs
    losers = (
        _loser(first, won.semifinal_1, "semifinals 1", where),
        _loser(second, won.semifinal_2, "semifinals 2", where),
    )
    # A player who leaves loses, so a loss is entered like that, without the record sheet of a duel.
    pair = replace(finals, left=losers).final_pair
    assert pair is not None  # both semifinals are won
    return replace(finals, left=(*losers, _loser(pair, won.final, "final 1", where)))


def _loser(pair: Pair, winner: PlayerId, part: str, where: str) -> PlayerId:
    if winner not in pair:
        raise BadData(f"{where}.duel_winners", f"{winner} does not play {part}")
    return pair[1] if winner == pair[0] else pair[0]


def _place(rank: Rank | None) -> object:
    return str(rank) if rank is not None and rank.is_shared else _rank_field(rank)


def standings_fields(ranking: Standings) -> Mapping[str, object]:
    """Return standings in the format of the worked cases."""
    return {
        "ranking": ranking.ranking,
        "withdrawn": [row.player for row in ranking.rows if row.withdrawn],
        "standings": [row_fields(row) for row in ranking.rows],
        "draw_groups": ranking.draw_groups,
        "bonus_by_draw": msgspec.to_builtins(ranking.open_bonuses),
    }


def row_fields(row: StandingRow) -> Mapping[str, object]:
    """Return a standings row in the format of the worked cases; fractions as "a/b", null if missing."""
    return {
        "rank": _rank_field(row.rank),
        "player": row.player,
        "score": row.score,
        "marogi": fraction_text(row.marogi),
        "matches_won": row.matches_won,
        "games": row.games,
        "bonus": row.bonus,
        "bonus_by_draw": row.bonus_by_draw,
        "final_score": row.final_score,
        "total": row.total,
        "victories": {role.value: row.won_as.count(role) for role in _LISTED},
        "turns_played": row.turns_played,
        "buchholz": _whole_field(row.value(TieBreak.BUCHHOLZ)),
    }


_LISTED = (Role.SHERIFF, Role.RENEGADE, Role.DEPUTY, Role.OUTLAW)
"""The roles that the list of tie-breaks mentions. Source: Official Score System 2003."""


def _rank_field(rank: Rank | None) -> object:
    if rank is None:
        return "withdrawn"
    return [rank.first, rank.last] if rank.is_shared else rank.first


def _whole_field(value: Value | None) -> int | None:
    return int(value) if isinstance(value, Fraction) else None
