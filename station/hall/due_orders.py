"""Give the terminals the orders that are due."""

import asyncio

from core.game.orders import Order
from core.terms import GameId
from station.hall.open_calls import waiting_calls
from station.hall.orders import OrderContext, orders_due
from station.hall.station_context import StationContext
from sync.protocol.entry import TerminalId

_AT_A_TIME = 50


async def give_orders(context: StationContext) -> None:
    """Append and send the due orders. Needs the lock."""
    past, published = context.published.past_and_current()
    here = frozenset(line.terminal for line in context.links.connected_terminals())
    hall = OrderContext(
        context.projections,
        published,
        context.terminals_by_table(),
        context.pins,
        context.parts.clock.wall_ms(),
        context.sign_in_links(),
        here,
        waiting_calls(published.values(), context.projections, context.terminals_by_table()),
        past,
    )
    context.playing = frozenset(hall.running_at)
    due: list[tuple[TerminalId, Order]] = []
    for number, terminal in enumerate(context.terminals, start=1):
        if _is_known_well(context, terminal.terminal):
            due += [(terminal.terminal, order) for order in orders_due(terminal, hall)]
        if number % _AT_A_TIME == 0:
            # In a large hall, pages and acknowledgements need not wait for all of this.
            await asyncio.sleep(0)
    await context.order(due)


def _is_known_well(context: StationContext, terminal: TerminalId) -> bool:
    """Return whether a terminal may be sent orders.

    After a backup was restored, a terminal first sends all its entries and only then gets orders.
    """
    old = context.projections.epochs_of_orders.get(terminal, set()) - {context.parts.store.own_epoch()}
    return not old or context.links.is_caught_up(terminal)


def terminals_having(context: StationContext, game: GameId) -> tuple[TerminalId, ...]:
    """Return the terminals that may connect and have a game."""
    folds, connectable = context.projections, {one.terminal for one in context.terminals if not one.revoked}
    return tuple(
        terminal
        for terminal in folds.games.terminals(game)
        if terminal in connectable and not folds.handovers.is_relieved(game, terminal)
    )
