"""Recovery of a station restored from a backup, by means of the terminals' own entries."""

import asyncio
from collections.abc import Iterator

import structlog

from saloon.core.game.correction.takeover import step_with_origin
from saloon.core.game.events import StepOrigin
from saloon.core.terms import GameId, TableNo
from saloon.station.services.published import PublishedTable, published_tables
from saloon.station.services.station_context import StationContext
from saloon.station.store.projections import GameTrack, Projections
from saloon.station.terminals.alarms import ALARMS, UnrecordedAssignmentFound
from saloon.station.terminals.enrolments import EnrolledTerminal

_log = structlog.get_logger()


async def reassign_spares_after_restore(context: StationContext) -> None:
    """Assign spares to the tables that they took over since the backup, after a restore.

    Then take up what terminals report of games that they were given since. Orders that were lost with the
    disk cannot show that; a terminal's table does, or copies of steps that only an order can have given it.
    Other logs stay apart. Needs the lock. Raises Unavailable.
    """
    if not context.projections.apart:
        return
    for known in context.terminals:
        table = None if known.revoked or known.table is not None else _table_copied_from(context, known)
        if table is not None:
            _log.warning("a swap since the backup", terminal=known.terminal, table=table)
            await asyncio.to_thread(context.parts.enrolments.assign, known.terminal, table)
            await context.read_terminals()
            context.feed.publish("terminals")
    await context.decide_with_retry(lambda: _record_found(context))


async def _record_found(context: StationContext) -> None:
    found = tuple(
        UnrecordedAssignmentFound(game, track.terminal)
        for game, table, track in _lost_gifts(context)
        if context.terminals_by_table().get(table.drawn.table) == track.terminal
    )
    if not found:
        return
    await context.append([(ALARMS, gift) for gift in dict.fromkeys(found)])
    for gift in found:
        _log.warning("a game given since the backup", terminal=gift.terminal, game=gift.game)
    context.feed.publish("tournament")


def _lost_gifts(context: StationContext) -> Iterator[tuple[GameId, PublishedTable, GameTrack]]:
    """Yield the logs kept apart, of games that were published before the station was restored."""
    folds, own = context.projections, context.parts.store.own_epoch()
    published = published_tables(context.tournament_states())
    for game, tracks in folds.apart.items():
        if game not in published or folds.drawn[game].epoch == own:
            continue
        for track in tracks:
            if not folds.was_given(game, track.terminal):
                yield game, published[game], track


def _table_copied_from(context: StationContext, known: EnrolledTerminal) -> TableNo | None:
    """Return the table from whose terminal this one had copied its game at the backup; None for none."""
    here = context.terminals_by_table()
    for game, found, track in _lost_gifts(context):
        if track.terminal != known.terminal or found.is_accepted or not found.is_running:
            continue
        taken_from = {None, *_terminals_copied(context.projections, game, track)}
        if len(taken_from) > 1 and here.get(found.drawn.table) in taken_from:
            return found.drawn.table
    return None


def _terminals_copied(folds: Projections, game: GameId, track: GameTrack) -> Iterator[str]:
    """Yield the terminals whose steps a log holds, word for word.

    Only an order shows another terminal where a step was first written; nobody guesses an epoch.
    """
    originals = {
        step_with_origin(timed.step, other.terminal, other.epoch, timed.seq).origin: timed.step.events
        for other in folds.games.get(game, ())
        for timed in other.steps
    }
    for timed in track.steps:
        origin = timed.step.origin
        if isinstance(origin, StepOrigin) and originals.get(origin) == timed.step.events:
            yield origin.terminal
