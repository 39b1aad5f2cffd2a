"""The time left at each table, and the pauses, by the log of a round's clock.

The log has who did what and when, by the station's clock; the time left follows from that.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from core.terms import RoundNo, Seconds, TableNo
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import PublishDraw
from core.tournament.round_clock import ClockDecision, PauseRoundClock, ResumeRoundClock, clock_after
from core.tournament.state.hall_clock import HallClock


class TimeLeft(msgspec.Struct, frozen=True):
    """The time left at a table, ignoring changes by its own judge. ``left_s`` is negative after the end."""

    left_s: Seconds
    clock: HallClock


def time_left(
    history: Sequence[TournamentStep], round_no: RoundNo, table: TableNo, limit_s: Seconds, now: dt.datetime
) -> TimeLeft:
    """Return the time left at a table of a round.

    history: all steps of the tournament, including undone ones.
    now: by the same clock as the steps; if that went back, no time has passed.
    """
    clock, ran, since = HallClock(round_no), dt.timedelta(), now
    for at, event in _clock_decisions(history, round_no):
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

    A current pause ends now. ``history`` and ``now`` are as for ``time_left``.
    """
    pauses: dict[TableNo | None, list[tuple[dt.datetime, dt.datetime]]] = {}
    stopped: dict[TableNo | None, dt.datetime] = {}
    for at, event in _clock_decisions(history, round_no):
        match event:
            case PauseRoundClock(table=table):
                stopped.setdefault(table, at)
            case ResumeRoundClock(table=table) if table in stopped:
                pauses.setdefault(table, []).append((stopped.pop(table), at))
            case _:
                pass
    for table, since in stopped.items():
        pauses.setdefault(table, []).append((since, now))
    return pauses


def _clock_decisions(
    history: Sequence[TournamentStep], round_no: RoundNo
) -> Iterator[tuple[dt.datetime, ClockDecision]]:
    """Yield the changes to the clock since the round was last published, oldest first."""
    first = 0
    for number in range(len(history) - 1, -1, -1):
        if any(isinstance(e, PublishDraw) and e.round == round_no for e in history[number].events):
            first = number
            break
    for step in history[first:]:
        for event in step.events:
            if isinstance(event, ClockDecision) and event.round == round_no:
                yield dt.datetime.fromisoformat(step.at), event
