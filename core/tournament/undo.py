"""Undoing the last steps. The timeline carries it out, as it has the earlier states."""

from typing import Self

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.terms import GameId
from core.tournament.state import TournamentState
from core.tournament.state.decision import WRITTEN, Decision
from core.tournament.state.guards import require_reason
from core.tournament.state.hall_facts import HallFacts, VoidedGame
from core.tournament.state.reasons import TournamentReason


class UndoSteps(Decision, frozen=True, tag="steps-undone", omit_defaults=True):
    """Undo the last steps, with a reason. voided: games in play that this voids, as known to the station.

    Never stored: confirmed, the voided games that the judge has confirmed; seen, the number of steps,
    including undone ones, that the judge saw (None if unknown).
    """

    steps: int
    reason: str
    by: str = WRITTEN
    voided: tuple[VoidedGame, ...] = ()
    confirmed: tuple[GameId, ...] = ()
    seen: int | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        """Refuse to undo the opening, and to void a game that the judge has not confirmed."""
        reason = require_reason(self.reason)
        possible = state.steps - 1
        if not 1 <= self.steps <= possible:
            raise Refused(TournamentReason.STEPS_OUT_OF_RANGE, steps=self.steps, possible=possible)
        silent = sorted(game.table for game in self.voided if game.game not in self.confirmed)
        if silent:
            tables = ", ".join(map(str, silent))
            raise Refused(TournamentReason.GAMES_WOULD_BE_VOID, games=len(silent), tables=tables)
        return replace(self, reason=reason, confirmed=(), seen=None)

    def apply(self, state: TournamentState) -> TournamentState:
        raise BadData("tournament log", "steps are undone by the timeline, not by one event")

    def as_made(self) -> Self:
        """Return the stored decision with all voided games confirmed."""
        return replace(self, confirmed=tuple(game.game for game in self.voided))
