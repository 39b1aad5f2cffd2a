"""Carry out the judge's decisions on tournaments."""

import asyncio
import enum
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

from base.errors import Refused, Unavailable
from core.editions.edition import Edition
from core.editions.loader import rules_of, with_all_readings
from core.game.orders import Order, WithdrawSeat
from core.terms import TournamentId
from core.tournament import timeline
from core.tournament.decisions import TournamentDecision, TournamentStep, UndoSteps
from core.tournament.decisions import decide as core_decide
from core.tournament.decisions import why_not as core_why_not
from core.tournament.registration import ChangeRules, OpenTournament
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState
from station.hall.alarms import raise_due_alarms
from station.hall.hall_facts import hall_facts, voided_games
from station.hall.open_calls import queued_calls, record_calls
from station.hall.orders import OrderContext, orders_due
from station.hall.published import published_tables, tables_of
from station.hall.reports import DueDecision, acceptances_due, warnings_due
from station.hall.restored_games import reassign_spares_after_restore
from station.hall.station_context import StationContext
from station.projections.tournament_logs import tournament_stream
from station.store.settings import ARCHIVED
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_AT_A_TIME = 50


async def give_orders(context: StationContext) -> None:
    """Append and send the due orders. Needs the lock."""
    past, published = context.published.past_and_current()
    here = frozenset(line.terminal for line in context.links.connected_terminals())
    hall = OrderContext(
        context.projections,
        published,
        context.terminals_by_table,
        context.pins,
        context.parts.clock.wall_ms(),
        context.sign_in_links(),
        here,
        queued_calls(context, published.values()),
        past,
    )
    context.playing = frozenset(hall.running_at)
    due: list[tuple[TerminalId, Order]] = []
    for number, terminal in enumerate(context.terminals, start=1):
        if _may_get_orders(context, terminal.terminal):
            due += [(terminal.terminal, order) for order in orders_due(terminal, hall)]
        if number % _AT_A_TIME == 0:
            # In a large hall, pages and acknowledgements need not wait for all of this.
            await asyncio.sleep(0)
    await context.order(due)


def _may_get_orders(context: StationContext, terminal: TerminalId) -> bool:
    """Return whether a terminal may be sent orders: after a restore, it must first send all its entries."""
    old = context.projections.epochs_of_orders.get(terminal, set()) - {context.parts.store.own_epoch()}
    return not old or context.links.is_caught_up(terminal)


async def decide(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision, by: str
) -> TournamentState:
    """Carry out a decision durably, then give the terminals the resulting orders.

    Raises Refused, BadData for an unknown edition, KeyError for an unknown tournament, Unavailable if the
    disk fails. In these cases, nothing changes.
    """
    return await _decide_and_order(context, lambda: _decide(context, tournament, decision, by))


async def decide_on(
    context: StationContext,
    tournament: TournamentId,
    choose: Callable[[TournamentState], TournamentDecision | None],
    by: str,
) -> TournamentState:
    """Carry out a decision that ``choose`` makes under the lock, unless it returns None. See ``decide``."""

    async def _choose_and_decide() -> TournamentState:
        state = context.projections.tournaments[tournament].state
        decision = choose(state)
        return state if decision is None else await _decide(context, tournament, decision, by)

    return await _decide_and_order(context, _choose_and_decide)


async def decide_together(
    context: StationContext, decisions: Sequence[tuple[TournamentId, TournamentDecision]], by: str
) -> TournamentState:
    """Carry out several decisions in order, even on different tournaments, or none of them. See ``decide``.

    Returns the state of the last decision's tournament.
    """
    return await _decide_and_order(context, lambda: _decide_all(context, decisions, by))


async def _decide_and_order(
    context: StationContext, decide_now: Callable[[], Coroutine[Any, Any, TournamentState]]
) -> TournamentState:
    async with context.lock:
        state = await context.decide_with_retry(decide_now)
        await orders_follow(context)
    return state


def why_not(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision
) -> Refused | None:
    """Return why a decision would be refused now, or None if it would be accepted."""
    track = context.projections.tournaments.get(tournament)
    state = None if track is None else track.state
    rules = _rules_for(state, tournament, decision)
    return core_why_not(
        state, _completed(context, state, decision), rules, hall=hall_facts(context, state, decision)
    )


async def orders_follow(context: StationContext) -> None:
    """Give the due orders of durable decisions, now or as soon as the disk works. Needs the lock."""
    try:
        await reassign_spares_after_restore(context)
        await context.decide_with_retry(lambda: record_calls(context))
        await context.decide_with_retry(lambda: give_orders(context))
        await raise_due_alarms(context)
    except Unavailable as error:
        _log.warning("orders wait for the disk", problem=str(error))
        context.retry_until_done(lambda: resume_tournaments(context))


async def follow_up(context: StationContext) -> None:
    """Accept sheets confirmed at tables, now or as soon as the disk works."""
    try:
        await resume_tournaments(context)
    except Unavailable as error:
        _log.warning("record sheets wait for the disk", problem=str(error))
        context.retry_until_done(lambda: resume_tournaments(context))


async def resume_tournaments(context: StationContext) -> None:
    """Record what judges confirmed at tables, and give all due orders. Raises Unavailable."""
    async with context.lock:
        await context.catch_up()
        await reassign_spares_after_restore(context)
        await context.decide_with_retry(lambda: _warn_due(context))
        await context.decide_with_retry(lambda: _accept_due(context))
        await context.decide_with_retry(lambda: record_calls(context))
        await context.decide_with_retry(lambda: give_orders(context))
        await raise_due_alarms(context)


async def give_due_orders(context: StationContext) -> None:
    """Give all due orders, after a terminal has caught up or the queue for the judge has changed.

    Returns at once if another call is waiting for the lock, as that call will see the changes.
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


async def _accept_due(context: StationContext) -> None:
    _, published = context.published.past_and_current()
    trusted = {known.terminal for known in context.terminals if known.trusted}
    due = acceptances_due(published, context.projections, context.terminals_by_table, trusted)
    await _record_due(context, tuple(due), "record sheet accepted", "record sheet of a terminal refused")


async def _warn_due(context: StationContext) -> None:
    due = tuple(warnings_due(context.projections))
    await _record_due(context, due, "warning recorded", "warning of a table refused")


async def _record_due(
    context: StationContext, due: Sequence[DueDecision], recorded: str, refused: str
) -> None:
    """Record decisions made at tables, except those of archived tournaments. The texts are for the log."""
    archived = await _archived(context) if due else frozenset()
    for one in due:
        if one.tournament in archived:
            continue
        try:
            await _decide(context, one.tournament, one.command, one.by)
            _log.info(recorded, table=one.table, by=one.by)
        except Refused as refusal:
            _log.warning(refused, table=one.table, reason=refusal.reason.name)


def check_nothing_added(context: StationContext, tournament: TournamentId, decision: UndoSteps) -> None:
    """Refuse an undo if the last steps are no longer those that the judge has seen."""
    track = context.projections.tournaments.get(tournament)
    if track is not None and decision.seen not in {None, len(track.steps_to_count)}:
        raise Refused(TournamentReason.HISTORY_GREW, by=track.steps_to_count[-1].events[0].by)


def _check_nobody_returns(context: StationContext, tournament: TournamentId, decision: UndoSteps) -> None:
    """Refuse an undo that brings a player back to a table that has continued without that player."""
    track = context.projections.tournaments.get(tournament)
    if track is None or not 0 < decision.steps < len(track.timeline.moments):
        return
    before = track.timeline.moments[-1 - decision.steps].state
    for game, table in published_tables((before,)).items():
        if table.is_accepted:
            continue
        orders = (order for sent in context.projections.orders.values() for order in sent)
        left = {order.seat for order in orders if isinstance(order, WithdrawSeat) and order.game == game}
        for seat in sorted(left):
            entrant = before.entrant(table.drawn.players[seat - 1])
            if entrant is not None and not entrant.is_out:
                raise Refused(TournamentReason.LEFT_AT_THE_TABLE, table=table.drawn.table, name=entrant.name)


async def _decide(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision, by: str
) -> TournamentState:
    return await _decide_all(context, ((tournament, decision),), by)


async def _decide_all(
    context: StationContext, decisions: Sequence[tuple[TournamentId, TournamentDecision]], by: str
) -> TournamentState:
    archived = await _archived(context)
    wall = datetime.fromtimestamp(context.parts.clock.wall_ms() / 1000, UTC)
    at = wall.isoformat(timespec="seconds").replace("+00:00", "Z")
    tracks = context.projections.tournaments
    timelines = {known: track.timeline for known, track in tracks.items()}
    steps: list[TournamentStep] = []
    for tournament, decision in decisions:
        if isinstance(decision, UndoSteps):
            check_nothing_added(context, tournament, decision)
            _check_nobody_returns(context, tournament, decision)
        if tournament in archived:
            raise Refused(ArchiveRefusal.ARCHIVED)
        before = timelines.get(tournament)
        state = None if before is None else before.state
        rules = _rules_for(state, tournament, decision)
        hall = hall_facts(context, state, decision)
        events = core_decide(state, _completed(context, state, decision), rules, by, hall)
        steps.append(TournamentStep(tournament, events, at))
        # A step that could not be read again must be neither stored nor reported as done.
        timelines[tournament] = timeline.extend(before, steps[-1])
    await context.append([(tournament_stream(step.tournament), step) for step in steps])
    context.feed.publish("tournament")
    return context.projections.tournaments[steps[-1].tournament].state


def _completed(
    context: StationContext, state: TournamentState | None, decision: TournamentDecision
) -> TournamentDecision:
    """Add the station's default rulings to new rules, and the games that it would void to an undo."""
    if isinstance(decision, OpenTournament | ChangeRules):
        return msgspec.structs.replace(decision, rules=with_all_readings(decision.rules))
    if state is not None and isinstance(decision, UndoSteps):
        voided = voided_games(context, state.tournament, decision.steps)
        return msgspec.structs.replace(decision, voided=voided)
    return decision


def _rules_for(
    state: TournamentState | None, tournament: TournamentId, decision: TournamentDecision
) -> Edition:
    if isinstance(decision, ChangeRules) or (state is None and isinstance(decision, OpenTournament)):
        return rules_of(decision.rules)
    if state is None:
        raise KeyError(tournament)
    return rules_of(state.rules)


async def _archived(context: StationContext) -> frozenset[TournamentId]:
    listed = await asyncio.to_thread(context.parts.settings.get, ARCHIVED)
    return frozenset(map(TournamentId, (listed or "").split()))


class Archive:
    """The archive of finished or abandoned tournaments, which are hidden from lists and cannot change.

    known: the archived ones when they were last looked up.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self.known: frozenset[TournamentId] = frozenset()

    async def ids(self) -> frozenset[TournamentId]:
        self.known = await _archived(self._context)
        return self.known

    async def archive(self, tournament: TournamentState, by: str) -> None:
        """Archive a tournament. Raises Refused, naming the tables, while it is being played."""
        async with self._context.lock:
            await self._context.catch_up()
            # Its current state, as a round may have been published since the page was shown.
            now = self._context.projections.tournaments[tournament.tournament].state
            tables = (one for one in tables_of(now) if one.is_awaited)
            open_tables = sorted(one.drawn.table for one in tables)
            if open_tables:
                raise Refused(ArchiveRefusal.PLAYING, tables=", ".join(map(str, open_tables)))
            await self._change(lambda ids: ids | {tournament.tournament})
        _log.info("tournament archived", tournament=tournament.tournament, by=by)

    async def reopen(self, tournament: TournamentState, by: str) -> None:
        """Reopen an archived tournament, and accept the sheets that have arrived meanwhile."""
        await self._change(lambda ids: ids - {tournament.tournament})
        await follow_up(self._context)
        _log.info("tournament reopened", tournament=tournament.tournament, by=by)

    async def _change(self, change: Callable[[frozenset[TournamentId]], frozenset[TournamentId]]) -> None:
        def _text(former: str) -> str:
            return " ".join(sorted(change(frozenset(map(TournamentId, former.split())))))

        await asyncio.to_thread(self._context.parts.settings.change, ARCHIVED, "", _text)
        self._context.feed.publish("tournament")


class ArchiveRefusal(enum.Enum):
    """The reasons for refusing to archive a tournament, or to change an archived one."""

    ARCHIVED = "This tournament is archived, so nothing in it can be changed. Reopen it first, on its page."
    PLAYING = (
        "These tables are still playing: {tables}. Enter their record sheets first, or undo the publication."
    )
