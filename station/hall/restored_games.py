"""Recover what a restored backup lacks from the terminals' own entries."""

import asyncio
from collections.abc import Iterator, Sequence

import msgspec
import structlog

from core.game.events import StepOrigin
from core.game.takeover import step_with_origin
from core.terms import GameId, TableNo
from station.hall.published import PublishedTable
from station.hall.station_context import StationContext
from station.projections.alarms import ALARMS, UnrecordedAssignmentFound
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections

_log = structlog.get_logger()


async def reassign_spares_after_restore(context: StationContext) -> None:
    """Assign spares to the tables that they took over between the backup and its restore.

    Then accept the games that terminals were given in that time. Those orders are lost, but the terminal's
    table, or copied steps that only an order can have given it, prove them. Other logs stay apart. Needs the
    lock. Raises Unavailable.
    """
    # Computed once for all terminals, as there may be many unknown logs.
    lost = dict[str, list[_LostGift]]()
    for gift in _lost_gifts(context):
        lost.setdefault(gift.track.terminal, []).append(gift)
    if not lost:
        return
    for known in context.terminals:
        is_spare = not known.revoked and known.table is None
        table = _table_copied_from(context, lost.get(known.terminal, ())) if is_spare else None
        if table is not None:
            _log.warning("assigned a spare swapped in since the backup", terminal=known.terminal, table=table)
            await asyncio.to_thread(context.parts.enrolments.assign, known.terminal, table)
            await context.read_terminals()
            context.feed.publish("terminals")
    await context.decide_with_retry(lambda: _record_found(context))


async def _record_found(context: StationContext) -> None:
    gifts = tuple(
        UnrecordedAssignmentFound(gift.game, gift.track.terminal)
        for gift in _lost_gifts(context)
        if context.terminals_by_table.get(gift.table.drawn.table) == gift.track.terminal
    )
    if not gifts:
        return
    await context.append([(ALARMS, gift) for gift in dict.fromkeys(gifts)])
    for gift in gifts:
        _log.warning("accepted a game given since the backup", terminal=gift.terminal, game=gift.game)
    context.feed.publish("tournament")


class _LostGift(msgspec.Struct, frozen=True):
    """A game log that was set aside, of a game published before the station was restored."""

    game: GameId
    table: PublishedTable
    track: GameTrack


def _lost_gifts(context: StationContext) -> Iterator[_LostGift]:
    if not context.projections.apart:
        return
    folds, own = context.projections, context.parts.store.own_epoch()
    published = context.published.by_game()
    for game, tracks in folds.apart.items():
        if game not in published or folds.drawn[game].epoch == own:
            continue
        for track in tracks:
            if not folds.handovers.was_given(game, track.terminal):
                yield _LostGift(game, published[game], track)


def _table_copied_from(context: StationContext, lost: Sequence[_LostGift]) -> TableNo | None:
    here = context.terminals_by_table
    for gift in lost:
        if not gift.table.is_awaited:
            continue
        taken_from = {None, *_terminals_copied(context.projections, gift.game, gift.track)}
        if len(taken_from) > 1 and here.get(gift.table.drawn.table) in taken_from:
            return gift.table.drawn.table
    return None


def _terminals_copied(folds: Projections, game: GameId, track: GameTrack) -> Iterator[str]:
    """Yield the terminals whose steps a log contains verbatim.

    This proves an order: only an order contains the origin of another terminal's steps, and nobody can guess
    the epoch in it.
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
