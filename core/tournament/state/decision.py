"""The base of all decisions of a tournament: what a judge decides is also what is stored.

A decision is stored as it was made, with the judge's name (``by``) and the fields that follow from the state
at that moment. Deciding a stored one again, in the state before it, must give the same decision; proof packs
are verified like that. Computed fields are therefore ignored and computed again.
"""

from abc import abstractmethod
from typing import Final, Self

import msgspec

from core.editions.edition import Edition
from core.tournament.state.hall_facts import HallFacts
from core.tournament.state.state import TournamentState

WRITTEN: Final[str] = msgspec.field(default_factory=str)
"""An empty text that is stored even by classes that omit defaults."""


class Decision(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A decision, as made and as stored. Its fields and their order are those of the stored entry."""

    @abstractmethod
    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        """Return the decision with its computed fields. Raises Refused; the state is the one before it."""

    @abstractmethod
    def apply(self, state: TournamentState) -> TournamentState:
        """Return the state after the decision. Raises BadData for an impossible one."""

    def as_made(self) -> Self:
        """Return a stored decision as the judge made it, to be decided again."""
        return self
