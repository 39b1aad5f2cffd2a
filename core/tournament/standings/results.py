"""Plain results of games, from which a ranking is computed, however they were recorded."""

from typing import Final

import msgspec

from base.immutable import cache_by_identity
from core.editions.edition import Edition
from core.game.ending.finished import FinishedGame, finished_outcome
from core.game.ending.winnings import payouts
from core.terms import Dollars, PlayerId, Role
from core.tournament.state import TournamentState

_KEPT: Final = 1 << 16
"""Size of the cache: every page with standings needs all results of a tournament."""


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game.

    players, payout: by seat.
    winners: those who won the match.
    roles, spent, prices, turns_played: by seat as well, or empty if unknown.
    spent: total in dollars.
    prices: the part of it paid for characters.
    """

    players: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...]
    payout: tuple[Dollars, ...]
    roles: tuple[Role, ...] = ()
    spent: tuple[Dollars, ...] = ()
    prices: tuple[Dollars, ...] = ()
    turns_played: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.payout) != len(self.players):
            raise ValueError(f"{len(self.payout)} amounts for {len(self.players)} players")
        for listed in (self.roles, self.spent, self.prices, self.turns_played):
            if listed and len(listed) != len(self.players):
                raise ValueError(f"{len(listed)} entries for {len(self.players)} players")
        if len(set(self.players)) != len(self.players):
            raise ValueError("a player has two seats")
        if not set(self.winners) <= set(self.players):
            raise ValueError("a winner has no seat")


class Contender(msgspec.Struct, frozen=True):
    """A player to be ranked. ``withdrawn`` means left or ejected (D21, D41)."""

    player: PlayerId
    withdrawn: bool = False


@cache_by_identity(_KEPT)
def game_result(finished: FinishedGame, edition: Edition) -> GameResult:
    """Return the payout and the winners of a finished game. Raises Refused and BadData as ``winnings`` does.

    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables".
    """
    result = finished_outcome(finished, edition)
    return GameResult(
        players=finished.players,
        winners=tuple(finished.players[seat - 1] for seat in result.winners),
        payout=tuple(payout.dollars for payout in payouts(finished, result, edition)),
        roles=finished.roles,
        spent=finished.spent,
        prices=finished.prices,
        turns_played=finished.turns_played,
    )


def accepted_results(state: TournamentState, edition: Edition) -> tuple[GameResult, ...]:
    """Return the results of all accepted record sheets, with corrections, round by round."""
    return tuple(
        game_result(sheet.result, edition) for drawn in state.published_rounds for sheet in drawn.sheets
    )


def contenders(state: TournamentState) -> tuple[Contender, ...]:
    """Return all entrants, including those who left, in the order of registration.

    A player who left after the rounds' ranking was published keeps their place in it (D24).
    """
    ranked = frozenset(() if state.finals is None else state.finals.left)
    return tuple(
        Contender(entrant.player, withdrawn=entrant.is_out and entrant.player not in ranked)
        for entrant in state.entrants
    )
