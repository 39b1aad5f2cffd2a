"""Tables whose record sheets are disputed: no ranking is published before a judge has decided."""

import msgspec

from saloon.core.tournament.commands import (
    DisputedTable,
    PublishRanking,
    PublishRoundsRanking,
    TournamentCommand,
)
from saloon.core.tournament.state import TournamentState
from saloon.station.services.station_context import Desk
from saloon.station.services.tables.floor import disputed


def with_disputes(
    desk: Desk, tournament: TournamentState | None, command: TournamentCommand
) -> TournamentCommand:
    """Return the command with the disputed tables, where the rules ask for them."""
    if tournament is None or not isinstance(command, PublishRanking | PublishRoundsRanking):
        return command
    found = tuple(DisputedTable(card.round, card.table) for card in disputed(desk, tournament))
    return msgspec.structs.replace(command, disputed=found)
