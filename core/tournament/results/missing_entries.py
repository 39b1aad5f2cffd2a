"""Going on although the station has not received all that the tables have."""

from saloon.base.errors import Refused
from saloon.core.tournament.commands import WaiveOwedEntries
from saloon.core.tournament.events import OwedEntriesWaived
from saloon.core.tournament.guards import given_reason, still_secret
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.state import TournamentState


def waive(state: TournamentState, command: WaiveOwedEntries, by: str) -> OwedEntriesWaived:
    """Return the judge's word that the tournament goes on, with the entries missing when it was given.

    Refused without a reason, for no table, and for a game that was never published.
    """
    still_secret(state)
    reason = given_reason(command.reason)
    if all(table.game in state.owed_waived for table in command.owing):
        raise Refused(TournamentReason.NOTHING_OWED)
    known = {table.game for drawn in state.published_rounds for table in drawn.tables}
    if state.finals is not None:
        known |= {table.game for duels in state.finals.begun for table in duels.tables}
    for table in command.owing:
        if table.game not in known:
            raise Refused(TournamentReason.UNKNOWN_GAME, game=table.game)
    return OwedEntriesWaived(tables=command.owing, reason=reason, by=by)
