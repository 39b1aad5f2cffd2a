"""The state of a tournament and its parts, and the checks and names that rules share; below every rule."""

from core.tournament.state.state import (
    ChangeByHand,
    Entrant,
    Player,
    RecordedWarning,
    Redraw,
    Round,
    Stage,
    TournamentState,
    Waivers,
    attempts_after,
    with_entrant,
)

__all__ = [
    "ChangeByHand",
    "Entrant",
    "Player",
    "RecordedWarning",
    "Redraw",
    "Round",
    "Stage",
    "TournamentState",
    "Waivers",
    "attempts_after",
    "with_entrant",
]
