"""Alarms derived from entries: games reported by terminals that were never given them, and wrong PINs."""

from collections.abc import Iterator

import structlog

from core.terms import RoundNo, TableNo
from station.hall.station_context import StationContext
from station.projections.alarms import ALARMS, AlarmRaised, pin_locks_of, stranger_subject, strangers_of

_log = structlog.get_logger()


async def raise_due_alarms(context: StationContext) -> None:
    """Raise alarms for terminals that reported a published game they were not given, or that are locked.

    Durable. Raised once per terminal and game or lock, and one of each kind at a time, so that forged entries
    cannot fill the list. Needs the lock. Raises Unavailable.
    """
    if context.projections.apart or context.projections.pin_locks:
        await context.decide_with_retry(lambda: _raise_alarms(context))


async def _raise_alarms(context: StationContext) -> None:
    alarms = (*_new_alarms(context), *_new_pin_locks(context))
    if not alarms:
        return
    await context.append([(ALARMS, alarm) for alarm in alarms])
    for alarm in alarms:
        _log.error("alarm", terminal=alarm.terminal, problem=alarm.problem)
        context.links.alarm(alarm.terminal, alarm.problem)
        context.publish_link(alarm.terminal)


def _new_alarms(context: StationContext) -> Iterator[AlarmRaised]:
    folds = context.projections
    published = context.published.by_game()
    welcome = {known.terminal for known in context.terminals if not known.revoked}
    ringing = {subject for subject in folds.raised if subject not in folds.seen}
    tables = {
        (track.terminal, game): published[game]
        for game, tracks in folds.apart.items()
        if game in published
        for track in tracks
        if track.terminal in welcome
    }
    alarmed = {terminal for terminal in welcome if any(s.startswith(strangers_of(terminal)) for s in ringing)}
    for (terminal, game), table in tables.items():
        subject = stranger_subject(terminal, game)
        if terminal in alarmed or subject in folds.raised:
            continue
        alarmed.add(terminal)
        yield AlarmRaised(subject, terminal, problem_at(table.round, table.drawn.table))


def _new_pin_locks(context: StationContext) -> Iterator[AlarmRaised]:
    folds = context.projections
    ringing = {subject for subject in folds.raised if subject not in folds.seen}
    for known in context.terminals:
        lock, prefix = folds.pin_locks.get(known.terminal), pin_locks_of(known.terminal)
        if lock is None or lock.subject in folds.raised or known.revoked:
            continue
        if not any(subject.startswith(prefix) for subject in ringing):
            problem = f"{lock.wrong} wrong PINs have locked the keypad at table {known.table or '–'}"
            yield AlarmRaised(lock.subject, known.terminal, problem)


def problem_at(round_no: RoundNo, table: TableNo) -> str:
    """Return the alarm's text in English; the pages translate it."""
    return (
        f"sent entries for a game that was never assigned to it (round {round_no}, table {table}); "
        "none of them count, and the terminal may have been tampered with"
    )
