"""Carry out the judge's decisions on tournaments."""

import asyncio
import enum
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import structlog

from base.errors import Refused, Unavailable
from core.editions.edition import Edition
from core.editions.loader import rules_of, with_all_readings
from core.game.orders import WithdrawSeat
from core.terms import TournamentId
from core.tournament import timeline
from core.tournament.decisions import TournamentDecision, TournamentStep, UndoSteps
from core.tournament.decisions import decide as core_decide
from core.tournament.decisions import why_not as core_why_not
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import leavers
from core.tournament.registration import OpenTournament
from core.tournament.standings.ranking import DrawLots, EnterOneOnOne, PublishRanking
from core.tournament.state.decision import NOTHING_KNOWN, DisputedTable, HallFacts, TableInUse
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState
from station.hall.due_orders import give_orders
from station.hall.floor import disputed_tables
from station.hall.missing_entries import tables_with_missing_entries
from station.hall.open_calls import record_calls
from station.hall.published import published_tables, tables_of
from station.hall.reports import acceptances_due
from station.hall.restored_games import reassign_spares_after_restore
from station.hall.station_context import StationContext
from station.hall.unassigned_terminals import raise_due_alarms
from station.hall.voided import voided_games
from station.hall.warnings import warnings_due
from station.projections.projections import tournament_stream
from station.store.settings import ARCHIVED


def _in_use(context: StationContext, tournament: TournamentState) -> tuple[TableInUse, ...]:
    """Return the tables whose results other tournaments await, with a terminal or on paper."""
    others = (state for state in context.tournament_states() if state.tournament != tournament.tournament)
    return tuple(
        TableInUse(table.drawn.table, state.name)
        for state in others
        for table in tables_of(state)
        if table.is_running and not table.is_accepted
    )


_NEED_HALL_FACTS = (
    SealDraw,
    MakeDraw,
    PublishDraw,
    DrawLots,
    EnterOneOnOne,
    PublishRoundsRanking,
    BeginDuels,
    PublishRanking,
)


def _hall_facts(
    context: StationContext, tournament: TournamentState | None, decision: TournamentDecision
) -> HallFacts:
    """Return what a decision depends on and the tournament's log doesn't contain.

    The core does not look for players who left a table, as logs from before this check must still verify.
    """
    if tournament is None or not isinstance(decision, _NEED_HALL_FACTS):
        return NOTHING_KNOWN
    return HallFacts(
        owing=tables_with_missing_entries(context, tournament),
        left=tuple(leaver.player for leaver in leavers(tournament)),
        disputed=tuple(
            DisputedTable(card.round, card.table) for card in disputed_tables(context, tournament)
        ),
        in_use=_in_use(context, tournament),
    )


_log = structlog.get_logger()


async def decide(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision, by: str
) -> TournamentState:
    """Carry out a decision durably, then give the terminals the resulting orders.

    Raises Refused, BadData for an unknown edition, KeyError for an unknown tournament, Unavailable if the
    disk fails. Nothing has changed then.
    """
    async with context.lock:
        state = await context.decide_with_retry(lambda: _decide(context, tournament, decision, by))
        await orders_follow(context)
    return state


async def decide_on(
    context: StationContext,
    tournament: TournamentId,
    choose: Callable[[TournamentState], TournamentDecision | None],
    by: str,
) -> TournamentState:
    """Carry out a decision that is chosen under the lock, like ``decide``.

    choose: called when nobody else can change the state; returns None to decide nothing.
    """

    async def _choose_and_decide() -> TournamentState:
        state = context.projections.tournaments[tournament].state
        decision = choose(state)
        return state if decision is None else await _decide(context, tournament, decision, by)

    async with context.lock:
        state = await context.decide_with_retry(_choose_and_decide)
        await orders_follow(context)
    return state


def why_not(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision
) -> Refused | None:
    """Return why a decision would be refused now; None if it would be accepted."""
    state, rules = _before(context, tournament, decision)
    return core_why_not(
        state, _completed(context, state, decision), rules, hall=_hall_facts(context, state, decision)
    )


async def orders_follow(context: StationContext) -> None:
    """Give the due orders, now or as soon as the disk allows. Needs the lock.

    The decisions behind them are durable, whether or not the orders can be given at once.
    """
    try:
        await reassign_spares_after_restore(context)
        await context.decide_with_retry(lambda: record_calls(context))
        await context.decide_with_retry(lambda: give_orders(context))
        await raise_due_alarms(context)
    except Unavailable as error:
        _log.warning("orders wait for the disk", problem=str(error))
        context.retry_until_done(lambda: resume_tournaments(context))


async def follow_up(context: StationContext) -> None:
    """Accept sheets confirmed at tables, now or as soon as the disk allows."""
    try:
        await resume_tournaments(context)
    except Unavailable as error:
        _log.warning("record sheets wait for the disk", problem=str(error))
        context.retry_until_done(lambda: resume_tournaments(context))


async def resume_tournaments(context: StationContext) -> None:
    """Accept the record sheets that judges confirmed at tables, and give all due orders.

    Raises Unavailable; whatever is not done then is found again.
    """
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

    Returns at once if another call is waiting to do the same, as it will see the changes.
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
    due = tuple(acceptances_due(published, context.projections, context.terminals_by_table(), trusted))
    archived = await _archived(context) if due else frozenset()
    for one in due:
        table, tournament = one.table.drawn.table, one.table.tournament.tournament
        if tournament in archived:
            continue
        try:
            await _decide(context, tournament, one.command, one.by)
            _log.info("record sheet accepted", table=table, by=one.by)
        except Refused as refusal:
            _log.warning("record sheet of a terminal refused", table=table, reason=refusal.reason.name)


async def _warn_due(context: StationContext) -> None:
    due = tuple(warnings_due(context.projections))
    archived = await _archived(context) if due else frozenset()
    for one in due:
        if one.tournament in archived:
            continue
        try:
            await _decide(context, one.tournament, one.command, one.by)
            _log.info("warning recorded", table=one.table)
        except Refused as refusal:
            _log.warning("warning of a table refused", table=one.table, reason=refusal.reason.name)


def check_nothing_added(context: StationContext, tournament: TournamentId, decision: UndoSteps) -> None:
    """Check that the last steps are still those that the judge has seen. Raises Refused."""
    track = context.projections.tournaments.get(tournament)
    if track is not None and decision.seen not in {None, len(track.steps_to_count)}:
        raise Refused(TournamentReason.HISTORY_GREW, by=track.steps_to_count[-1].events[0].by)


def _check_nobody_returns(context: StationContext, tournament: TournamentId, decision: UndoSteps) -> None:
    """Check that an undo returns no player to a table that was notified of the departure.

    The table continues without the player, which cannot be reversed there. Raises Refused.
    """
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
    if isinstance(decision, UndoSteps):
        check_nothing_added(context, tournament, decision)
        _check_nobody_returns(context, tournament, decision)
    if tournament in await _archived(context):
        raise Refused(ArchiveRefusal.ARCHIVED)
    state, rules = _before(context, tournament, decision)
    hall = _hall_facts(context, state, decision)
    events = core_decide(state, _completed(context, state, decision), rules, by, hall)
    wall = datetime.fromtimestamp(context.parts.clock.wall_ms() / 1000, UTC)
    step = TournamentStep(tournament, events, wall.isoformat(timespec="seconds").replace("+00:00", "Z"))
    track = context.projections.tournaments.get(tournament)
    # A step that could not be read again must be neither stored nor reported as done.
    timeline.extend(None if track is None else track.timeline, step)
    await context.append([(tournament_stream(tournament), step)])
    context.feed.publish("tournament")
    return context.projections.tournaments[tournament].state


def _completed(
    context: StationContext, state: TournamentState | None, decision: TournamentDecision
) -> TournamentDecision:
    """Add the station's default rulings to an opening, and to an undo the games that it would void."""
    if state is None and isinstance(decision, OpenTournament):
        return msgspec.structs.replace(decision, rules=with_all_readings(decision.rules))
    if state is not None and isinstance(decision, UndoSteps):
        voided = voided_games(context, state.tournament, decision.steps)
        return msgspec.structs.replace(decision, voided=voided)
    return decision


def _before(
    context: StationContext, tournament: TournamentId, decision: TournamentDecision
) -> tuple[TournamentState | None, Edition]:
    track = context.projections.tournaments.get(tournament)
    if track is not None:
        return track.state, rules_of(track.state.rules)
    if isinstance(decision, OpenTournament):
        return None, rules_of(decision.rules)
    raise KeyError(tournament)


async def _archived(context: StationContext) -> frozenset[TournamentId]:
    listed = await asyncio.to_thread(context.parts.settings.get, ARCHIVED)
    return frozenset(map(TournamentId, (listed or "").split()))


class Archive:
    """The archive of finished or abandoned tournaments, which are hidden from lists and cannot change.

    The settings are read on a thread, as they block.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def ids(self) -> frozenset[TournamentId]:
        return await _archived(self._context)

    async def archive(self, tournament: TournamentState, by: str) -> None:
        """Archive a tournament. Raises Refused, naming the tables, while it is being played."""
        async with self._context.lock:
            await self._context.catch_up()
            # Its current state, as a round may have been published since the page was shown.
            now = self._context.projections.tournaments[tournament.tournament].state
            tables = (one for one in tables_of(now) if one.is_running and not one.is_accepted)
            open_tables = sorted(one.drawn.table for one in tables)
            if open_tables:
                raise Refused(ArchiveRefusal.PLAYING, tables=", ".join(map(str, open_tables)))
            await self._change(lambda ids: ids | {tournament.tournament})
        _log.info("tournament archived", tournament=tournament.tournament, by=by)

    async def reopen(self, tournament: TournamentState, by: str) -> None:
        """Reopen an archived tournament, and accept sheets that arrived meanwhile."""
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
