"""The state of a tournament and its parts, the checks and names that all rules share; below every rule."""

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
]
