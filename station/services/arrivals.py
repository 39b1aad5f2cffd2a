"""The follow-up to folded entries: update pages, send orders, take up confirmed record sheets."""

from collections.abc import Sequence

import structlog

from saloon.core.orders import SetClock
from saloon.station.services import tournaments
from saloon.station.services.station_context import StationContext
from saloon.station.services.tables.floor import rings, table_of_game
from saloon.station.services.terminals import troubles
from saloon.station.store.projections import AffectedState, GameTrack
from saloon.station.terminals.alarms import ALARMS
from saloon.sync.protocol.entry import Entry, TerminalId

_log = structlog.get_logger()


def arrived(desk: StationContext, entries: Sequence[Entry], touched: Sequence[AffectedState]) -> None:
    """Show durable, folded entries, send orders on, and accept what was confirmed."""
    for one in touched:
        _show_problem(desk, one)
    games = {one.game for one in touched if one.game is not None}
    for game in games:
        if not rings(desk, game):
            desk.coming.pop(game, None)
        desk.feed.publish("table", table_of_game(desk, game))
    tellings = [desk.projections.games[game] for game in games]
    if any(one.apart in desk.projections.drawn for one in touched) or any(
        len(tracks) > 1 or tracks[0].confirmed_by_judge or _doubts(desk, tracks[0]) for tracks in tellings
    ):
        # A confirmed sheet is to be accepted; a relieved terminal's steps may be merged; a terminal that asks
        # for its clock gets an answer. The judge must know of one that reports a game it was not given.
        desk.spawn(tournaments.follow_up(desk))
    if any(one.tournament is not None for one in touched):
        desk.feed.publish("tournament")
        # The station that decided this may end before it gives the orders that follow from it.
        desk.again(lambda: tournaments.resume_tournaments(desk))
    if any(entry.stream == ALARMS for entry in entries):
        # An alarm that a judge has seen at one station rings at none.
        desk.spawn(troubles.show_alarms(desk))
        desk.feed.publish("tournament")
    for stream in {entry.stream for entry in entries if entry.stream.startswith("orders/")}:
        desk.spawn(desk.orders_travel(TerminalId(stream.partition("/")[2])))


def _doubts(desk: StationContext, track: GameTrack) -> bool:
    """Return whether the terminal has asked for the time left and has not been answered yet."""
    state = track.state
    if state is None or not state.clock.doubts:
        return False
    told = desk.projections.orders.get(track.terminal, [])
    clocks = (order for order in reversed(told) if isinstance(order, SetClock) and order.game == state.game)
    last = next(clocks, None)
    return last is None or last.answers < state.clock.doubts


def _show_problem(desk: StationContext, touched: AffectedState) -> None:
    if touched.problem:
        _log.error("an entry cannot be read", problem=touched.problem)
        if touched.terminal is not None:
            desk.links.alarm(touched.terminal, touched.problem)
