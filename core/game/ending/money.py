"""What a player may still spend at a table: the core's secret, which no refusal tells."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.reasons import Reason
from saloon.core.game.state import Seat
from saloon.core.terms import Dollars


def money_left(seat: Seat, edition: Edition) -> Dollars:
    """The dollars that a seat has, less what it spent here; below 0 for debts of penalties.

    Who was seated without a stake brings the start money: it is the first table.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    brought = edition.money_at_start if seat.stake is None else seat.stake.budget
    return Dollars(brought - seat.spent)


def require_money(seat: Seat, dollars: Dollars, edition: Edition) -> None:
    """Raises Refused where a seat may not spend so much; nothing is due for nothing."""
    if dollars > max(0, money_left(seat, edition)):
        raise Refused(Reason.MAY_NOT_SPEND, seat=seat.seat)
