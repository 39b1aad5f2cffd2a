"""Events of games with the Rebel!, including event cards that bring players back."""

import msgspec

from core.game.state.game import EventCard
from core.terms import SeatNo


class _RebelEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    seat: SeatNo


class RebelRevealed(_RebelEvent, frozen=True, tag="rebel-revealed"):
    """A living player revealed themselves as the Rebel!."""


class RevolutionAsked(_RebelEvent, frozen=True, tag="revolution-asked"):
    """This player eliminated the Sheriff in their own turn and must show whether they are the Rebel!."""


class RevolutionMade(_RebelEvent, frozen=True, tag="revolution-made"):
    """The Rebel! became Sheriff. points: life points gained, which also raise the maximum."""

    points: int


class EventCardShown(msgspec.Struct, frozen=True, tag="event-card-shown", tag_field="event"):
    """An event card takes effect until the Sheriff's next turn; None for any other card."""

    card: EventCard | None


class PlayerCameBack(_RebelEvent, frozen=True, tag="player-came-back"):
    """An eliminated player's turn starts because of an event card. life: 0 for a ghost."""

    card: EventCard
    life: int


RebelEvent = RebelRevealed | RevolutionAsked | RevolutionMade | EventCardShown | PlayerCameBack
