"""A tournament's steps that still count, each with the state after it; what undo walks back along."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from saloon.core.errors import BadData
from saloon.core.tournament.events import StepsUndone, TournamentStep
from saloon.core.tournament.evolve import evolve
from saloon.core.tournament.state import TournamentState


class Moment(msgspec.Struct, frozen=True):
    """A step that still counts, and the state after it."""

    step: TournamentStep
    state: TournamentState


class Timeline(msgspec.Struct, frozen=True):
    """A tournament so far. moments: never empty; the first one opens the tournament."""

    moments: tuple[Moment, ...]

    @property
    def state(self) -> TournamentState:
        """The tournament now."""
        return self.moments[-1].state

    @property
    def steps(self) -> tuple[TournamentStep, ...]:
        """The steps that still count, oldest first."""
        return tuple(moment.step for moment in self.moments)


def extended(timeline: Timeline | None, step: TournamentStep) -> Timeline:
    """The timeline after one more step. timeline: None before the opening.

    Raises BadData for a step that cannot follow, as only a damaged log holds one.
    """
    if not step.events:
        raise BadData("tournament log", "a step has no events")
    if any(isinstance(event, StepsUndone) for event in step.events):
        return _undone(timeline, step)
    state = None if timeline is None else timeline.state
    moments = () if timeline is None else timeline.moments
    for event in step.events:
        state = evolve(state, event)
    assert state is not None  # a step has events
    if step.tournament != state.tournament:
        raise BadData("tournament log", f"a step of {step.tournament} stands in {state.tournament}")
    return Timeline((*moments, Moment(step, replace(state, steps=len(moments) + 1))))


def fold(steps: Iterable[TournamentStep]) -> Timeline | None:
    """The timeline of all steps of a tournament's stream, oldest first; None for an empty log.

    Raises BadData naming the step, from 1, that cannot follow the ones before.
    """
    timeline: Timeline | None = None
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extended(timeline, step)
        except BadData as error:
            raise BadData(f"{error.where}, step {number}", error.problem) from error
    return timeline


def _undone(timeline: Timeline | None, step: TournamentStep) -> Timeline:
    undo = step.events[0]
    if timeline is None or len(step.events) != 1 or not isinstance(undo, StepsUndone):
        raise BadData("tournament log", "steps are taken back before the opening, or not alone in a step")
    if not 1 <= undo.steps < len(timeline.moments):
        raise BadData(
            "tournament log",
            f"{undo.steps} steps are taken back where {len(timeline.moments) - 1} can be",
        )
    kept = timeline.moments[: -undo.steps]
    # Attempts count for ever: who takes back a seal has had one draw more.
    state = replace(kept[-1].state, attempts=timeline.state.attempts)
    return Timeline((*kept[:-1], Moment(kept[-1].step, state)))
