"""Late steps of a game, which a judge reviews and then continues from or leaves."""

import structlog

from base.errors import Refused
from core.game.takeover import is_agreement, is_confirmation
from core.terms import GameId
from core.tournament.state.reasons import TournamentReason
from station.hall.authoritative_log import LateTrack, late_steps, sound_steps, steps_beside
from station.hall.game_orders import take_game
from station.hall.published import PublishedTable
from station.hall.reports import reported_result
from station.hall.station_context import StationContext
from station.projections.alarms import ALARMS, AlarmSeen
from station.projections.floor_cards import ReportedLateSteps

_log = structlog.get_logger()


def late_logs(context: StationContext, table: PublishedTable) -> tuple[ReportedLateSteps, ...]:
    """Return the steps recorded for a table's game that do not count, log by log."""
    tracks = late_steps(table.drawn.game, context.projections, context.terminals_by_table())
    return tuple(_report(context, table, late) for late in tracks)


def _report(context: StationContext, table: PublishedTable, late: LateTrack) -> ReportedLateSteps:
    numbers = {step.origin.seq for step in late.steps}
    subject = subject_of(table.drawn.game, late)
    # The judge does not need to see the station's own orders, nor questions repeated by the next terminal.
    by_hand = any(
        step.step.order is None and not is_confirmation(step.step) and not is_agreement(step.step)
        for step in late.steps
    )
    return ReportedLateSteps(
        terminal=late.track.terminal,
        epoch=late.track.epoch,
        steps=tuple(timed for timed in late.track.steps if timed.seq in numbers),
        game=late.track.state,
        result=reported_result(late.track.state),
        subject=subject,
        is_seen=not by_hand or subject in context.projections.seen,
        may_go_on=_may_go_on(context, table, late),
    )


def subject_of(game: GameId, late: LateTrack) -> str:
    """Return the alarm subject of late steps; additional steps change it."""
    last = late.steps[-1].origin
    return f"late/{game}/{last.terminal}/{last.epoch}/{last.seq}"


def _may_go_on(context: StationContext, table: PublishedTable, late: LateTrack) -> bool:
    """Return whether the table can continue from these steps instead of its own."""
    here = context.terminals_by_table().get(table.drawn.table)
    is_whole = not late.track.problem and late.track.followed == len(late.track.steps)
    return table.is_running and not table.is_accepted and here is not None and is_whole


async def go_on_from(context: StationContext, game: GameId, subject: str, reason: str, by: str) -> None:
    """Continue a table's game from late steps; the table's own steps no longer count.

    Raises KeyError if there are no such steps any more, Refused without a reason, Unavailable.
    """
    if not reason.strip():
        raise Refused(TournamentReason.EMPTY_REASON)

    async def _order() -> tuple[PublishedTable, list[str]]:
        table = context.published.by_game()[game]
        late = _late(context, game, subject)
        here = context.terminals_by_table().get(table.drawn.table)
        if here is None or not _may_go_on(context, table, late):
            raise KeyError(subject)
        limit = table.tournament.waivers.time_limit_min
        orders = take_game(sound_steps(late.track), 0, limit, reason.strip())
        beside = steps_beside(late.track, context.projections.games[game])
        replaced = [subject_of(game, other) for other in beside if other.track.terminal == here]
        await context.order([(here, order) for order in orders])
        return table, replaced

    async def _mark() -> None:
        await context.append([(ALARMS, AlarmSeen(each, by)) for each in (subject, *replaced)])

    async with context.lock:
        table, replaced = await context.decide_with_retry(_order)
        await context.decide_with_retry(_mark)
    context.feed.publish("table", table.drawn.table)
    _log.info("late steps taken over", game=game, subject=subject, by=by)


def _late(context: StationContext, game: GameId, subject: str) -> LateTrack:
    tracks = late_steps(game, context.projections, context.terminals_by_table())
    return {subject_of(game, late): late for late in tracks}[subject]
