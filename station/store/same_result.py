"""Compare a game's result from a terminal with one from a judge."""

from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.game.ending.finished import FinishedGame
from saloon.core.game.state import Elimination


def is_same(one: FinishedGame | FinishedDuel, other: FinishedGame | FinishedDuel) -> bool:
    """Return whether two results agree in everything on a record sheet.

    Only terminals record the turns, the player in turn, and the eliminations caused by one card; on paper
    the killers, and the characters of a duel, may be unknown.
    """
    if isinstance(one, FinishedGame) and isinstance(other, FinishedGame):
        return _is_same_game(one, other)
    if isinstance(one, FinishedDuel) and isinstance(other, FinishedDuel):
        return (one.kind, one.players, one.winner, one.score) == (
            other.kind,
            other.players,
            other.winner,
            other.score,
        )
    return False


def _is_same_game(one: FinishedGame, other: FinishedGame) -> bool:
    return (
        (one.round, one.table, one.players, one.roles, one.ending, one.spent)
        == (other.round, other.table, other.players, other.roles, other.ending, other.spent)
        and {left.seat for left in one.abandonments} == {left.seat for left in other.abandonments}
        and len(one.eliminations) == len(other.eliminations)
        and all(map(_is_same_elimination, one.eliminations, other.eliminations))
    )


def _is_same_elimination(one: Elimination, other: Elimination) -> bool:
    return one.seat == other.seat and (one.by == other.by or None in {one.by, other.by})
