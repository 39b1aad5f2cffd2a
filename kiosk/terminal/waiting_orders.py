"""Orders of a game that waits until the running game of another tournament is over."""

from saloon.core.game.state import GameState, Phase
from saloon.core.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CloseTournament,
    ConfirmFromStation,
    Order,
    RelieveTable,
    SeatGame,
    SetClock,
    TakeGame,
    VoidTable,
    WithdrawSeat,
    tournament_of,
)
from saloon.core.terms import GameId

OVER = frozenset({Phase.CONFIRMED, Phase.VOIDED})


class WaitingOrders:
    """The orders of games that cannot be seated yet, with their numbers, in order."""

    def __init__(self) -> None:
        self._orders: list[tuple[int, Order]] = []

    def keep(self, number: int, order: Order, playing: GameState | None) -> bool:
        """Keep an order that must wait, and return whether it must. playing: the table's game, if it runs.

        A waiting game that is taken back, or given to another terminal, waits no more.
        """
        game = _game_of(order)
        if isinstance(order, VoidTable | RelieveTable):
            self._orders = [(n, kept) for n, kept in self._orders if _game_of(kept) != game]
            return False
        if not self._must_wait(order, game, playing):
            return False
        self._orders.append((number, order))
        return True

    def of(self, game: GameId) -> tuple[tuple[int, Order], ...]:
        """Return the waiting orders of a game."""
        return tuple((number, order) for number, order in self._orders if _game_of(order) == game)

    def on_seated(self, game: GameId) -> None:
        """Forget the order to seat a game that has begun: it is not obeyed again once that game is void."""
        self._orders = [
            (number, order)
            for number, order in self._orders
            if not (isinstance(order, SeatGame) and order.seating.game == game)
        ]

    def take_all(self) -> tuple[tuple[int, Order], ...]:
        """Empty the list, and return its former content."""
        orders, self._orders = tuple(self._orders), []
        return orders

    def _must_wait(self, order: Order, game: GameId | None, playing: GameState | None) -> bool:
        if game is None or playing is None or playing.game == game:
            return False
        if any(_game_of(kept) == game for _, kept in self._orders):
            return True
        tournament = tournament_of(order)
        return tournament is not None and tournament != playing.tournament


def _game_of(order: Order) -> GameId | None:
    match order:
        case SeatGame():
            return order.seating.game
        case (
            TakeGame()
            | RelieveTable()
            | WithdrawSeat()
            | AnswerCall()
            | CallTime()
            | SetClock()
            | ConfirmFromStation()
            | VoidTable()
        ):
            return order.game
        case AssignTable() | CloseTournament():
            return None
