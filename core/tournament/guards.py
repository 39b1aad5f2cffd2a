"""Checks that many commands share, each refused with its reason."""

from collections.abc import Container, Sequence

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.terms import GameId, PlayerId
from saloon.core.tournament.commands import DisputedTable
from saloon.core.tournament.events import DrawnTable, OwingTable
from saloon.core.tournament.finals.finals import Finals
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.state import Entrant, Round, Stage, TournamentState


def still_secret(state: TournamentState) -> None:
    """Refuse once the ranking is public: what is announced changes only after it was taken back."""
    if state.stage is Stage.PUBLISHED:
        raise Refused(TournamentReason.RANKING_IS_PUBLIC)


def rounds_are_over(state: TournamentState, edition: Edition) -> None:
    """Refuse while rounds or record sheets are missing."""
    if state.stage not in {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}:
        if state.stage is Stage.BETWEEN and state.missing_sheets:
            tables = ", ".join(f"{round_no}/{table.table}" for round_no, table in state.missing_sheets)
            raise Refused(TournamentReason.SHEETS_MISSING, unit=edition.unit, tables=tables)
        played = sum(not drawn.missing for drawn in state.published_rounds)
        planned = "?" if state.rounds_planned is None else str(state.rounds_planned)
        raise Refused(TournamentReason.NOT_FINISHED, played=played, rounds=planned)


def nothing_owed(state: TournamentState, owing: Sequence[OwingTable]) -> None:
    """Refuse while a table has missing entries and no judge has given a reason to go on without them."""
    open_tables = [owed for owed in owing if owed.game not in state.owed_waived]
    if open_tables:
        raise Refused(TournamentReason.TABLES_OWE, tables=", ".join(str(owed.table) for owed in open_tables))


def nothing_disputed(disputed: Sequence[DisputedTable], edition: Edition) -> None:
    """Refuse while the record sheet of a table is disputed."""
    if disputed:
        tables = ", ".join(f"{one.round}/{one.table}" for one in disputed)
        raise Refused(TournamentReason.SHEETS_DISPUTED, unit=edition.unit, tables=tables)


def nothing_missing(state: TournamentState, edition: Edition) -> None:
    """Refuse while a record sheet is missing and no judge has given a reason to draw without it."""
    for drawn in state.published_rounds:
        no_sheet_missing(drawn, edition, state.sheets_waived)


def no_sheet_missing(drawn: Round, edition: Edition, waived: Container[GameId] = ()) -> None:
    """Refuse while a round lacks record sheets, except of the games that a judge has waived."""
    tables = ", ".join(str(table.table) for table in drawn.missing if table.game not in waived)
    if tables:
        raise Refused(TournamentReason.ROUND_RUNS, unit=edition.unit, round=drawn.round, tables=tables)


def no_dispute_holds_up(state: TournamentState, disputed: Sequence[DisputedTable], edition: Edition) -> None:
    """Refuse while a record sheet is disputed and no judge has given a reason to draw all the same."""
    games = {(round_no, table.table): table.game for round_no, table in state.called_tables}
    held = [one for one in disputed if games.get((one.round, one.table)) not in state.sheets_waived]
    if held:
        tables = ", ".join(f"{one.round}/{one.table}" for one in held)
        raise Refused(TournamentReason.DISPUTES_HOLD_UP, unit=edition.unit, tables=tables)


def nobody_left_is_in(state: TournamentState, left: Sequence[PlayerId]) -> None:
    """Refuse while somebody who left at a table is still in the tournament."""
    if left:
        raise Refused(
            TournamentReason.LEFT_AT_TABLE, names=", ".join(name_of(state, player) for player in left)
        )


def name_of(state: TournamentState, player: PlayerId) -> str:
    """Return a player's name, with the club where names are the same; the id of somebody unknown."""
    entrant = state.entrant(player)
    if entrant is None:
        return player
    has_namesake = any(one.name == entrant.name for one in state.entrants if one.player != player)
    return f"{entrant.name} ({entrant.club})" if has_namesake and entrant.club else entrant.name


def require_reason(reason: str) -> str:
    """Return a reason without blanks at its ends; refused when nothing is left."""
    written = reason.strip()
    if not written:
        raise Refused(TournamentReason.EMPTY_REASON)
    return written


def require_entrant(state: TournamentState, player: PlayerId) -> Entrant:
    """Return the entrant of this id, in the tournament or out of it."""
    entrant = state.entrant(player)
    if entrant is None:
        raise Refused(TournamentReason.UNKNOWN_PLAYER, player=player)
    return entrant


def still_in(state: TournamentState, player: PlayerId) -> Entrant:
    """Return the entrant of this id; refused for one who left."""
    entrant = require_entrant(state, player)
    if entrant.is_out:
        raise Refused(TournamentReason.PLAYER_IS_OUT, name=entrant.name)
    return entrant


def published_game(state: TournamentState, game: GameId) -> tuple[Round, DrawnTable]:
    """Return the round and table of a game that a published draw names."""
    for drawn in reversed(state.published_rounds):
        for table in drawn.tables:
            if table.game == game:
                return drawn, table
    raise Refused(TournamentReason.UNKNOWN_GAME, game=game)


def require_finals(state: TournamentState) -> Finals:
    """Return the finals. Refused without finals in the edition, and before the finalists are named."""
    still_secret(state)
    if not state.with_finals:
        raise Refused(TournamentReason.NO_FINALS)
    if state.finals is None:
        raise Refused(TournamentReason.FINALISTS_UNKNOWN)
    return state.finals
