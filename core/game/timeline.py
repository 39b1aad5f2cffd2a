"""A game's steps that still count, each with the state after it, for undo.

Calling the judge is no move, nor are the judge's changes to the round's clock: such a step changes the
last state and is never undone, so that a slip of the finger can still be undone while the judge is on the
way.
"""

from collections.abc import Iterable

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.clock.clock import ClockEvent
from saloon.core.game.ending.agreement_events import AgreementEvent
from saloon.core.game.events import (
    GameStep,
    JudgeAnswered,
    JudgeCalled,
    PlayerCheckedIn,
    StepsUndone,
    TableSeated,
)
from saloon.core.game.evolve import evolve
from saloon.core.game.state import GameState, Phase


class Moment(msgspec.Struct, frozen=True):
    """A step that still counts, and the state after it."""

    step: GameStep
    state: GameState


class Timeline(msgspec.Struct, frozen=True):
    """A game so far. moments: never empty; the first one seats the table.

    taken_back: steps undone by the last move, oldest first; empty after any other move.
    """

    moments: tuple[Moment, ...]
    taken_back: tuple[Moment, ...] = ()

    @property
    def state(self) -> GameState:
        """Return the current state of the game."""
        return self.moments[-1].state

    @property
    def steps(self) -> tuple[GameStep, ...]:
        """Return the steps that still count, oldest first, without calls of the judge and the clock."""
        return tuple(moment.step for moment in self.moments)


def extend(timeline: Timeline | None, step: GameStep) -> Timeline:
    """Return the timeline after one more step. timeline: None before a game; a seating begins a new one.

    Raises BadData for a step that cannot follow, as only a damaged log holds one.
    """
    if not step.events:
        raise BadData("game log", "a step has no events")
    if isinstance(step.events[0], TableSeated):
        return Timeline((Moment(step, _seat_table(step)),))
    if timeline is None:
        raise BadData("game log", "the first step must seat a table")
    if step.game != timeline.state.game:
        raise BadData("game log", f"a step of game {step.game} stands in game {timeline.state.game}")
    if isinstance(step.events[0], StepsUndone):
        return _undone(timeline, step, step.events[0].steps)
    state = _after(timeline.state, step)
    if all(isinstance(event, JudgeCalled | JudgeAnswered | ClockEvent) for event in step.events):
        same = (*timeline.moments[:-1], Moment(timeline.moments[-1].step, state))
        return Timeline(same, timeline.taken_back)
    return Timeline((*timeline.moments, Moment(step, state)))


def fold(steps: Iterable[GameStep]) -> Timeline | None:
    """Return the timeline of the last game in a log; None for an empty log.

    Raises BadData naming the step, from 1, that cannot follow the previous ones.
    """
    timeline: Timeline | None = None
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extend(timeline, step)
        except BadData as error:
            raise BadData(f"{error.where}, step {number}", error.problem) from error
    return timeline


def undoable(timeline: Timeline | None) -> int:
    """Return the number of last steps that may be undone.

    Never includes the seating, an order of the station or anything before it, nor anything once the record
    sheet is confirmed. A check-in by phone is a player's own move, although an order carries it.
    """
    if timeline is None or timeline.state.phase is Phase.CONFIRMED:
        return 0
    count = 0
    for moment in reversed(timeline.moments[1:]):
        if moment.step.order is not None and not _is_check_in(moment.step):
            break
        count += 1
    return count


def _is_check_in(step: GameStep) -> bool:
    return all(isinstance(event, PlayerCheckedIn) for event in step.events)


def words_on_ending(timeline: Timeline | None) -> int:
    """Return the number of last steps that are only answers on the ending.

    Undoing the move before those answers takes one step more.
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
    state = msgspec.structs.replace(kept[-1].state, judge_called=now.judge_called, clock=now.clock)
    return Timeline((*kept[:-1], Moment(kept[-1].step, state)), timeline.moments[-steps:])


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
