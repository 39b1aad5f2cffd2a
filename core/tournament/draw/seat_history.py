"""The history of the players at a drawn table: earlier meetings, shared clubs and games as Sheriff.

It is only information. The documents have no rule about opponents or clubs, so the draw ignores it.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import msgspec

from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.state import Round, TournamentState

Pair = frozenset[PlayerId]


class SeatHistory(msgspec.Struct, frozen=True):
    """A player at a table.

    met: opponents there whom the player has met before, with the number of times.
    same_club: others at the table of the same club or town.
    sheriff_in: earlier rounds as Sheriff.
    """

    player: PlayerId
    met: tuple[tuple[PlayerId, int], ...]
    same_club: tuple[PlayerId, ...]
    sheriff_in: tuple[RoundNo, ...]


class TableHistory(msgspec.Struct, frozen=True):
    """The history of the players at a table, by seat."""

    table: TableNo
    seats: tuple[SeatHistory, ...]


def meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """Return how often each pair of players was drawn to one table."""
    return Counter(
        frozenset(pair)
        for drawn in rounds
        for table in drawn.tables
        for pair in combinations(table.players, 2)
    )


def seat_histories(state: TournamentState, drawn: Round) -> tuple[TableHistory, ...]:
    """Return the history of every player in a draw, from the rounds published before it."""
    met = meetings(earlier for earlier in state.published_rounds if earlier.round < drawn.round)
    known = {entrant.player: entrant for entrant in state.entrants}
    clubs = {player: entrant.club.casefold() for player, entrant in known.items()}

    def seat(player: PlayerId, players: tuple[PlayerId, ...]) -> SeatHistory:
        others = tuple(other for other in players if other != player)
        times = ((other, met[frozenset((player, other))]) for other in others)
        return SeatHistory(
            player=player,
            met=tuple((other, number) for other, number in times if number),
            same_club=tuple(other for other in others if clubs[player] and clubs[other] == clubs[player]),
            sheriff_in=tuple(past for past in known[player].sheriff_in if past < drawn.round),
        )

    return tuple(
        TableHistory(table.table, tuple(seat(player, table.players) for player in table.players))
        for table in drawn.tables
    )
