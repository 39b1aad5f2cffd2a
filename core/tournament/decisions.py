"""All decisions of a tournament: how they are made, applied and stored.

Decisions are never edited: a correction is a new decision with the judge's name (``by``) and a reason. A
*step* is everything that one decision caused; one undo removes one step.
"""

from typing import Self

import msgspec
from msgspec.structs import replace

from base.errors import BadData, OurFault, Refused
from core.editions.edition import Edition
from core.terms import GameId, TournamentId
from core.tournament import finals, penalties, prizes, registration, round_clock, sheets
from core.tournament.draw import by_hand, drawing, hall_tables
from core.tournament.standings import ranking
from core.tournament.state.decision import (
    NOTHING_KNOWN,
    WRITTEN,
    Decision,
    HallFacts,
    VoidedGame,
    require_reason,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Stage, TournamentState


class UndoSteps(Decision, frozen=True, tag="steps-undone", omit_defaults=True):
    """Undo the last steps, giving a reason.

    voided: games in play, known to the station, that this voids.
    confirmed: the voided games that the judge has confirmed; never stored.
    seen: the number of steps, including undone ones, that the judge saw, or None if unknown; never stored.
    """

    steps: int
    reason: str
    by: str = WRITTEN
    voided: tuple[VoidedGame, ...] = ()
    confirmed: tuple[GameId, ...] = ()
    seen: int | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
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
        return replace(self, confirmed=tuple(game.game for game in self.voided))


TournamentDecision = (
    round_clock.ClockDecision
    | registration.OpenTournament
    | hall_tables.MoveTables
    | registration.ChangeWaivers
    | registration.ChangeRules
    | registration.RenameTournament
    | registration.RegisterPlayers
    | registration.SetLateEntry
    | drawing.AllowTablesOfFour
    | registration.RenamePlayer
    | registration.RemovePlayer
    | penalties.WithdrawPlayer
    | penalties.ReinstatePlayer
    | penalties.WarnPlayer
    | penalties.EjectPlayer
    | drawing.SealDraw
    | drawing.MakeDraw
    | by_hand.ChangeDraw
    | drawing.PublishDraw
    | sheets.AcceptSheet
    | sheets.ContestSheet
    | sheets.CorrectSheet
    | sheets.DisputeSheet
    | sheets.SettleDispute
    | ranking.DrawLots
    | ranking.EnterOneOnOne
    | prizes.ChangePrizes
    | ranking.PublishRanking
    | finals.PublishRoundsRanking
    | finals.BeginDuels
    | finals.CallOffTieDuel
    | sheets.AcceptDuel
    | sheets.ContestDuel
    | sheets.CorrectDuel
    | sheets.WaiveOwedEntries
    | sheets.WaiveOpenSheets
    | UndoSteps
)


class TournamentStep(msgspec.Struct, frozen=True, tag="tournament-step", tag_field="body"):
    """The body of an entry in a tournament's stream. at: the station's wall clock, ISO 8601, for display."""

    tournament: TournamentId
    events: tuple[TournamentDecision, ...]
    at: str


def decide(
    state: TournamentState | None,
    decision: TournamentDecision,
    edition: Edition,
    by: str,
    hall: HallFacts = NOTHING_KNOWN,
) -> tuple[TournamentDecision, ...]:
    """Return a decision with its computed fields, and the decisions that it causes, as one step.

    state: None before the opening.
    edition: that of the new rules for a decision that sets them, otherwise the tournament's.
    by: the judge's name.
    Raises Refused, with a member of ``TournamentReason`` or of the game's reasons.
    """
    if isinstance(decision, registration.OpenTournament):
        if state is not None:
            raise Refused(TournamentReason.ALREADY_OPEN)
        return (replace(decision.decide(edition), by=by),)
    if state is None:
        raise Refused(TournamentReason.NOT_OPEN)
    expected = decision.rules.edition if isinstance(decision, registration.ChangeRules) else state.edition
    if expected != edition.key:
        raise OurFault(f"tournament {state.tournament} is by {expected}, not by {edition.key}")
    decided = replace(decision.decide(state, edition, hall), by=by)
    ejection = decided.ejection(state, edition) if isinstance(decided, penalties.WarnPlayer) else None
    return (decided,) if ejection is None else (decided, ejection)


def decide_again(
    state: TournamentState | None, step: TournamentStep, edition: Edition
) -> tuple[TournamentDecision, ...]:
    """Decide the first event of a stored step again, in the state before it; a valid step comes out the same.

    Raises BadData for a step without events or without a judge's name, and Refused.
    """
    if not step.events:
        raise BadData("tournament log", "a step has no events")
    first = step.events[0]
    if not first.by:
        raise BadData("tournament log", f"{type(first).__name__} has no judge's name")
    made = first if isinstance(first, registration.OpenTournament) else first.as_made()
    return decide(state, made, edition, first.by)


def why_not(
    state: TournamentState | None,
    decision: TournamentDecision,
    edition: Edition,
    by: str = "",
    hall: HallFacts = NOTHING_KNOWN,
) -> Refused | None:
    """Return the refusal that a decision would meet now, or None if it would be accepted."""
    try:
        decide(state, decision, edition, by, hall)
    except Refused as refusal:
        return refusal
    return None


def evolve(state: TournamentState | None, decision: TournamentDecision) -> TournamentState:
    """Return the tournament after one decision. state: None before the opening.

    Raises BadData for an impossible decision. Undo needs the earlier states, which ``timeline`` keeps.
    """
    if isinstance(decision, registration.OpenTournament):
        if state is not None:
            raise BadData("tournament log", f"tournament {state.tournament} is opened twice")
        return decision.apply()
    if state is None:
        raise BadData("tournament log", f"{type(decision).__name__} comes before the tournament is opened")
    after = decision.apply(state)
    if isinstance(decision, round_clock.ClockDecision | ranking.PublishRanking):
        return after
    return replace(after, stage=_stage(after))


def _stage(state: TournamentState) -> Stage:
    pending = state.pending_round
    if pending is not None:
        return Stage.DRAWN if pending.drawn else Stage.SEALED
    if not state.published_rounds:
        return Stage.REGISTRATION
    if state.running_round is not None:
        return Stage.PLAYING
    is_complete = all(drawn.complete for drawn in state.published_rounds)
    is_last = state.rounds_planned is not None and len(state.published_rounds) >= state.rounds_planned
    if is_last and is_complete:
        over = not state.with_finals or (state.finals is not None and state.finals.champion is not None)
        return Stage.FINISHED if over else Stage.FINALS
    return Stage.BETWEEN
