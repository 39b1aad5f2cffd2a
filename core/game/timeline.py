"""The steps of a game that haven't been undone, each with the state after it.

Calls of the judge, warnings and changes to the clock can't be undone: such a step only changes the last
state, so that a slip of the finger can still be undone while the judge is on the way.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from base.errors import BadData
from core.game.clock.clock import ClockEvent
from core.game.ending.agreement import AgreementEvent
from core.game.events import GameStep
from core.game.evolve import evolve
from core.game.judge.calls import AnswerJudgeCall, CallJudge, GiveCallReason, WarnPlayer
from core.game.play.eliminations import PlayerEliminated
from core.game.play.turns import TurnStarted
from core.game.setup.seating import CheckIn, TableSeated
from core.game.state.game import GameState, Phase
from core.game.undo import StepsRedone, Undo

NO_MOVE = CallJudge | GiveCallReason | AnswerJudgeCall | WarnPlayer | ClockEvent
"""Events that can't be undone."""


class Moment(msgspec.Struct, frozen=True):
    """A step that hasn't been undone, and the state after it."""

    step: GameStep
    state: GameState


class Timeline(msgspec.Struct, frozen=True):
    """A game so far. ``moments`` is never empty; the first one seats the table.

    ``undone`` contains the steps removed by each of the last undos, oldest first; empty after any other step.
    """

    moments: tuple[Moment, ...]
    undone: tuple[tuple[Moment, ...], ...] = ()

    @property
    def taken_back(self) -> tuple[Moment, ...]:
        """Return the steps removed by the last undo, oldest first."""
        return self.undone[-1] if self.undone else ()

    @property
    def state(self) -> GameState:
        return self.moments[-1].state

    @property
    def steps(self) -> tuple[GameStep, ...]:
        """Return the steps that haven't been undone, oldest first, without calls and clock changes."""
        return tuple(moment.step for moment in self.moments)


def extend(timeline: Timeline | None, step: GameStep) -> Timeline:
    """Return the timeline after one more step.

    ``timeline`` is None before a game; a seating begins a new one.

    Raises BadData for an impossible step, which means that the log is damaged.
    """
    if not step.events:
        raise BadData("game log", "a step has no events")
    if isinstance(step.events[0], TableSeated):
        return Timeline((Moment(step, _seat_table(step)),))
    if timeline is None:
        raise BadData("game log", "the first step must seat a table")
    if step.game != timeline.state.game:
        raise BadData("game log", f"a step of game {step.game} stands in game {timeline.state.game}")
    if isinstance(step.events[0], Undo):
        return _undone(timeline, step, step.events[0].steps)
    if isinstance(step.events[0], StepsRedone):
        return _redone(timeline, step, step.events[0].steps)
    state = _after(timeline.state, step)
    if all(isinstance(event, NO_MOVE) for event in step.events):
        same = (*timeline.moments[:-1], Moment(timeline.moments[-1].step, state))
        return Timeline(same, timeline.undone)
    return Timeline((*timeline.moments, Moment(step, state)))


def fold(steps: Iterable[GameStep]) -> Timeline | None:
    """Return the timeline of the last game in a log, or None for an empty log.

    Raises BadData naming the number, from 1, of the first impossible step.
    """
    timeline: Timeline | None = None
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extend(timeline, step)
        except BadData as error:
            raise BadData(f"{error.where}, step {number}", error.problem) from error
    return timeline


def undoable(timeline: Timeline | None, at_most: int | None = None) -> int:
    """Return the number of steps that may be undone. ``at_most`` is where counting stops.

    Excludes the seating, orders from the station and everything before them, and everything once the
    sheet is confirmed. A check-in by phone may be undone, although it arrives as an order.
    """
    if timeline is None or timeline.state.phase is Phase.CONFIRMED:
        return 0
    count = 0
    for moment in reversed(timeline.moments[1:]):
        if count == at_most or (moment.step.order is not None and not _is_check_in(moment.step)):
            break
        count += 1
    return count


FEW_STEPS: Final = 3
"""Number of steps that players may undo where turns are not recorded."""


def undoable_freely(timeline: Timeline | None) -> int:
    """Return the number of steps that the players may undo without a judge.

    The limit is the beginning of the latest turn reached; undoing steps doesn't move it further back.
    """
    if timeline is None:
        return 0
    latest = max(map(_turns_entered, (timeline.moments[-1], *sum(timeline.undone, ()))))
    count = 0
    for moment in reversed(timeline.moments):
        if moment.state.turns < latest:
            break
        count += 1
    limit = FEW_STEPS if timeline.state.is_turn_unknown else count
    return undoable(timeline, min(count, limit))


def _turns_entered(moment: Moment) -> int:
    """Return the number of turns up to a moment, excluding turns started by an elimination in it."""
    events = moment.step.events
    out = next((place for place, event in enumerate(events) if isinstance(event, PlayerEliminated)), None)
    passed = () if out is None else (event for event in events[out:] if isinstance(event, TurnStarted))
    return moment.state.turns - len(tuple(passed))


def redoable(timeline: Timeline | None) -> int:
    """Return the number of steps that a redo restores; 0 after any other step."""
    return 0 if timeline is None or timeline.state.phase is Phase.CONFIRMED else len(timeline.taken_back)


def _is_check_in(step: GameStep) -> bool:
    return all(isinstance(event, CheckIn) for event in step.events)


def words_on_ending(timeline: Timeline | None) -> int:
    """Return the number of answers on the ending among the last steps.

    Undoing the step before those answers takes one more.
    """
    count = 0
    for moment in reversed(() if timeline is None else timeline.moments[1:]):
        if not isinstance(moment.step.events[0], AgreementEvent):
            break
        count += 1
    return count


def _undone(timeline: Timeline, step: GameStep, steps: int) -> Timeline:
    if len(step.events) != 1 or not 1 <= steps < len(timeline.moments):
        raise BadData(
            "game log",
            f"{steps} steps are taken back where {len(timeline.moments) - 1} can be, alone in a step",
        )
    kept = timeline.moments[:-steps]
    now = timeline.state
    state = msgspec.structs.replace(
        kept[-1].state,
        judge_called=now.judge_called,
        call_reason=now.call_reason,
        clock=now.clock,
        warnings=now.warnings,
    )
    undone = (*timeline.undone, timeline.moments[-steps:])
    return Timeline((*kept[:-1], Moment(kept[-1].step, state)), undone)


def _redone(timeline: Timeline, step: GameStep, steps: int) -> Timeline:
    """Return the timeline with the last undone steps restored; their states are computed again."""
    if len(step.events) != 1 or steps != len(timeline.taken_back) or not steps:
        raise BadData("game log", f"{steps} steps are redone where {len(timeline.taken_back)} can be")
    moments = list(timeline.moments)
    for moment in timeline.taken_back:
        moments.append(Moment(moment.step, _after(moments[-1].state, moment.step)))
    return Timeline(tuple(moments), timeline.undone[:-1])


def _seat_table(step: GameStep) -> GameState:
    state = _after(None, step)
    if state.game != step.game:
        raise BadData("game log", f"a step of game {step.game} seats game {state.game}")
    return state


def _after(state: GameState | None, step: GameStep) -> GameState:
    for event in step.events:
        state = evolve(state, event)
    assert state is not None  # a step has events
    return state
