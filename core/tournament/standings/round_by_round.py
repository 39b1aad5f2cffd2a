"""The tournament round by round: what each player won in it, and their place after it."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition
from core.terms import Dollars, PlayerId, RoundNo
from core.tournament.standings.ledger import GameResult, contenders, game_result
from core.tournament.standings.standings import Rank, rounds_standings, standings, standings_of
from core.tournament.state.tournament import TournamentState


class PlayerRounds(msgspec.Struct, frozen=True):
    """A player's rounds, in order. winnings: None for a round without a game; total: the final score.

    places: after each round, None for a player who left; the finals add one more.
    """

    player: PlayerId
    rank: Rank | None
    winnings: tuple[Dollars | None, ...]
    places: tuple[Rank | None, ...]
    total: Dollars


class RoundByRound(msgspec.Struct, frozen=True):
    """All rounds with accepted results; rows in the order of the standings, best first."""

    rounds: tuple[RoundNo, ...]
    rows: tuple[PlayerRounds, ...]
    has_finals: bool


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
    players = {entrant.player for entrant in state.participants}
    rows = (
        PlayerRounds(
            row.player,
            row.rank,
            tuple(amounts.get(row.player) for amounts in won),
            tuple(places[row.player] for places in columns),
            row.final_score,
        )
        for row in final.rows
        if row.player in players
    )
    return RoundByRound(tuple(drawn.round for drawn in played), tuple(rows), has_finals)


def _earlier_places(
    state: TournamentState, edition: Edition, results: list[list[GameResult]]
) -> Iterator[dict[PlayerId, Rank | None]]:
    everybody = contenders(state)
    for count in range(1, len(results)):
        so_far = [game for games in results[:count] for game in games]
        yield {row.player: row.rank for row in standings(so_far, everybody, edition).rows}
