"""The judge's control of terminals: their tables, their right to connect, and manual orders."""

import asyncio
from collections.abc import Collection

import structlog

from base.errors import Refused
from core.editions.loader import rules_of
from core.game.clock import EndByTimeLimit
from core.game.decide import decide
from core.game.orders import CallTime
from core.terms import GameId, TableNo
from station.enrolment import terminal_pins as pins
from station.enrolment.enrolments import EnrolmentRefusal, check_table_number
from station.hall.authoritative_log import authoritative_log
from station.hall.due_orders import terminals_having
from station.hall.station_context import StationContext
from station.hall.tournaments import orders_follow, resume_tournaments
from station.projections.alarms import ALARMS, AlarmRaised, put_at_table_subject
from station.projections.terminal_cards import ProvisioningText
from station.sd_cards.card_files import card_settings, card_text
from sync.enrolment.provisioning import StationPart
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()


async def assign(
    context: StationContext, terminal: TerminalId, table: TableNo | None, by: str, *, is_floor: bool
) -> None:
    """Assign a terminal to a table and notify it. Raises KeyError for an unknown terminal, BadData.

    ``is_floor`` means that ``by`` is a floor or head judge, whose assignment makes a terminal trusted. For
    others, raises Refused while a table concerned is playing.
    """
    checked = check_table_number(table)
    async with context.lock:
        await context.catch_up()
        playing = () if is_floor else tuple(_games_by_table(context))
        assign_to, trusts = context.parts.enrolments.assign, is_floor and table is not None
        await asyncio.to_thread(assign_to, terminal, checked, playing, trusts=trusts)
        await context.read_terminals()
        await _raise_put_at_table(context, terminal, by)
        await _publish_change(context)


async def trust(context: StationContext, terminals: Collection[TerminalId]) -> None:
    """Trust these terminals, give them the orders that they lack, and accept their record sheets."""
    async with context.lock:
        await asyncio.to_thread(context.parts.enrolments.trust, terminals)
        await _publish_change(context)
    await resume_tournaments(context)


def check_not_playing(context: StationContext, table: TableNo | None, *, is_floor: bool) -> None:
    """Check that a new terminal may get this table.

    Raises Refused if only a floor or head judge may do so.
    """
    if not is_floor and table in _games_by_table(context):
        raise Refused(EnrolmentRefusal.PLAYING, table=table)


def _games_by_table(context: StationContext) -> dict[TableNo, GameId]:
    """Return the published games without an accepted record sheet, by table."""
    _, published = context.published.past_and_current()
    running = (one for one in published.values() if one.is_running and not one.is_accepted)
    return {one.drawn.table: one.drawn.game for one in running}


async def _raise_put_at_table(context: StationContext, terminal: TerminalId, by: str = "") -> None:
    """Raise an alarm about a terminal that was put at a table whose game is published. Needs the lock.

    ``by`` is the person who put it there; if empty, the one who enrolled it.
    """
    known = next((one for one in context.terminals if one.terminal == terminal), None)
    if known is None or known.table is None:
        return
    game = _games_by_table(context).get(known.table)
    by, subject = by or known.let_in_by, put_at_table_subject(terminal, game or "")
    problem = f"assigned to table {known.table} by {by or 'the station'} during its game"
    alarm = AlarmRaised(subject, terminal, problem)

    async def _raise() -> None:
        if subject not in context.projections.raised:
            await context.append([(ALARMS, alarm)])
            context.links.alarm(terminal, problem)

    if game is not None:
        _log.warning("alarm", terminal=terminal, problem=problem)
        await context.decide_with_retry(_raise)


async def revoke(context: StationContext, terminal: TerminalId, *, is_floor: bool) -> None:
    """Revoke a terminal, which is refused from now on. Raises KeyError.

    ``is_floor`` means requested by a floor or head judge. For others, raises Refused while its table is
    playing.
    """
    async with context.lock:
        playing: Collection[TableNo] = ()
        if not is_floor:
            await context.catch_up()
            playing = _games_by_table(context)
        await asyncio.to_thread(context.parts.enrolments.revoke, terminal, playing)
        # First, as a full disk could prevent the rest. From here on it cannot reconnect.
        await context.read_terminals()
        context.hang_up(terminal, "the judge has revoked this terminal")
        await _publish_change(context)


async def enrol(
    context: StationContext, table: TableNo | None, by: str, *, is_floor: bool
) -> ProvisioningText:
    """Make a new provisioning file with a one-time token and the common card settings.

    ``is_floor`` means that ``by`` is a floor or head judge. For others, raises Refused while the table is
    playing.
    """
    checked = check_table_number(table)
    check_not_playing(context, checked, is_floor=is_floor)
    chosen = await asyncio.to_thread(card_settings, context.parts.settings)
    make = context.parts.enrolments.new_token
    token = await asyncio.to_thread(make, checked, by=by, trusted=is_floor)
    station = StationPart(certificate=context.parts.certificate, addresses=context.addresses)
    return ProvisioningText(table=checked, toml=card_text(chosen, station, checked, token))


async def on_enrolled(context: StationContext, terminal: TerminalId) -> None:
    """Send a newly enrolled terminal the orders for its table."""
    async with context.lock:
        await context.catch_up()
        await context.read_terminals()
        await _raise_put_at_table(context, terminal)
        await _publish_change(context)


async def renew_pins(context: StationContext) -> None:
    """Give every terminal a new PIN, and send it the hash to check against."""
    async with context.lock:
        await context.catch_up()
        context.pins = await asyncio.to_thread(pins.renew_pins, context.parts.settings)
        await orders_follow(context)


def check_time_call(context: StationContext, game: GameId, call: EndByTimeLimit) -> None:
    """Check that a table would accept the consequence of its time limit, according to its reports.

    Raises Refused if it would not, KeyError if no terminal has reported the game.
    """
    track = authoritative_log(game, context.projections, context.terminals_by_table())
    if track is None or track.state is None:
        raise KeyError(game)
    decide(track.state, call, rules_of(track.state.rules))


async def send_game_order(context: StationContext, order: CallTime) -> None:
    """Send an order about a game to the terminals that have it. Raises KeyError if none has it."""
    async with context.lock:
        await context.decide_with_retry(lambda: _order_all(context, order))


async def _order_all(context: StationContext, order: CallTime) -> None:
    having = terminals_having(context, order.game)
    if not having:
        raise KeyError(order.game)
    await context.order([(terminal, order) for terminal in having])


async def _publish_change(context: StationContext) -> None:
    await context.read_terminals()
    await orders_follow(context)
    context.feed.publish("terminals")
    context.feed.publish("tournament")


class Terminals:
    """The actions of judges and organisers on terminals. ``by`` is the person's name from the session."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def assign(
        self, terminal: TerminalId, table: TableNo | None, by: str, *, is_floor: bool = True
    ) -> None:
        """Assign a terminal to a table. Raises KeyError, or BadData for an invalid table number.

        ``is_floor`` means that ``by`` is a floor or head judge. For others, raises Refused while a table is
        playing.
        """
        work = assign(self._context, terminal, table, by, is_floor=is_floor)
        await self._context.run_to_completion(work)
        _log.info("terminal assigned", terminal=terminal, table=table, by=by)

    async def trust(self, chosen: Collection[TerminalId], by: str) -> None:
        """Trust terminals that an organiser enrolled. Raises Unavailable."""
        await self._context.run_to_completion(trust(self._context, chosen))
        _log.info("terminals trusted", terminals=chosen, by=by)

    async def enrol(self, table: TableNo | None, by: str, *, is_floor: bool = True) -> ProvisioningText:
        """Create a provisioning file. Raises BadData and Refused as ``assign`` does."""
        work = enrol(self._context, table, by, is_floor=is_floor)
        made = await self._context.run_to_completion(work)
        _log.info("provisioning file made", table=table, by=by)
        return made

    async def revoke(self, terminal: TerminalId, by: str, *, is_floor: bool = True) -> None:
        """Revoke a terminal, which is refused from now on.

        Raises KeyError, and Refused as ``assign`` does.
        """
        await self._context.run_to_completion(revoke(self._context, terminal, is_floor=is_floor))
        _log.info("terminal revoked", terminal=terminal, by=by)

    async def renew_pins(self, by: str) -> None:
        """Give every terminal a new PIN. Raises Unavailable."""
        await self._context.run_to_completion(renew_pins(self._context))
        _log.info("terminals' PINs changed", by=by)

    async def call_time(self, game: GameId, call: EndByTimeLimit, by: str) -> None:
        """Apply the consequence of a table's time limit at its terminal.

        Raises Refused if it is not possible, KeyError if no terminal has the game.
        """
        check_time_call(self._context, game, call)
        order = CallTime(game, call.how, call.ending, call.reason)
        await self._context.run_to_completion(send_game_order(self._context, order))
        _log.info("time called", game=game, by=by)
