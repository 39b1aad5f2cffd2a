"""The orders that a terminal was sent."""

from collections.abc import Sequence

from core.game.correction.takeover import origins_of
from core.terminal.orders import AssignTable, Order, RelieveTable, SeatGame, TakeGame, VoidTable
from core.terms import GameId


class SentOrders:
    """The orders sent to a terminal, and those added in this pass."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.orders = list(orders)
        given = (given_game(order) for order in self.orders)
        self._games = [game for game in given if game is not None]

    @property
    def games(self) -> tuple[GameId, ...]:
        """Return the games that the terminal was ever ordered to seat."""
        return tuple(dict.fromkeys(self._games))

    @property
    def last_game(self) -> GameId | None:
        """Return the last game that the terminal was given."""
        return self._games[-1] if self._games else None

    def add(self, order: Order) -> Order:
        """Add an order and return it."""
        self.orders.append(order)
        game = given_game(order)
        if game is not None:
            self._games.append(game)
        return order

    def since_given(self, game: GameId) -> tuple[Order, ...] | None:
        """Return the orders since the terminal was given a game; None if it does not have the game."""
        for number in range(len(self.orders) - 1, -1, -1):
            order = self.orders[number]
            if given_game(order) == game:
                return tuple(self.orders[number + 1 :])
            if isinstance(order, VoidTable | RelieveTable) and order.game == game:
                return None
        return None

    def assignment(self) -> AssignTable | None:
        """Return the last assignment."""
        return next((o for o in reversed(self.orders) if isinstance(o, AssignTable)), None)


def given_game(order: Order) -> GameId | None:
    """Return the game that an order gives to a terminal; None for any other order."""
    match order:
        case SeatGame():
            return order.seating.game
        case TakeGame(first=0):
            return order.game
        case _:
            return None


def is_same_handover(one: TakeGame, other: Order) -> bool:
    """Return whether two orders hand over the same steps."""
    if not isinstance(other, TakeGame):
        return False
    return (one.game, one.first, origins_of(one.steps)) == (other.game, other.first, origins_of(other.steps))
