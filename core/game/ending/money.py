"""A player's remaining dollars at a table: the core's secret, which no refusal reveals."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.reasons import GameReason
from saloon.core.game.state import Seat
from saloon.core.terms import Dollars


def money_left(seat: Seat, edition: Edition) -> Dollars:
    """Return the dollars that a seat has left after its spending here; below 0 for debts of penalties.

    A player seated without a stake starts with the start money: it is the first table.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    brought = edition.money_at_start if seat.stake is None else seat.stake.budget
    return Dollars(brought - seat.spent)


def require_money(seat: Seat, dollars: Dollars, edition: Edition) -> None:
    """Raise Refused if a seat may not spend this amount; an amount of 0 is always allowed."""
    if dollars > max(0, money_left(seat, edition)):
        raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)
