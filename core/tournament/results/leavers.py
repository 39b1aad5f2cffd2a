"""Players who left, or were ejected, at a table and are still in the tournament."""

import msgspec

from saloon.core.terms import PlayerId, RoundNo, TableNo
from saloon.core.tournament.state import TournamentState


class Leaver(msgspec.Struct, frozen=True):
    """A player whom an accepted record sheet names as gone, and whom no judge has taken out."""

    player: PlayerId
    name: str
    round: RoundNo
    table: TableNo
    ejected: bool


def leavers(state: TournamentState) -> tuple[Leaver, ...]:
    """Return the players who left at a table and are still in the tournament, by round and table.

    Source: Championship 2022/23 v1.4, 1.4: who abandons during a game plays no further games; reading D21.
    """
    inside = {entrant.player: entrant.name for entrant in state.contenders}
    found: dict[PlayerId, Leaver] = {}
    for drawn in state.published_rounds:
        for sheet in drawn.sheets:
            for left in sheet.result.abandonments:
                player = sheet.result.players[left.seat - 1]
                if player in inside:
                    found[player] = Leaver(
                        player, inside[player], drawn.round, sheet.result.table, left.ejected
                    )
    return tuple(found.values())
