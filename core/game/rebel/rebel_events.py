"""Events of a game with the Rebel!."""

import msgspec

from saloon.core.terms import SeatNo


class _RebelEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    seat: SeatNo


class RebelRevealed(_RebelEvent, frozen=True, tag="rebel-revealed"):
    """A living player showed the Rebel!."""


class RevolutionAsked(_RebelEvent, frozen=True, tag="revolution-asked"):
    """This player eliminated the Sheriff in their own turn, and must show whether they are the Rebel!."""


class RevolutionMade(_RebelEvent, frozen=True, tag="revolution-made"):
    """The Rebel! became Sheriff. points: life points gained, and as many for the maximum."""

    points: int


RebelEvent = RebelRevealed | RevolutionAsked | RevolutionMade
