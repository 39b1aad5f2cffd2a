"""A result that the judge confirmed at its table, and that the tournament is to take up."""

import msgspec

from saloon.core.game.events import Confirmation
from saloon.core.orders import SeatGame
from saloon.core.terms import GameId, TableNo, TournamentId
from saloon.core.tournament.commands import AcceptDuel, AcceptSheet
from saloon.station.projections import GameTrack, Projections

_AT_THE_TABLE = {Confirmation.PIN: "PIN", Confirmation.KEY: "key"}


class DueAcceptance(msgspec.Struct, frozen=True):
    """A result that the judge confirmed at the table and the tournament has not taken up yet."""

    tournament: TournamentId
    table: TableNo
    command: AcceptSheet | AcceptDuel
    by: str


def was_told_to_seat(track: GameTrack, game: GameId, projections: Projections) -> bool:
    """Whether the terminal that tells of a game was told to seat it."""
    orders = projections.orders.get(track.terminal, [])
    return any(isinstance(order, SeatGame) and order.seating.game == game for order in orders)


def confirmed_at(track: GameTrack, table: TableNo) -> str:
    """Who confirmed, in words: the terminal, and how the judge did it there."""
    how = None if track.state is None else track.state.confirmed
    return f"terminal {table} ({_AT_THE_TABLE.get(how, '') if how is not None else ''})"
