"""The base of all decisions of a tournament, the facts that they depend on, and the checks that they share.

A decision is stored as the judge made it, with the judge's name (``by``) and the fields that followed from
the state at that moment. Proof packs are verified by deciding stored decisions again, each in the state
before it: computed fields are ignored, computed again, and must come out the same.
"""

import enum
from abc import abstractmethod
from collections.abc import Container, Sequence
from typing import Final, Self

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import GameId, PlayerId, RoundNo, TableNo
from core.tournament.state.finals import Finals
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import Entrant, Stage, TournamentState


class OwingTable(msgspec.Struct, frozen=True):
    """A table whose terminal has, or may have, entries that the station has not received.

    owes: the least number of missing entries, or None if the terminal could not be reached.
    """

    round: RoundNo
    table: TableNo
    game: GameId
    owes: int | None


class OpenSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table whose record sheet is missing or disputed."""

    round: RoundNo
    table: TableNo
    game: GameId
    is_disputed: bool = False


class DisputedTable(msgspec.Struct, frozen=True):
    """A table whose record sheet is disputed, by a judge or by its terminal's entries."""

    round: RoundNo
    table: TableNo


class TableInUse(msgspec.Struct, frozen=True):
    """A table of the hall that another tournament, given by its name, is using."""

    table: TableNo
    tournament: str


class Progress(enum.Enum):
    """The progress of a game, as reported by its terminal."""

    UNKNOWN = "unknown"
    """The terminal is disconnected."""
    BEGINNING = "beginning"
    PLAYING = "playing"
    OVER = "over"
    """The game has ended; its record sheet is not accepted yet."""
    ACCEPTED = "accepted"


class VoidedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game voided because its draw was undone; its steps stay stored. turn: 0 before the first one."""

    round: RoundNo
    table: TableNo
    game: GameId
    progress: Progress
    turn: int = 0
    eliminated: tuple[PlayerId, ...] = ()


class HallFacts(msgspec.Struct, frozen=True):
    """The facts that some decisions depend on and that are not stored with them.

    owing: tables with missing entries.
    left: players who left at a table but haven't been withdrawn.
    disputed: tables with a disputed record sheet.
    in_use: tables of other tournaments.
    """

    owing: tuple[OwingTable, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    in_use: tuple[TableInUse, ...] = ()


NOTHING_KNOWN: Final = HallFacts()


WRITTEN: Final[str] = msgspec.field(default_factory=str)
"""An empty text that is stored even by classes that omit defaults."""


class Decision(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A decision, as made and as stored; its fields and their order are those of the stored entry."""

    @abstractmethod
    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        """Return the decision with the fields computed from the state before it. Raises Refused."""

    @abstractmethod
    def apply(self, state: TournamentState) -> TournamentState:
        """Return the state after the decision. Raises BadData for an impossible one."""

    def as_made(self) -> Self:
        """Return a stored decision as the judge made it, so that it can be decided again."""
        return self


def require_unpublished(state: TournamentState) -> None:
    """Raise Refused if the ranking is public; changes then require undoing its publication."""
    if state.stage is Stage.PUBLISHED:
        raise Refused(TournamentReason.RANKING_IS_PUBLIC)


def require_rounds_over(state: TournamentState, edition: Edition) -> None:
    """Raise Refused while a round or a record sheet is missing."""
    if state.stage not in {Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED}:
        if state.stage is Stage.BETWEEN and state.missing_sheets:
            tables = ", ".join(f"{round_no}/{table.table}" for round_no, table in state.missing_sheets)
            raise Refused(TournamentReason.SHEETS_MISSING, unit=edition.unit, tables=tables)
        played = sum(not drawn.missing for drawn in state.published_rounds)
        planned = "?" if state.rounds_planned is None else str(state.rounds_planned)
        raise Refused(TournamentReason.NOT_FINISHED, played=played, rounds=planned)


def require_all_entries(state: TournamentState, owing: Sequence[OwingTable]) -> None:
    """Raise Refused while entries of a table are missing and no judge has waived them."""
    open_tables = [owed for owed in owing if owed.game not in state.owed_waived]
    if open_tables:
        raise Refused(TournamentReason.TABLES_OWE, tables=", ".join(str(owed.table) for owed in open_tables))


def require_no_disputes(disputed: Sequence[DisputedTable], edition: Edition) -> None:
    """Raise Refused while the record sheet of a table is disputed."""
    if disputed:
        tables = ", ".join(f"{one.round}/{one.table}" for one in disputed)
        raise Refused(TournamentReason.SHEETS_DISPUTED, unit=edition.unit, tables=tables)


def require_all_sheets(state: TournamentState, edition: Edition) -> None:
    for drawn in state.published_rounds:
        require_sheets(drawn, edition, state.sheets_waived)


def require_sheets(drawn: Round, edition: Edition, waived: Container[GameId] = ()) -> None:
    """Raise Refused while record sheets of a round are missing, except those of waived games."""
    tables = ", ".join(str(table.table) for table in drawn.missing if table.game not in waived)
    if tables:
        raise Refused(TournamentReason.ROUND_RUNS, unit=edition.unit, round=drawn.round, tables=tables)


def require_disputes_waived(
    state: TournamentState, disputed: Sequence[DisputedTable], edition: Edition
) -> None:
    """Raise Refused while a record sheet is disputed that no judge has waived for the next draw."""
    games = {(round_no, table.table): table.game for round_no, table in state.called_tables}
    held = [one for one in disputed if games.get((one.round, one.table)) not in state.sheets_waived]
    if held:
        tables = ", ".join(f"{one.round}/{one.table}" for one in held)
        raise Refused(TournamentReason.DISPUTES_HOLD_UP, unit=edition.unit, tables=tables)


def require_leavers_withdrawn(state: TournamentState, left: Sequence[PlayerId]) -> None:
    """Raise Refused while a player who left at a table hasn't been withdrawn from the tournament."""
    if left:
        raise Refused(
            TournamentReason.LEFT_AT_TABLE, names=", ".join(name_of(state, player) for player in left)
        )


def name_of(state: TournamentState, player: PlayerId) -> str:
    """Return a player's name, with the club where two share the name; the id if unknown."""
    entrant = state.entrant(player)
    if entrant is None:
        return player
    has_namesake = any(one.name == entrant.name for one in state.entrants if one.player != player)
    return f"{entrant.name} ({entrant.club})" if has_namesake and entrant.club else entrant.name


def require_reason(reason: str) -> str:
    """Return a reason, stripped. Raises Refused for an empty one."""
    written = reason.strip()
    if not written:
        raise Refused(TournamentReason.EMPTY_REASON)
    return written


def require_entrant(state: TournamentState, player: PlayerId) -> Entrant:
    """Return the entrant with this id, even one who has left. Raises Refused for an unknown one."""
    entrant = state.entrant(player)
    if entrant is None:
        raise Refused(TournamentReason.UNKNOWN_PLAYER, player=player)
    return entrant


def require_remaining(state: TournamentState, player: PlayerId) -> Entrant:
    """Return the entrant with this id. Raises Refused for one who has left."""
    entrant = require_entrant(state, player)
    if entrant.is_out:
        raise Refused(TournamentReason.PLAYER_IS_OUT, name=entrant.name)
    return entrant


def published_game(state: TournamentState, game: GameId) -> tuple[Round, DrawnTable]:
    """Return the round and table of a game in a published draw."""
    for drawn in reversed(state.published_rounds):
        for table in drawn.tables:
            if table.game == game:
                return drawn, table
    raise Refused(TournamentReason.UNKNOWN_GAME, game=game)


def require_finals(state: TournamentState) -> Finals:
    """Return the finals. Raises Refused if the edition has none, and before the finalists are known."""
    require_unpublished(state)
    if not state.with_finals:
        raise Refused(TournamentReason.NO_FINALS)
    if state.finals is None:
        raise Refused(TournamentReason.FINALISTS_UNKNOWN)
    return state.finals
