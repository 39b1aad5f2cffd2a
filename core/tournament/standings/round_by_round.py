"""The tournament round by round: what each player won in it, and their place after it."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition, Scoring
from core.terms import Dollars, PlayerId, RoundNo
from core.tournament.standings.ledger import GameResult, contenders, game_result, start_money
from core.tournament.standings.standings import Rank, rounds_standings, standings, standings_of
from core.tournament.state.tournament import TournamentState


class PlayerRounds(msgspec.Struct, frozen=True):
    """A player's rounds, in order. winnings: None for a round without a game.

    places: after each round, None for a player who left; the finals add one more.
    money: start money and winnings less ``spent``; the score is this or, in some editions, its average.
    total: the final score: the score with bonus and prize.
    """

    player: PlayerId
    rank: Rank | None
    winnings: tuple[Dollars | None, ...]
    places: tuple[Rank | None, ...]
    total: Dollars
    spent: Dollars = Dollars(0)
    money: Dollars = Dollars(0)
    score: Dollars = Dollars(0)
    bonus: Dollars = Dollars(0)
    prize: Dollars = Dollars(0)


class RoundByRound(msgspec.Struct, frozen=True):
    """All rounds with accepted results; rows in the order of the standings, best first.

    start: each player's start money, which the score contains.
    """

    rounds: tuple[RoundNo, ...]
    rows: tuple[PlayerRounds, ...]
    has_finals: bool
    start: Dollars = Dollars(0)
    is_average: bool = False

    @property
    def has_spent(self) -> bool:
        return any(row.spent for row in self.rows)

    @property
    def has_bonus(self) -> bool:
        return any(row.bonus for row in self.rows)

    @property
    def has_prize(self) -> bool:
        return any(row.prize for row in self.rows)


def round_by_round(state: TournamentState, edition: Edition) -> RoundByRound:
    """Return each player's winnings and places by round.

    Lots and one-on-one games break ties after the last round, so places after earlier ones can be shared.
    """
    played = [drawn for drawn in state.published_rounds if drawn.sheets]
    results = [[game_result(sheet.result, edition) for sheet in drawn.sheets] for drawn in played]
    final = standings_of(state, edition)
    has_finals = any(row.round_rank is not None for row in final.rows)
    columns = [*_earlier_places(state, edition, results)]
    if played:
        columns.append({row.player: row.rank for row in rounds_standings(state, edition).rows})
    if has_finals:
        columns.append({row.player: row.rank for row in final.rows})
    won = [
        {player: amount for game in games for player, amount in zip(game.players, game.payout, strict=True)}
        for games in results
    ]
    start, rows = start_money(edition), list[PlayerRounds]()
    players = {entrant.player for entrant in state.participants}
    for row in final.rows:
        if row.player in players:
            winnings = tuple(amounts.get(row.player) for amounts in won)
            rows.append(
                PlayerRounds(
                    row.player,
                    row.rank,
                    winnings,
                    tuple(places[row.player] for places in columns),
                    row.final_score,
                    spent=Dollars(start + sum(filter(None, winnings)) - row.total),
                    money=row.total,
                    score=row.score,
                    bonus=row.bonus,
                    prize=row.prize,
                )
            )
    rounds = tuple(drawn.round for drawn in played)
    return RoundByRound(rounds, tuple(rows), has_finals, start, edition.scoring is Scoring.AVERAGE)


def _earlier_places(
    state: TournamentState, edition: Edition, results: list[list[GameResult]]
) -> Iterator[dict[PlayerId, Rank | None]]:
    everybody = contenders(state)
    for count in range(1, len(results)):
        so_far = [game for games in results[:count] for game in games]
        yield {row.player: row.rank for row in standings(so_far, everybody, edition).rows}
