"""The judge's control of terminals: their tables, their right to connect, and orders about themselves."""

import asyncio
import enum
from collections.abc import Callable, Collection, Sequence

import structlog

from base.errors import Refused
from core.editions.loader import rules_of
from core.game.clock import EndByTimeLimit
from core.game.decide import decide
from core.game.orders import CallTime, IdentifyTerminal, LockGlass, Order, RestartTerminal
from core.terms import GameId, TableNo
from station.enrolment import terminal_pins as pins
from station.enrolment.enrolments import EnrolledTerminal, EnrolmentRefusal, check_table_number
from station.hall.station_context import StationContext, uninterrupted
from station.hall.tournaments import orders_follow, resume_tournaments
from station.projections.alarms import ALARMS, AlarmRaised, put_at_table_subject
from station.projections.cards import TerminalLink
from station.sd_cards.card_files import card_settings, card_text
from sync.enrolment.provisioning import StationPart
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_NAME_DIGITS = 8
"""The number of digits of a terminal's id to show on pages."""


def check_not_playing(context: StationContext, table: TableNo | None, *, is_floor: bool) -> None:
    """Raise Refused if a floor or head judge is needed to put a new terminal at this table."""
    if not is_floor and table in _games_by_table(context):
        raise Refused(EnrolmentRefusal.PLAYING, table=table)


def _games_by_table(context: StationContext) -> dict[TableNo, GameId]:
    _, published = context.published.past_and_current()
    running = (one for one in published.values() if one.is_awaited)
    return {one.drawn.table: one.drawn.game for one in running}


async def _raise_put_at_table(context: StationContext, terminal: TerminalId, by: str = "") -> None:
    """Raise an alarm about a terminal that was assigned to a table in mid-game. Needs the lock."""
    known = context.terminals_by_id.get(terminal)
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
    """Revoke a terminal, which is refused from now on. Raises KeyError, and Refused as ``Terminals`` does."""
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


async def enrol(context: StationContext, table: TableNo | None, by: str, *, is_floor: bool) -> str:
    """Create a provisioning file with a one-time token. Raises Refused as ``Terminals`` does."""
    checked = check_table_number(table)
    check_not_playing(context, checked, is_floor=is_floor)
    chosen = await asyncio.to_thread(card_settings, context.parts.settings)
    make = context.parts.enrolments.new_token
    token = await asyncio.to_thread(make, checked, by=by, trusted=is_floor)
    station = StationPart(certificate=context.parts.certificate, addresses=context.addresses)
    return card_text(chosen, station, checked, token)


async def on_enrolled(context: StationContext, terminal: TerminalId) -> None:
    """Send a newly enrolled terminal the orders for its table."""
    async with context.lock:
        await context.catch_up()
        await context.read_terminals()
        await _raise_put_at_table(context, terminal)
        await _publish_change(context)


async def _publish_change(context: StationContext) -> None:
    await context.read_terminals()
    await orders_follow(context)
    context.feed.publish("terminals")
    context.feed.publish("tournament")


class Terminals:
    """The actions of judges and organisers on terminals. ``by`` is the person's name from the session.

    is_floor: whether ``by`` is a floor or head judge, whose assignment makes a terminal trusted. For others,
        actions raise Refused while a table concerned is playing.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context

    @uninterrupted
    async def assign(
        self, terminal: TerminalId, table: TableNo | None, by: str, *, is_floor: bool = True
    ) -> None:
        """Assign a terminal to a table and notify it. Raises KeyError, and BadData for an invalid number."""
        context, number = self._context, check_table_number(table)
        async with context.lock:
            await context.catch_up()
            playing = () if is_floor else tuple(_games_by_table(context))
            assign_to, trusts = context.parts.enrolments.assign, is_floor and number is not None
            await asyncio.to_thread(assign_to, terminal, number, playing, trusts=trusts)
            await context.read_terminals()
            await _raise_put_at_table(context, terminal, by)
            await _publish_change(context)
        _log.info("terminal assigned", terminal=terminal, table=table, by=by)

    @uninterrupted
    async def trust(self, chosen: Collection[TerminalId], by: str) -> None:
        """Trust terminals that an organiser enrolled, and accept their record sheets. Raises Unavailable."""
        async with self._context.lock:
            await asyncio.to_thread(self._context.parts.enrolments.trust, chosen)
            await _publish_change(self._context)
        await resume_tournaments(self._context)
        _log.info("terminals trusted", terminals=chosen, by=by)

    @uninterrupted
    async def enrol(self, table: TableNo | None, by: str, *, is_floor: bool = True) -> str:
        """Create a provisioning file. Raises BadData and Refused as ``assign`` does."""
        made = await enrol(self._context, table, by, is_floor=is_floor)
        _log.info("provisioning file made", table=table, by=by)
        return made

    @uninterrupted
    async def revoke(self, terminal: TerminalId, by: str, *, is_floor: bool = True) -> None:
        """Revoke a terminal, which is refused from now on. Raises KeyError."""
        await revoke(self._context, terminal, is_floor=is_floor)
        _log.info("terminal revoked", terminal=terminal, by=by)

    @uninterrupted
    async def renew_pins(self, by: str) -> None:
        """Give every terminal a new PIN, and send it the hash to check PINs against. Raises Unavailable."""
        async with self._context.lock:
            await self._context.catch_up()
            self._context.pins = await asyncio.to_thread(pins.renew_pins, self._context.parts.settings)
            await orders_follow(self._context)
        _log.info("terminals' PINs changed", by=by)

    @uninterrupted
    async def call_time(self, game: GameId, call: EndByTimeLimit, by: str) -> None:
        """Apply the consequence of a table's time limit at its terminal.

        Raises Refused if the game as last reported does not allow it, KeyError if no terminal has the game.
        """
        context = self._context
        track = context.log_of(game)
        if track is None or track.state is None:
            raise KeyError(game)
        decide(track.state, call, rules_of(track.state.rules))
        order = CallTime(game, call.how, call.ending, call.reason)

        async def _order() -> None:
            having = context.terminals_having(game)
            if not having:
                raise KeyError(game)
            await context.order([(terminal, order) for terminal in having])

        async with context.lock:
            await context.decide_with_retry(_order)
        _log.info("time called", game=game, by=by)


class RemoteRefusal(enum.Enum):
    """The reasons for refusing to control a terminal, as sentences for the judge."""

    AWAY = "The terminal isn't connected now. Wait until it's back, then try again."
    NONE_CONNECTED = "None of these terminals is connected now."
    NOTHING_TO_DO = "Nothing has changed: every terminal is already in that state."


class RemoteControl:
    """Orders about terminals themselves, given by a judge. Methods raise KeyError or Unavailable."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def lock(self, terminal: TerminalId, *, is_locked: bool, by: str) -> None:
        """Lock or unlock one terminal's screen. A disconnected terminal follows when it reconnects."""
        await self._give_one(terminal, lambda _known: LockGlass(is_locked, by))
        _log.info("screen locked" if is_locked else "screen unlocked", terminal=terminal, by=by)

    async def lock_all(self, *, is_locked: bool, by: str) -> None:
        """Lock or unlock the screens of all terminals at tables. Raises Refused if none needs it."""

        def _wants(known: EnrolledTerminal) -> bool:
            glass = self._context.projections.glass_locks.of(known.terminal)
            is_so = glass.is_wanted if glass.is_pending else glass.is_locked
            return known.table is not None and is_so is not is_locked

        await self._give(
            lambda: self._known(_wants), lambda _known: LockGlass(is_locked, by), RemoteRefusal.NOTHING_TO_DO
        )
        _log.info("all screens locked" if is_locked else "all screens unlocked", by=by)

    async def restart(self, terminal: TerminalId, by: str) -> None:
        """Restart a connected terminal's program. Raises Refused for a disconnected one."""
        await self._give_one(terminal, lambda _known: RestartTerminal(), is_connected=True)
        _log.info("terminal restarted", terminal=terminal, by=by)

    async def identify(self, terminal: TerminalId, by: str) -> None:
        """Make a connected terminal identify itself. Raises Refused for a disconnected one."""
        await self._give_one(terminal, _identify, is_connected=True)
        _log.info("terminal identified", terminal=terminal, by=by)

    async def identify_spares(self, by: str) -> None:
        """Make all connected spares identify themselves. Raises Refused if there are none."""
        await self._give(
            lambda: self._known(lambda known: known.table is None and self._is_connected(known)),
            _identify,
            RemoteRefusal.NONE_CONNECTED,
        )
        _log.info("spare terminals identified", by=by)

    async def _give_one(
        self, terminal: TerminalId, order: Callable[[EnrolledTerminal], Order], *, is_connected: bool = False
    ) -> None:
        def _chosen() -> Sequence[EnrolledTerminal]:
            terminals = self._known(lambda known: known.terminal == terminal)
            if not terminals:
                raise KeyError(terminal)
            return [known for known in terminals if not is_connected or self._is_connected(known)]

        await self._give(_chosen, order, RemoteRefusal.AWAY)

    @uninterrupted
    async def _give(
        self,
        choose: Callable[[], Sequence[EnrolledTerminal]],
        order: Callable[[EnrolledTerminal], Order],
        otherwise: RemoteRefusal,
    ) -> None:
        context = self._context

        async def _order() -> Sequence[EnrolledTerminal]:
            chosen = choose()
            if not chosen:
                raise Refused(otherwise)
            await context.order([(known.terminal, order(known)) for known in chosen])
            return chosen

        async with context.lock:
            chosen = await context.decide_with_retry(_order)
        for known in chosen:
            context.publish_link(known.terminal)

    def _known(self, is_wanted: Callable[[EnrolledTerminal], bool]) -> list[EnrolledTerminal]:
        return [known for known in self._context.terminals if not known.revoked and is_wanted(known)]

    def _is_connected(self, known: EnrolledTerminal) -> bool:
        return self._context.links.card(known).link is not TerminalLink.AWAY


def _identify(known: EnrolledTerminal) -> IdentifyTerminal:
    return IdentifyTerminal(known.terminal[:_NAME_DIGITS])
