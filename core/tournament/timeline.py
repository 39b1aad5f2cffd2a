"""A tournament's steps folded to its state, with undo of any number of steps."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from saloon.core.errors import OurFault
from saloon.core.tournament.events import StepsUndone, TournamentEvent, TournamentStep
from saloon.core.tournament.evolve import evolve
from saloon.core.tournament.state import TournamentState


class Timeline(msgspec.Struct, frozen=True):
    """The states after each step that still counts, the opening first; empty before it."""

    states: tuple[TournamentState, ...] = ()

    @property
    def state(self) -> TournamentState | None:
        """The tournament as it stands, None before its opening."""
        return self.states[-1] if self.states else None

    def after(self, events: Iterable[TournamentEvent]) -> "Timeline":
        """The timeline after one more step: all events of one command.

        Raises OurFault for a step that cannot follow.
        """
        step = tuple(events)
        if not step:
            raise OurFault("a step without an event")
        if any(isinstance(event, StepsUndone) for event in step):
            return self._undone(step)
        state = self.state
        for event in step:
            state = evolve(state, event)
        if state is None:
            raise OurFault("a step without an event")
        return Timeline((*self.states, replace(state, steps=len(self.states) + 1)))

    def _undone(self, step: tuple[TournamentEvent, ...]) -> "Timeline":
        undo = step[0]
        if len(step) != 1 or not isinstance(undo, StepsUndone):
            raise OurFault("an undo is a step of its own")
        if not 1 <= undo.steps < len(self.states):
            raise OurFault(f"{undo.steps} of {len(self.states)} steps cannot be taken back")
        kept = self.states[: -undo.steps]
        # Attempts count for ever: who takes back a seal has had one draw more.
        return Timeline((*kept[:-1], replace(kept[-1], attempts=self.states[-1].attempts)))


def folded(steps: Iterable[TournamentStep]) -> Timeline:
    """The timeline that all steps of a tournament's stream make, oldest first. Raises OurFault."""
    timeline = Timeline()
    for step in steps:
        timeline = timeline.after(step.events)
    return timeline
