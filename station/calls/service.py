"""Judges' actions on tables' calls, stored so that they survive a restart and all stations agree."""

import datetime as dt
import enum
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec
import structlog

from base.errors import Refused
from core.game.orders import AnswerCall, EndCall
from core.game.state.game import CallReason
from core.terms import GameId, TableNo, TournamentId
from station.hall.open_calls import OpenCall, open_calls, record_calls, ringing_calls
from station.hall.station_context import StationContext, uninterrupted
from station.hall.table_cards import table_of_game
from station.hall.tournaments import give_due_orders
from station.projections.alarms import (
    ALARMS,
    CallClaimed,
    CallEnded,
    CallEntry,
    CallEscalated,
    CallHandedOver,
    CallId,
    CallRecord,
    CallReleased,
)
from station.projections.projections import Projections
from station.projections.tournament_logs import GamePlace
from sync.protocol.entry import orders_of

_log = structlog.get_logger()


class Waits(msgspec.Struct, frozen=True):
    """Waiting times in seconds. ``slowest_at`` is the table that waited longest."""

    count: int
    median_s: float
    slowest_s: float
    slowest_at: TableNo


class DayReport(msgspec.Struct, frozen=True):
    """The calls of one day in one tournament.

    claimed, ended: the waits until a judge was on the way, and until the call ended.
    reasons: how often each reason was given, most frequent first; None stands for calls without a reason.
    """

    day: dt.date
    tournament: TournamentId
    calls: int
    claimed: Waits | None
    ended: Waits | None
    reasons: tuple[tuple[CallReason | None, int], ...]


def _reasons(projections: Projections) -> dict[CallId, CallReason]:
    """Return the reason of each call that has one, including logs copied to other terminals."""
    called = dict.fromkeys(record.game for record in projections.calls.all)
    tracks = (track for game in called for track in projections.games.get(game, ()))
    calls = (call for track in tracks for call in track.made_calls)
    return {call.call: call.reason for call in calls if call.reason is not None}


def _waits(
    records: Iterable[CallRecord],
    until: Callable[[CallRecord], int | None],
    places: Mapping[GameId, GamePlace],
) -> Waits | None:
    waits = [
        (max(0, end_ms - record.received_ms) / 1000, places[record.game].table)
        for record in records
        if (end_ms := until(record)) is not None
    ]
    if not waits:
        return None
    slowest_s, table = max(waits)
    return Waits(len(waits), statistics.median(wait for wait, _ in waits), slowest_s, table)


class CallRefusal(enum.Enum):
    """The reasons for refusing a judge's action on a call, as sentences for people."""

    OVER = "This call is already closed."
    TAKEN = "{name} is already on the way to this table."
    NOBODY = "Nobody is on the way to this table."
    UNKNOWN_JUDGE = "Choose a judge who has an account."
    FOR_HEAD_JUDGE = "The head judge has already been asked to come to this table."
    ONLY_HEAD_JUDGE = "This table waits for the head judge. Ask them to hand the call over to you."


class JudgeCalls:
    """The open calls of all tournaments. ``by`` is the judge's name from the session.

    Actions raise Refused if they come too late, and KeyError for a game that no terminal has. Any of them
    may raise Unavailable.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._queue: tuple[int, tuple[OpenCall, ...]] = (-1, ())

    def open_calls(self) -> tuple[OpenCall, ...]:
        """Return all open calls: those for the head judge first, then by waiting time, longest first."""
        number = self._context.feed.number
        if self._queue[0] != number:
            self._queue = number, self._read_queue()
        return self._queue[1]

    def day_reports(self) -> tuple[DayReport, ...]:
        """Return a report for each day and tournament with a call, newest day first."""
        projections = self._context.projections
        by_day: dict[tuple[dt.date, TournamentId], list[CallRecord]] = defaultdict(list)
        for record in projections.calls.all:
            place = projections.drawn.get(record.game)
            if place is not None:
                received = dt.datetime.fromtimestamp(record.received_ms / 1000, dt.UTC).astimezone()
                by_day[received.date(), place.tournament].append(record)
        reasons = _reasons(projections)
        reports = (
            DayReport(
                day,
                tournament,
                len(records),
                claimed=_waits(records, lambda record: record.claimed_ms, projections.drawn),
                ended=_waits(records, lambda record: record.ended_ms, projections.drawn),
                reasons=tuple(Counter(reasons.get(record.call) for record in records).most_common()),
            )
            for (day, tournament), records in by_day.items()
        )
        return tuple(sorted(reports, key=lambda report: report.day, reverse=True))

    async def claim(self, game: GameId, by: str, *, is_head_judge: bool = False) -> None:
        """Record, and show at the table, that this judge is coming. Escalated calls need a head judge."""

        def _claim(call: OpenCall) -> CallEntry | None:
            if call.coming not in {"", by}:
                raise Refused(CallRefusal.TAKEN, name=call.coming)
            if call.escalated_by and not call.coming and not is_head_judge:
                raise Refused(CallRefusal.ONLY_HEAD_JUDGE)
            return None if call.coming else CallClaimed(game, call.call.call, by)

        await self._act(game, _claim)
        _log.info("call claimed", game=game, by=by)

    async def release(self, game: GameId, by: str) -> None:
        """Return a call to the queue, as the judge who was on the way cannot come."""

        def _release(call: OpenCall) -> CallEntry:
            if not call.coming:
                raise Refused(CallRefusal.NOBODY)
            return CallReleased(game, call.call.call, by)

        await self._act(game, _release)
        _log.info("call released", game=game, by=by)

    async def hand_over(self, game: GameId, by: str, to: str, judges: Collection[str]) -> None:
        """Send another judge to a table. ``judges`` are the names of all accounts."""
        if to not in judges:
            raise Refused(CallRefusal.UNKNOWN_JUDGE)
        await self._act(
            game,
            lambda call: None if call.coming == to else CallHandedOver(game, call.call.call, by, to),
        )
        _log.info("call handed over", game=game, by=by, to=to)

    async def escalate(self, game: GameId, by: str) -> None:
        """Ask the head judge to come to a table."""

        def _escalate(call: OpenCall) -> CallEntry:
            if call.escalated_by:
                raise Refused(CallRefusal.FOR_HEAD_JUDGE)
            return CallEscalated(game, call.call.call, by)

        await self._act(game, _escalate)
        _log.info("call escalated", game=game, by=by)

    async def end(self, game: GameId, by: str) -> None:
        """Close a table's call. Does nothing if it is closed already."""
        try:
            await self._act(game, lambda call: CallEnded(game, call.number, by, call.call.call))
        except Refused:
            return
        _log.info("call ended", game=game, by=by)

    @uninterrupted
    async def _act(self, game: GameId, decide: Callable[[OpenCall], CallEntry | None]) -> None:
        context = self._context
        async with context.lock:
            await context.decide_with_retry(lambda: record_calls(context))
            await context.decide_with_retry(lambda: self._store(game, decide))
        # Others move up in the queue.
        await give_due_orders(context)
        context.feed.publish("calls")
        context.feed.publish("table", table_of_game(context, game))

    def _call_now(self, game: GameId) -> OpenCall:
        context = self._context
        if context.log_of(game) is None:
            raise KeyError(game)
        call = next((call for call in self._read_queue() if call.game == game), None)
        if call is None:
            raise Refused(CallRefusal.OVER)
        return call

    async def _store(self, game: GameId, decide: Callable[[OpenCall], CallEntry | None]) -> None:
        """Store a decision, and notify the table if it must know."""
        call, context = self._call_now(game), self._context
        entry = decide(call)
        if entry is None:
            return
        order = _order_after(call, entry)
        if order is None:
            await context.append([(ALARMS, entry)])
            return
        terminals = context.terminals_having(game)
        await context.append([(ALARMS, entry), *((orders_of(terminal), order) for terminal in terminals)])
        for terminal in terminals:
            await context.send_orders(terminal)

    def _read_queue(self) -> tuple[OpenCall, ...]:
        context = self._context
        ringing = ringing_calls(context)
        if not ringing:
            return ()
        published = context.published.by_game()
        tables = [published[game] for game in ringing if game in published]
        return open_calls(context, tables)


def _order_after(call: OpenCall, entry: CallEntry) -> AnswerCall | EndCall | None:
    """Return the order by which a table learns of a judge's decision on its call, if it must."""
    match entry:
        case CallClaimed() | CallHandedOver() if not call.coming:
            return AnswerCall(call.game)
        case CallEnded():
            return EndCall(call.game, call.number)
        case _:
            return None
