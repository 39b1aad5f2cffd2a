"""The judge's control of a round's clock: commands, and the time left at each table.

The log records who did what and when, by the station's clock; the time left follows from that.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

import msgspec

from base.errors import Refused
from core.terms import RoundNo, Seconds, TableNo
from core.tournament.events import DrawPublished, TournamentStep
from core.tournament.state import Round, TournamentState
from core.tournament.state.clock_events import (
    ClockEvent,
    RoundClockExtended,
    RoundClockPaused,
    RoundClockResumed,
    RoundClockStarted,
)
from core.tournament.state.hall_clock import (
    ClockCommand,
    ExtendRoundClock,
    HallClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
    clock_after,
)
from core.tournament.state.reasons import TournamentReason

LONGEST_EXTENSION_S: Final = Seconds(60 * 60)


class TimeLeft(msgspec.Struct, frozen=True):
    """The time left at a table, ignoring changes by its own judge. left_s: negative after the end."""

    left_s: Seconds
    clock: HallClock


def decide_clock(state: TournamentState, command: ClockCommand, by: str) -> ClockEvent:
    """Return the event that a command causes. Raises Refused if the clock isn't running, or unchanged."""
    running = state.running_round
    if running is None or state.waivers.time_limit_min is None:
        raise Refused(TournamentReason.NO_CLOCK)
    clock = clock_of(state, running)
    if isinstance(command, StartRoundClock):
        if clock.is_started:
            raise Refused(TournamentReason.CLOCK_RUNS)
        return RoundClockStarted(running.round, by)
    _check_table(running, command.table)
    if not clock.is_started and not _ends_pause(clock, command):
        raise Refused(TournamentReason.CLOCK_NOT_STARTED)
    if isinstance(command, ExtendRoundClock):
        if not 0 < command.seconds <= LONGEST_EXTENSION_S:
            raise Refused(TournamentReason.CLOCK_EXTENSION, minutes=LONGEST_EXTENSION_S // 60)
        return RoundClockExtended(running.round, command.seconds, by, command.table, command.reason.strip())
    return _pause_or_resume(running, clock, command, by)


def _pause_or_resume(
    running: Round, clock: HallClock, command: PauseRoundClock | ResumeRoundClock, by: str
) -> RoundClockPaused | RoundClockResumed:
    stands = clock.is_held if command.table is None else command.table in clock.held
    reason = command.reason.strip()
    match command:
        case PauseRoundClock():
            if stands:
                raise Refused(TournamentReason.CLOCK_STANDS)
            return RoundClockPaused(running.round, by, command.table, reason)
        case ResumeRoundClock():
            ends = _ends_pause(clock, command)
            if not stands and not ends:
                raise Refused(TournamentReason.CLOCK_RUNS)
            return RoundClockResumed(running.round, by, command.table, reason, command.pause if ends else 0)
        case _:
            assert_never(command)


def _ends_pause(clock: HallClock, command: ClockCommand) -> bool:
    """Return whether a command newly ends a pause made by a table's own judge."""
    if not isinstance(command, ResumeRoundClock) or command.table is None or command.pause <= 0:
        return False
    return command.pause != clock.ended_pause_of(command.table)


def clock_command(event: ClockEvent) -> ClockCommand:
    """Return the command that caused an event."""
    match event:
        case RoundClockStarted():
            return StartRoundClock()
        case RoundClockPaused():
            return PauseRoundClock(event.table, event.reason)
        case RoundClockResumed():
            return ResumeRoundClock(event.table, event.reason, event.pause)
        case RoundClockExtended():
            return ExtendRoundClock(event.seconds, event.table, event.reason)
        case _:
            assert_never(event)


def clock_of(state: TournamentState, running: Round) -> HallClock:
    """Return the clock of a round; a new one if it hasn't been touched yet."""
    return state.clock if state.clock.round == running.round else HallClock(running.round)


def time_left(
    history: Sequence[TournamentStep], round_no: RoundNo, table: TableNo, limit_s: Seconds, now: dt.datetime
) -> TimeLeft:
    """Return the time left at a table of a round.

    history: all steps of the tournament, including undone ones. now: by the same clock as the steps;
    if that went back, no time has passed.
    """
    clock, ran, since = HallClock(round_no), dt.timedelta(), now
    for at, event in _clock_events(history, round_no):
        if clock.is_started and not clock.stands(table):
            ran += max(dt.timedelta(), at - since)
        clock, since = clock_after(clock, event), at
    if clock.is_started and not clock.stands(table):
        ran += max(dt.timedelta(), now - since)
    return TimeLeft(Seconds(limit_s + clock.time_given_to(table) - int(ran.total_seconds())), clock)


def round_pauses(
    history: Sequence[TournamentStep], round_no: RoundNo, now: dt.datetime
) -> Mapping[TableNo | None, Sequence[tuple[dt.datetime, dt.datetime]]]:
    """Return when the clock of a round was stopped, for all tables (None) and for single ones.

    A current pause ends now. history, now: as for ``time_left``.
    """
    found: dict[TableNo | None, list[tuple[dt.datetime, dt.datetime]]] = {}
    stopped: dict[TableNo | None, dt.datetime] = {}
    for at, event in _clock_events(history, round_no):
        match event:
            case RoundClockPaused(table=table):
                stopped.setdefault(table, at)
            case RoundClockResumed(table=table) if table in stopped:
                found.setdefault(table, []).append((stopped.pop(table), at))
            case _:
                pass
    for table, since in stopped.items():
        found.setdefault(table, []).append((since, now))
    return found


def _clock_events(
    history: Sequence[TournamentStep], round_no: RoundNo
) -> Iterator[tuple[dt.datetime, ClockEvent]]:
    """Yield the clock events since the round was last published, oldest first."""
    first = 0
    for number in range(len(history) - 1, -1, -1):
        if any(isinstance(e, DrawPublished) and e.round == round_no for e in history[number].events):
            first = number
            break
    for step in history[first:]:
        for event in step.events:
            if isinstance(event, ClockEvent) and event.round == round_no:
                yield dt.datetime.fromisoformat(step.at), event


def _check_table(running: Round, table: TableNo | None) -> None:
    if table is not None and table not in {drawn.table for drawn in running.tables}:
        raise Refused(TournamentReason.NO_CLOCK_AT_TABLE, table=table)
