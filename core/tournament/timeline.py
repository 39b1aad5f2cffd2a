"""The steps of a tournament that haven't been undone, each with the state after it, and the time left.

Changes to a round's clock can't be undone: they only change the last state. The time left at each table is
computed from the log, which records them by the station's clock.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.terms import RoundNo, Seconds, TableNo
from core.tournament.decisions import TournamentStep, UndoSteps, evolve
from core.tournament.draw.drawing import PublishDraw
from core.tournament.round_clock import ClockDecision, PauseRoundClock, ResumeRoundClock, clock_after
from core.tournament.state.rounds import HallClock
from core.tournament.state.tournament import Stage, TournamentState


class TournamentMoment(msgspec.Struct, frozen=True):
    """A step that hasn't been undone, and the state after it."""

    step: TournamentStep
    state: TournamentState


class TournamentTimeline(msgspec.Struct, frozen=True):
    """A tournament so far: at least one moment, the first of which opens it."""

    moments: tuple[TournamentMoment, ...]

    @property
    def state(self) -> TournamentState:
        return self.moments[-1].state

    @property
    def steps(self) -> tuple[TournamentStep, ...]:
        return tuple(moment.step for moment in self.moments)


def extend(timeline: TournamentTimeline | None, step: TournamentStep) -> TournamentTimeline:
    """Return the timeline after one more step. timeline: None before the opening.

    Raises BadData for an impossible step, which means that the log is damaged.
    """
    moments = [] if timeline is None else list(timeline.moments)
    _add(moments, step)
    return TournamentTimeline(tuple(moments))


def fold(steps: Iterable[TournamentStep]) -> TournamentTimeline | None:
    """Return the timeline of all steps of a tournament's stream, oldest first, or None for an empty log.

    Raises BadData naming the number, from 1, of the first impossible step.
    """
    moments: list[TournamentMoment] = []
    for number, step in enumerate(steps, start=1):
        try:
            _add(moments, step)
        except BadData as error:
            raise BadData(f"{error.where}, step {number}", error.problem) from error
    return TournamentTimeline(tuple(moments)) if moments else None


def steps_to_draft(timeline: TournamentTimeline) -> int:
    """Return how many steps to undo so that the last published draw is a draft again; 0 if there is none."""
    for steps, moment in enumerate(reversed(timeline.moments), start=1):
        if any(isinstance(event, PublishDraw) for event in moment.step.events):
            return steps
    return 0


def _add(moments: list[TournamentMoment], step: TournamentStep) -> None:
    if not step.events:
        raise BadData("tournament log", "a step has no events")
    if any(isinstance(event, UndoSteps) for event in step.events):
        _undo(moments, step)
        return
    state = moments[-1].state if moments else None
    for event in step.events:
        state = evolve(state, event)
    assert state is not None  # a step has events
    if step.tournament != state.tournament:
        raise BadData("tournament log", f"a step of {step.tournament} stands in {state.tournament}")
    if moments and all(isinstance(event, ClockDecision) for event in step.events):
        moments[-1] = TournamentMoment(moments[-1].step, state)
        return
    moments.append(TournamentMoment(step, replace(state, steps=len(moments) + 1)))


def _undo(moments: list[TournamentMoment], step: TournamentStep) -> None:
    undo = step.events[0]
    if not moments or len(step.events) != 1 or not isinstance(undo, UndoSteps):
        raise BadData("tournament log", "steps are taken back before the opening, or not alone in a step")
    if not 1 <= undo.steps < len(moments):
        raise BadData(
            "tournament log",
            f"{undo.steps} steps are taken back where {len(moments) - 1} can be",
        )
    before = moments[-1].state
    del moments[-undo.steps :]
    kept = moments[-1].state
    # Clock changes can't be undone: the clock of a round that is still published is kept.
    clock = before.clock if before.clock.round == kept.clock.round else kept.clock
    # Attempts are never reduced: undoing a seal still counts as an attempt.
    # A table's warning is recorded only once, even if a judge undoes it.
    lasting = replace(
        kept,
        attempts=before.attempts,
        redraws=before.redraws,
        clock=clock,
        warnings_taken=before.warnings_taken,
        ranking_taken_back=before.ranking_taken_back or before.stage is Stage.PUBLISHED,
    )
    moments[-1] = TournamentMoment(moments[-1].step, lasting)


class TimeLeft(msgspec.Struct, frozen=True):
    """The time left at a table, ignoring changes by its own judge. left_s: negative after the end."""

    left_s: Seconds
    clock: HallClock


def time_left(
    history: Sequence[TournamentStep], round_no: RoundNo, table: TableNo, limit_s: Seconds, now: dt.datetime
) -> TimeLeft:
    """Return the time left at a table of a round.

    history: all steps of the tournament, including undone ones.
    now: the time by the clock of the steps; if that clock went back, no time has passed.
    """
    clock, ran, since = HallClock(round_no), dt.timedelta(), now
    for at, event in _clock_decisions(history, round_no):
        if clock.is_started and not clock.is_paused_at(table):
            ran += max(dt.timedelta(), at - since)
        clock, since = clock_after(clock, event), at
    if clock.is_started and not clock.is_paused_at(table):
        ran += max(dt.timedelta(), now - since)
    return TimeLeft(Seconds(limit_s + clock.time_given_to(table) - int(ran.total_seconds())), clock)


def round_pauses(
    history: Sequence[TournamentStep], round_no: RoundNo, now: dt.datetime
) -> Mapping[TableNo | None, Sequence[tuple[dt.datetime, dt.datetime]]]:
    """Return the periods in which a round's clock was stopped, for all tables (None) and for single ones.

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
    published = (
        number
        for number in reversed(range(len(history)))
        if any(isinstance(e, PublishDraw) and e.round == round_no for e in history[number].events)
    )
    for step in history[next(published, 0) :]:
        for event in step.events:
            if isinstance(event, ClockDecision) and event.round == round_no:
                yield dt.datetime.fromisoformat(step.at), event
