"""Plain results of games: all that a ranking is computed from, whatever recorded it."""

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.game.finished import FinishedGame, finished_outcome
from saloon.core.game.winnings import winnings
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.state import TournamentState


class GameResult(msgspec.Struct, frozen=True):
    """What one game gave. players, payout: by seat. winners: who won the match."""

    players: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...]
    payout: tuple[Dollars, ...]

    def __post_init__(self) -> None:
        if len(self.payout) != len(self.players):
            raise ValueError(f"{len(self.payout)} amounts for {len(self.players)} players")
        if len(set(self.players)) != len(self.players):
            raise ValueError("a player has two seats")
        if not set(self.winners) <= set(self.players):
            raise ValueError("a winner has no seat")


class Contender(msgspec.Struct, frozen=True):
    """A player to be ranked. withdrawn: left or was ejected (D21, D41)."""

    player: PlayerId
    withdrawn: bool = False


def game_result(finished: FinishedGame, edition: Edition) -> GameResult:
    """What a finished game pays and who won it. Raises Refused and BadData as ``winnings`` does.

    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables".
    """
    return GameResult(
        players=finished.players,
        winners=tuple(finished.players[seat - 1] for seat in finished_outcome(finished, edition).winners),
        payout=winnings(finished, edition),
    )


def accepted_results(state: TournamentState, edition: Edition) -> tuple[GameResult, ...]:
    """The results of all accepted record sheets, corrected ones as corrected, round by round."""
    return tuple(
        game_result(sheet.result, edition) for drawn in state.published_rounds for sheet in drawn.sheets
    )


def contenders(state: TournamentState) -> tuple[Contender, ...]:
    """All entrants, those who left included, in the order of registration."""
    return tuple(Contender(entrant.player, withdrawn=entrant.is_out) for entrant in state.entrants)
