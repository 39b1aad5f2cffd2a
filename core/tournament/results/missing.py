"""Going on without entries or record sheets that are missing, or despite disputed ones."""

from typing import Self

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.tournament.state import TournamentState
from core.tournament.state.decision import Decision
from core.tournament.state.guards import published_game, require_reason, still_secret
from core.tournament.state.hall_facts import HallFacts, OpenSheet, OwingTable
from core.tournament.state.reasons import TournamentReason


class WaiveOwedEntries(Decision, frozen=True, tag="owed-entries-waived"):
    """Go on without the missing entries of these tables; they are still accepted if they arrive."""

    tables: tuple[OwingTable, ...]
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        """Refuse it for no new table, and for a game that was never published."""
        still_secret(state)
        reason = require_reason(self.reason)
        if all(table.game in state.owed_waived for table in self.tables):
            raise Refused(TournamentReason.NOTHING_OWED)
        known = {table.game for _, table in state.called_tables}
        for table in self.tables:
            if table.game not in known:
                raise Refused(TournamentReason.UNKNOWN_GAME, game=table.game)
        return replace(self, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, owed_waived=(*state.owed_waived, *(table.game for table in self.tables)))


class WaiveOpenSheets(Decision, frozen=True, tag="open-sheets-waived"):
    """Draw the next round despite these missing or disputed record sheets; they remain so."""

    sheets: tuple[OpenSheet, ...]
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        """Refuse it without a new sheet; one that is neither missing nor disputed is left out."""
        still_secret(state)
        reason = require_reason(self.reason)
        missing = {table.game for _, table in state.missing_sheets}
        for sheet in self.sheets:
            published_game(state, sheet.game)
        new = tuple(
            sheet
            for sheet in self.sheets
            if sheet.game not in state.sheets_waived and (sheet.game in missing) is not sheet.is_disputed
        )
        if not new:
            raise Refused(TournamentReason.NOTHING_OPEN)
        return replace(self, sheets=new, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, sheets_waived=(*state.sheets_waived, *(sheet.game for sheet in self.sheets)))
