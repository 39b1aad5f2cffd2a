"""What a station that was restored from a backup finds out from the terminals' own entries."""

import asyncio

import structlog

from saloon.core.game.events import StepOrigin
from saloon.core.terms import TableNo
from saloon.station.office.desk import Desk
from saloon.station.office.published import published_tables
from saloon.sync.entry import TerminalId

_log = structlog.get_logger()


async def stand_again(desk: Desk) -> None:
    """After a restore: put spares back to the tables that they took over since the backup.

    Nothing here says that they were told to; their own steps do, copied from who stands there by the
    backup. Needs the lock.
    """
    own = desk.parts.store.own_epoch()
    if not any(epochs - {own} for epochs in desk.projections.epochs_of_orders.values()):
        return
    for known in desk.terminals:
        table = None if known.revoked or known.table is not None else _taken_table(desk, known.terminal)
        if table is not None:
            _log.warning("a swap since the backup", terminal=known.terminal, table=table)
            await asyncio.to_thread(desk.parts.enrolments.assign, known.terminal, table)
            await desk.read_terminals()
            desk.feed.publish("terminals")


def _taken_table(desk: Desk, terminal: TerminalId) -> TableNo | None:
    """The table whose game a terminal tells as taken over, and was never told to keep; None for none."""
    here = desk.standing()
    for game, found in published_tables(desk.tournament_states()).items():
        track = desk.projections.told_by(game, terminal)
        if track is None or found.is_accepted or not found.is_running:
            continue
        origins = (timed.step.origin for timed in track.steps)
        taken_from = {origin.terminal for origin in origins if isinstance(origin, StepOrigin)}
        was_told = any(gift.terminal == terminal for gift in desk.projections.given.get(game, ()))
        if not was_told and taken_from and here.get(found.drawn.table) in {None, *taken_from}:
            return found.drawn.table
    return None
