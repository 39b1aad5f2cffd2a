"""Alarms for the judge: raise each one once, durably, and show those that no judge has seen."""

import asyncio
from collections.abc import Iterator

import structlog

from core.terms import RoundNo, TableNo
from station.hall.station_context import StationContext
from station.projections.alarms import (
    ALARMS,
    AlarmRaised,
    fork_subject,
    pin_locks_of,
    quarantine_subject,
    stranger_subject,
    strangers_of,
)
from station.projections.projections import Projections
from station.store.streams import terminal_of
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_MOST_UNSEEN = 20
"""The most unseen alarms of one terminal, so that forged conflicts cannot fill the log."""


async def raise_due_alarms(context: StationContext) -> None:
    """Raise alarms for locked terminals and for terminals that reported somebody else's published game.

    Raises one alarm of each kind per terminal at a time, so that forged entries cannot fill the list. Needs
    the lock. Raises Unavailable.
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
    tables = {
        (track.terminal, game): published[game]
        for game, tracks in folds.apart.items()
        if game in published
        for track in tracks
        if track.terminal in welcome
    }
    alarmed = {terminal for terminal in welcome if _is_ringing(folds, strangers_of(terminal))}
    for (terminal, game), table in tables.items():
        subject = stranger_subject(terminal, game)
        if terminal in alarmed or subject in folds.raised:
            continue
        alarmed.add(terminal)
        yield AlarmRaised(subject, terminal, problem_at(table.round, table.drawn.table))


def _new_pin_locks(context: StationContext) -> Iterator[AlarmRaised]:
    folds = context.projections
    for known in context.terminals:
        lock = folds.pin_locks.get(known.terminal)
        if lock is None or lock.subject in folds.raised or known.revoked:
            continue
        if not _is_ringing(folds, pin_locks_of(known.terminal)):
            problem = f"{lock.wrong} wrong PINs have locked the keypad at table {known.table or '–'}"
            yield AlarmRaised(lock.subject, known.terminal, problem)


def _is_ringing(folds: Projections, prefix: str) -> bool:
    return any(subject.startswith(prefix) and subject not in folds.seen for subject in folds.raised)


def problem_at(round_no: RoundNo, table: TableNo) -> str:
    """Return the alarm's text in English; the pages translate it."""
    return (
        f"sent entries for a game that was never assigned to it (round {round_no}, table {table}); "
        "none of them count, and the terminal may have been tampered with"
    )


async def raise_fork(context: StationContext, terminal: TerminalId, problem: str) -> None:
    """Raise an alarm about two conflicting journals, unless it is known already. Raises Unavailable."""
    subject = fork_subject(terminal, problem)

    async def _raise() -> None:
        folds = context.projections
        of_terminal = (alarm.subject for alarm in folds.raised.values() if alarm.terminal == terminal)
        unseen = sum(one not in folds.seen for one in of_terminal)
        if subject not in {*folds.seen, *folds.raised} and unseen < _MOST_UNSEEN:
            await context.append([(ALARMS, AlarmRaised(subject, terminal, problem))])

    context.links.alarm(terminal, problem)
    async with context.lock:
        await context.decide_with_retry(_raise)
        if subject in context.projections.seen:
            context.links.alarm(terminal, "")
    context.publish_link(terminal)


async def show_alarms(context: StationContext) -> None:
    """Update the alarms on the terminals' cards from all stations' records. Raises Unavailable."""
    folds = context.projections
    quarantined = await asyncio.to_thread(context.parts.store.quarantined_entries)
    problems = [
        (quarantine_subject(bad.entry), terminal_of(bad.entry.stream), bad.problem) for bad in quarantined
    ]
    problems += [(alarm.subject, alarm.terminal, alarm.problem) for alarm in folds.raised.values()]
    alarms = {terminal: "" for _, terminal, _ in problems}
    alarms |= {terminal: problem for subject, terminal, problem in problems if subject not in folds.seen}
    for terminal, problem in alarms.items():
        context.links.alarm(terminal, problem)
        context.publish_link(terminal)
