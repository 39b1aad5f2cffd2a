"""Players who left at a table, to be withdrawn or corrected on the sheet before the next draw or ranking."""

import msgspec

from saloon.core.tournament.commands import (
    BeginDuels,
    DrawLots,
    EnterOneOnOne,
    MakeDraw,
    PublishDraw,
    PublishRanking,
    PublishRoundsRanking,
    TournamentCommand,
)
from saloon.core.tournament.results.leavers import leavers
from saloon.core.tournament.state import TournamentState

_ASKED = (
    MakeDraw,
    PublishDraw,
    DrawLots,
    EnterOneOnOne,
    PublishRoundsRanking,
    BeginDuels,
    PublishRanking,
)


def with_leavers(tournament: TournamentState | None, command: TournamentCommand) -> TournamentCommand:
    """Return the command with the players who left at a table and are still in the tournament.

    The core does not look for them itself: logs written before this question must still verify.
    """
    if tournament is None or not isinstance(command, _ASKED):
        return command
    return msgspec.structs.replace(command, left=tuple(leaver.player for leaver in leavers(tournament)))
