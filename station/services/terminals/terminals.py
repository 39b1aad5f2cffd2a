"""The judge's control of terminals: their tables, the right to connect, and orders given by hand."""

import asyncio

from argon2 import PasswordHasher

from saloon.base.errors import BadData
from saloon.core.editions import rules_of
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.game.decide import decide
from saloon.core.orders import CallTime
from saloon.core.terms import GameId, TableNo
from saloon.station.sd_cards.card_files import card_settings, card_text
from saloon.station.services.authoritative_log import authoritative_log
from saloon.station.services.station_context import StationContext
from saloon.station.services.tournaments import orders_follow
from saloon.station.terminals.enrolments import check_table_number
from saloon.station.terminals.terminal_cards import ProvisioningText
from saloon.sync.enrolment.provisioning import StationPart
from saloon.sync.protocol.entry import TerminalId

SHORTEST_PIN = 4
LONGEST_PIN = 8


async def assign(context: StationContext, terminal: TerminalId, table: TableNo | None) -> None:
    """Assign a terminal to a table and notify it. Raises KeyError for an unknown terminal, BadData."""
    async with context.lock:
        await context.catch_up()
        await asyncio.to_thread(context.parts.enrolments.assign, terminal, check_table_number(table))
        await _publish_change(context)


async def revoke(context: StationContext, terminal: TerminalId) -> None:
    """Refuse a terminal from now on. Raises KeyError."""
    async with context.lock:
        await asyncio.to_thread(context.parts.enrolments.revoke, terminal)
        # Ahead of anything that a full disk could prevent: from here on it cannot connect either.
        await context.read_terminals()
        context.hang_up(terminal, "the judge has revoked this terminal")
        await _publish_change(context)


async def enrol(context: StationContext, table: TableNo | None) -> ProvisioningText:
    """Make a new provisioning file with a one-time token and the settings that all cards share."""
    checked = check_table_number(table)
    chosen = await asyncio.to_thread(card_settings, context.parts.settings)
    token = await asyncio.to_thread(context.parts.enrolments.new_token, checked)
    station = StationPart(certificate=context.parts.certificate, addresses=context.addresses)
    return ProvisioningText(table=checked, toml=card_text(chosen, station, checked, token))


async def on_enrolled(context: StationContext) -> None:
    """Send a newly enrolled terminal the orders for its table."""
    async with context.lock:
        await context.catch_up()
        await _publish_change(context)


async def set_judge_pin(context: StationContext, pin: str) -> None:
    """Set a new PIN of the judge's menu and send it to all terminals. Raises BadData unless 4 to 8 digits."""
    hashed = await asyncio.to_thread(hash_pin, pin)
    async with context.lock:
        await context.catch_up()
        await context.keep_pin(hashed)
        await orders_follow(context)


def hash_pin(pin: str) -> str:
    """Return the argon2 hash that terminals compare a PIN with. Raises BadData unless it has 4 to 8 digits.

    A table computes it beside the game: 19 MiB and one thread, OWASP's minimum, not the library's 64 MiB and
    four. Such a short PIN is protected by the lock after wrong ones.
    """
    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1).hash(check_pin(pin))


def check_pin(pin: str) -> str:
    """Return a PIN that can be typed at a terminal. Raises BadData unless it has 4 to 8 digits."""
    if not (SHORTEST_PIN <= len(pin) <= LONGEST_PIN and pin.isascii() and pin.isdigit()):
        raise BadData("PIN", f"it must have {SHORTEST_PIN} to {LONGEST_PIN} digits")
    return pin


def check_time_call(context: StationContext, game: GameId, call: EndByTimeLimit) -> None:
    """Check that a table would accept what follows from its time limit, as far as it has reported.

    Raises Refused where it would not, KeyError where no terminal has reported the game.
    """
    track = authoritative_log(game, context.projections, context.terminals_by_table())
    if track is None or track.state is None:
        raise KeyError(game)
    decide(track.state, call, rules_of(track.state.rules))


async def send_game_order(context: StationContext, order: CallTime) -> None:
    """Send an order about a game to the terminals that have it. Raises KeyError where none has it."""
    async with context.lock:
        await context.decide_with_retry(lambda: _order_all(context, order))


async def _order_all(context: StationContext, order: CallTime) -> None:
    having = terminals_having(context, order.game)
    if not having:
        raise KeyError(order.game)
    await context.order([(terminal, order) for terminal in having])


def terminals_having(context: StationContext, game: GameId) -> tuple[TerminalId, ...]:
    """Return the terminals that may connect and keep a game."""
    folds, connectable = context.projections, {one.terminal for one in context.terminals if not one.revoked}
    return tuple(
        terminal
        for terminal in folds.games.terminals(game)
        if terminal in connectable and not folds.handovers.is_relieved(game, terminal)
    )


async def _publish_change(context: StationContext) -> None:
    await context.read_terminals()
    await orders_follow(context)
    context.feed.publish("terminals")
    context.feed.publish("tournament")


async def give_due_orders(context: StationContext) -> None:
    """Give the orders that are due: a terminal has caught up, or the queue for the judge has changed.

    Returns at once where others wait to do the same: they will see what has changed.
    """
    if context.is_giving_soon:
        return
    context.is_giving_soon = True
    try:
        await context.lock.acquire()
    finally:
        context.is_giving_soon = False
    try:
        await context.catch_up()
        await orders_follow(context)
    finally:
        context.lock.release()
