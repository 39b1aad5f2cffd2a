"""Who left, or was ejected, at a table and is still in the tournament."""

from saloon.core.terms import PlayerId
from saloon.core.tournament.state import TournamentState


def still_in(state: TournamentState) -> tuple[PlayerId, ...]:
    """Return the players whom an accepted record sheet names as gone, and whom no judge took out.

    Source: Championship 2022/23 v1.4, 1.4: who abandons during a game plays no further games; reading D21.
    """
    inside = {entrant.player for entrant in state.contenders}
    gone = (
        sheet.result.players[left.seat - 1]
        for drawn in state.published_rounds
        for sheet in drawn.sheets
        for left in sheet.result.abandonments
    )
    return tuple(dict.fromkeys(player for player in gone if player in inside))
