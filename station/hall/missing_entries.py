"""Find entries missing from the tables: the terminal has them, or may have, but the station has not."""

from core.game.state.game import Phase
from core.tournament.state.decision import OwingTable
from core.tournament.state.tournament import TournamentState
from station.hall.floor import card
from station.hall.published import tables_of
from station.hall.station_context import StationContext
from station.projections.floor_cards import FloorCard
from station.projections.terminal_cards import TerminalLink


def tables_with_missing_entries(
    context: StationContext, tournament: TournamentState
) -> tuple[OwingTable, ...]:
    """Return the tables of the last round or duels with entries that are, or may be, missing."""
    tables = tuple(tables_of(tournament))
    last = max((table.round for table in tables), default=None)
    cards = (
        card(context, tournament, table.round, table.drawn.table) for table in tables if table.round == last
    )
    missing = (missing_from_table(one) for one in cards)
    return tuple(sorted((owed for owed in missing if owed is not None), key=lambda owed: owed.table))


def missing_from_table(floor_card: FloorCard) -> OwingTable | None:
    """Return the entries missing from a table, or None if there are none.

    A table without a terminal plays on paper, so nothing is missing. For a disconnected terminal, it is at
    least the number that it last reported. If it last reported none, more may have been entered since, unless
    its game was reported to the end.
    """
    terminal = floor_card.terminal
    if terminal is None:
        return None
    is_told = floor_card.reported is not None or (
        floor_card.game is not None and floor_card.game.phase is Phase.VOIDED
    )
    if terminal.owes == 0 and (terminal.link is not TerminalLink.AWAY or is_told):
        return None
    if terminal.owes is None and is_told:
        return None
    return OwingTable(floor_card.round, floor_card.table, floor_card.game_id, terminal.owes or None)
