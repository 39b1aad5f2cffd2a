"""The tables that are calling a judge, in their order, and the records of their calls."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from core.game.state.game import CallReason, Phase
from core.terms import GameId
from station.hall.orders import QueuedCall
from station.hall.published import PublishedTable
from station.hall.station_context import StationContext
from station.projections.alarms import (
    ALARMS,
    CallEnded,
    CallEntry,
    CallId,
    CallReceived,
    CallRecord,
    TableCall,
)
from station.projections.game_logs import GameTrack

_OVER = frozenset({Phase.CONFIRMED, Phase.VOIDED})


class OpenCall(msgspec.Struct, frozen=True):
    """A table waiting for a judge. ``number`` counts its calls from 1; ``record`` is None until stored."""

    table: PublishedTable
    call: TableCall
    number: int
    record: CallRecord | None = None

    @property
    def game(self) -> GameId:
        return self.table.drawn.game

    @property
    def reason(self) -> CallReason | None:
        return self.call.reason

    @property
    def coming(self) -> str:
        return "" if self.record is None else self.record.coming

    @property
    def escalated_by(self) -> str:
        return "" if self.record is None else self.record.escalated_by


def _ringing_log(context: StationContext, game: GameId) -> GameTrack | None:
    track = context.log_of(game)
    if track is None or track.state is None or track.state.phase in _OVER or not track.made_calls:
        return None
    last = track.made_calls[-1].call
    is_ended = context.projections.calls.is_ended(game, last, len(track.made_calls))
    return track if track.state.judge_called and not is_ended else None


def open_calls(context: StationContext, tables: Iterable[PublishedTable]) -> tuple[OpenCall, ...]:
    """Return the open calls: those for the head judge first, then by waiting time, longest first."""
    calls = []
    for table in tables:
        track = None if table.is_accepted else _ringing_log(context, table.drawn.game)
        if track is not None:
            last = track.made_calls[-1]
            record = context.projections.calls.get(last.call)
            calls.append(OpenCall(table, last, len(track.made_calls), record))
    return tuple(sorted(calls, key=_place))


def _place(call: OpenCall) -> tuple[bool, bool, int, int]:
    received_ms = 0 if call.record is None else call.record.received_ms
    return not call.escalated_by, call.record is None, received_ms, call.call.position


def queued_calls(context: StationContext, tables: Iterable[PublishedTable]) -> tuple[QueuedCall, ...]:
    """Return the open calls of ``open_calls``, as tables are sent their places among them."""
    calls = open_calls(context, tables)
    return tuple(QueuedCall(call.table, call.number, is_answered=bool(call.coming)) for call in calls)


def _call_entries_due(context: StationContext) -> Iterator[CallEntry]:
    for call in _read_calls(context):
        if call.record is None:
            yield CallReceived(call.game, call.call.call)
    published = context.published.by_game()
    for record in context.projections.calls.all:
        if record.ended_ms is None:
            number = _ended_without_judge(context, record, published.get(record.game))
            if number is not None:
                yield CallEnded(record.game, number, "", record.call)


def _ended_without_judge(
    context: StationContext, record: CallRecord, table: PublishedTable | None
) -> int | None:
    """Return the number of a call that ended at the table or with its game, or None if the call is open."""
    track = context.log_of(record.game)
    made: tuple[CallId, ...] = () if track is None else tuple(call.call for call in track.made_calls)
    if table is None or table.is_accepted:
        return len(made)
    if track is None or track.state is None or record.call not in made:
        return None
    number = made.index(record.call) + 1
    is_last = number == len(made)
    return None if is_last and track.state.judge_called and track.state.phase not in _OVER else number


async def record_calls(context: StationContext) -> None:
    """Record new calls, and those that ended at the table or with their game. Needs the lock."""
    if due := tuple(_call_entries_due(context)):
        await context.append([(ALARMS, entry) for entry in due])
        context.feed.publish("calls")


def ringing_calls(context: StationContext) -> dict[GameId, TableCall]:
    """Return the calls that were open when entries last arrived, by game."""
    if context.ringing is None:
        _read_calls(context)
    assert context.ringing is not None
    return context.ringing


def _read_calls(context: StationContext) -> tuple[OpenCall, ...]:
    _, published = context.published.past_and_current()
    calls = open_calls(context, published.values())
    context.ringing = {call.game: call.call for call in calls}
    return calls


def is_queue_changed(context: StationContext, games: Collection[GameId]) -> bool:
    """Return whether any of these games has a new or ended call, or a new reason, since the last check."""
    ringing = ringing_calls(context)
    before = {game: ringing.pop(game, None) for game in games}
    for game in games:
        track = _ringing_log(context, game)
        if track is not None:
            ringing[game] = track.made_calls[-1]
    return any(ringing.get(game) != call for game, call in before.items())
