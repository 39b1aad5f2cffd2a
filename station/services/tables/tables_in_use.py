"""The tables of the hall at which tournaments play."""

import msgspec

from saloon.core.tournament.commands import BeginDuels, PublishDraw, TournamentCommand
from saloon.core.tournament.events import TableInUse
from saloon.core.tournament.state import TournamentState
from saloon.station.services.published import tables_of
from saloon.station.services.station_context import Desk


def with_tables_in_use(
    desk: Desk, tournament: TournamentState | None, command: TournamentCommand
) -> TournamentCommand:
    """Return the command with the tables at which other tournaments play, where the rules ask for it."""
    if tournament is None or not isinstance(command, PublishDraw | BeginDuels):
        return command
    return msgspec.structs.replace(command, in_use=_in_use(desk, tournament))


def _in_use(desk: Desk, tournament: TournamentState) -> tuple[TableInUse, ...]:
    """Return the tables whose results other tournaments still miss, with a terminal or on paper."""
    others = (state for state in desk.tournament_states() if state.tournament != tournament.tournament)
    return tuple(
        TableInUse(found.drawn.table, state.name)
        for state in others
        for found in tables_of(state)
        if found.is_running and not found.is_accepted
    )
