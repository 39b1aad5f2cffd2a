"""Players' names by their ids, for templates."""

from collections.abc import Mapping

from saloon.core.terms import PlayerId
from saloon.core.tournament.state import TournamentState


def names_of(state: TournamentState) -> Mapping[PlayerId, str]:
    """The name of each entrant; players of one name are told apart by their club."""
    seen: dict[str, int] = {}
    for entrant in state.entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
    return {
        e.player: f"{e.name} ({e.club})" if seen[e.name] > 1 and e.club else e.name for e in state.entrants
    }
