"""Who left at a table is withdrawn, or the sheet corrected, before the next draw and the ranking."""

import msgspec

from saloon.core.tournament.commands import (
    MakeDraw,
    PublishDraw,
    PublishRanking,
    PublishRoundsRanking,
    TournamentCommand,
)
from saloon.core.tournament.leavers import still_in
from saloon.core.tournament.state import TournamentState


def with_leavers(tournament: TournamentState | None, command: TournamentCommand) -> TournamentCommand:
    """Return the command with those who left at a table and are still in.

    The core does not look for them itself: logs written before this question must still verify.
    """
    if tournament is None or not isinstance(
        command, MakeDraw | PublishDraw | PublishRoundsRanking | PublishRanking
    ):
        return command
    return msgspec.structs.replace(command, left=still_in(tournament))
