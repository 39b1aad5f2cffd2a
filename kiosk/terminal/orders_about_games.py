"""Orders of the station about games that can't be seated yet, and the steps of games taken over."""

from collections.abc import Sequence

import msgspec

from base.errors import BadData
from core.game.events import GameStep, StepOrigin
from core.game.orders import (
    AssignTable,
    CloseTournament,
    Order,
    OrderAboutTerminal,
    RelieveTable,
    SeatGame,
    TakeGame,
    VoidTable,
    tournament_of,
)
from core.game.state.game import GameState, Phase
from core.game.takeover import StepWithOrigin, origins_of
from core.game.timeline import Timeline, extend
from core.terms import GameId


def missing_steps(
    order: TakeGame, timeline: Timeline | None, held: Sequence[StepOrigin | None]
) -> tuple[StepWithOrigin, ...]:
    """Return the steps of an order that this terminal lacks.

    ``timeline`` is the local game, and ``held`` contains the origin of each of its steps, or None for one
    made here. The result is empty if nothing is missing, or if the local game has diverged, so that the steps
    stay at the station. Raises BadData for impossible steps.
    """
    origins = origins_of(order.steps)
    here = tuple(held[order.first :][: len(origins)])
    is_held_so_far = len(held) >= order.first and here == origins[: len(here)]
    if is_held_so_far and (held or order.first == 0):
        missing = order.steps[len(here) :]
    elif order.first == 0:
        missing, timeline = order.steps, None
    else:
        return ()
    for original in missing:
        if original.step.game != order.game:
            raise BadData("order", f"a step of game {original.step.game} is in an order about {order.game}")
        timeline = extend(timeline, original.step)
    return missing


def copy_of(original: StepWithOrigin, order: int, orders_done: int) -> GameStep:
    """Return a copy of a step for the local journal. ``order`` is the number of the order that contained it.

    Steps made by people stay undoable; steps ordered by the station now belong to this order.
    """
    return msgspec.structs.replace(
        original.step,
        order=None if original.step.order is None else order,
        orders_done=orders_done,
        origin=original.origin,
    )


OVER = frozenset({Phase.CONFIRMED, Phase.VOIDED})


class WaitingOrders:
    """Orders about games that can't be seated yet, by number."""

    def __init__(self) -> None:
        self._orders: list[tuple[int, Order]] = []

    def keep(self, number: int, order: Order, playing: GameState | None) -> bool:
        """Keep an order if it must wait, and return whether it must. ``playing`` is the table's game in play.

        If a waiting game is voided or given to another terminal, its orders are dropped.
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
        return tuple((number, order) for number, order in self._orders if _game_of(order) == game)

    def on_seated(self, game: GameId) -> None:
        """Drop the order to seat a game that has begun, so that it isn't seated again once voided."""
        self._orders = [
            (number, order)
            for number, order in self._orders
            if not (isinstance(order, SeatGame) and order.seating.game == game)
        ]

    def take_all(self) -> tuple[tuple[int, Order], ...]:
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
    if isinstance(order, AssignTable | CloseTournament | OrderAboutTerminal):
        return None
    return order.seating.game if isinstance(order, SeatGame) else order.game
