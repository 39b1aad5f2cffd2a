"""React to the hub's events: new entries, changed connections and alarms."""

from collections.abc import Sequence
from functools import partial

import structlog

from core.game.orders import SetClock
from station.hall import alarms, tournaments
from station.hall.open_calls import is_queue_changed, ringing_calls
from station.hall.reports import warnings_due
from station.hall.station_context import StationContext
from station.hall.table_cards import table_of_game
from station.projections.alarms import ALARMS
from station.projections.game_logs import GameTrack
from station.projections.projections import AffectedState
from sync.protocol.entry import Entry, Quarantined, TerminalId

_log = structlog.get_logger()


def _on_arrival(context: StationContext, entries: Sequence[Entry], touched: Sequence[AffectedState]) -> None:
    context.show_problems(touched)
    games = {one.game for one in touched if one.game is not None}
    if is_queue_changed(context, games) or any(entry.stream == ALARMS for entry in entries):
        context.spawn(tournaments.give_due_orders(context))
        context.feed.publish("calls")
    for game in games:
        context.feed.publish("table", table_of_game(context, game))
    logs = [context.projections.games[game] for game in games]
    if (
        any(one.apart in context.projections.drawn for one in touched)
        or any(
            len(tracks) > 1 or tracks[0].confirmed_by_judge or _doubts(context, tracks[0]) for tracks in logs
        )
        or next(warnings_due(context.projections), None) is not None
    ):
        # Handles confirmed sheets, warnings, steps of replaced terminals and requests for the time left. Also
        # alerts the judge if a terminal reports a game that it was not given.
        context.spawn(tournaments.follow_up(context))
    _follow_messages(context, [one for one in touched if one.is_message])
    if any(one.tournament is not None for one in touched):
        context.feed.publish("tournament")
        context.feed.publish("calls")
        # The station that decided this may stop before it gives the resulting orders.
        context.retry_until_done(lambda: tournaments.resume_tournaments(context))
    if any(entry.stream == ALARMS for entry in entries):
        # An alarm that was seen at one station must not ring at others.
        context.spawn(alarms.show_alarms(context))
        context.feed.publish("tournament")
    for stream in {entry.stream for entry in entries if entry.stream.startswith("orders/")}:
        context.spawn(context.send_orders(TerminalId(stream.partition("/")[2])))


def _follow_messages(context: StationContext, touched: Sequence[AffectedState]) -> None:
    if not touched:
        return
    context.feed.publish("messages")
    for terminal in {one.terminal for one in touched if one.terminal is not None}:
        context.publish_link(terminal)
    if any(one.terminal is None or one.terminal in context.projections.pin_locks for one in touched):
        context.spawn(tournaments.give_due_orders(context))


def _doubts(context: StationContext, track: GameTrack) -> bool:
    state = track.state
    if state is None or not state.clock.doubts:
        return False
    orders = context.projections.orders.get(track.terminal, [])
    clocks = (order for order in reversed(orders) if isinstance(order, SetClock) and order.game == state.game)
    last = next(clocks, None)
    return last is None or last.answers < state.clock.doubts


class HubEventHandler:
    """The station's side of the hub (``HubOwner``). Its methods run on the event loop and do not block."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        ringing_calls(context)
        context.on_folded(partial(_on_arrival, context))

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        self._context.folds.on_entries(entries)

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        """Raise alarms about entries that conflict with stored ones."""
        for bad in quarantined:
            _log.error("entry in quarantine", stream=bad.entry.stream, seq=bad.entry.seq, problem=bad.problem)
            self._context.alarm_of(bad.entry.stream, bad.problem)
        self._context.feed.publish("terminals")

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        """Record that a terminal was connected over this wire, or disconnected (None)."""
        _log.info("link changed", terminal=terminal, wire=wire)
        self._context.links.on_change(terminal, wire)
        if wire is None:
            self._context.updates.on_disconnect(terminal)
        self._context.publish_link(terminal)

    def on_message(self, terminal: TerminalId, *, owes: int) -> None:
        """Record a terminal's message. ``owes`` is the number of its entries that are still missing."""
        if self._context.links.on_message(terminal, owes):
            self._context.publish_link(terminal)
            if self._context.links.is_caught_up(terminal):
                self._context.spawn(tournaments.give_due_orders(self._context))

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Raise an alarm about a terminal."""
        _log.error("alarm", terminal=terminal, problem=problem)
        self._context.spawn(alarms.raise_fork(self._context, terminal, problem))
        self._context.publish_link(terminal)

    def bus_alarm(self, device: str, problem: str) -> None:
        """Set the alarm of an RS-485 bus; an empty text clears it."""
        if problem:
            _log.error("alarm of an RS-485 bus", device=device, problem=problem)
        self._context.links.bus_alarm(device, problem)
        self._context.feed.publish("terminals")
