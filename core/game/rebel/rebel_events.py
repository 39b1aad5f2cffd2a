"""What happens at a table with the Rebel!: events of their own, told apart like all others."""

import msgspec

from saloon.core.terms import SeatNo


class _RebelEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    seat: SeatNo


class RebelRevealed(_RebelEvent, frozen=True, tag="rebel-revealed"):
    """A living player showed the Rebel!."""


class RevolutionAsked(_RebelEvent, frozen=True, tag="revolution-asked"):
    """This player eliminated the Sheriff in the own turn, and shows now whether it is the Rebel!."""


class RevolutionMade(_RebelEvent, frozen=True, tag="revolution-made"):
    """The Rebel! became Sheriff. points: life points gained, and as many for the maximum."""

    points: int


RebelEvent = RebelRevealed | RevolutionAsked | RevolutionMade
