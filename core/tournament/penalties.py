"""Players who leave: voluntarily, by a second warning, by ejection, or at a table."""

from collections.abc import Callable
from typing import Self

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.game.events import StepOrigin
from core.game.state.offences import Offence, is_ejected_by
from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.draw.rounds import games_of_groups
from core.tournament.state.decision import (
    WRITTEN,
    Decision,
    HallFacts,
    require_entrant,
    require_reason,
    require_remaining,
    require_unpublished,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Entrant, RecordedWarning, TournamentState, with_entrant


class UnrecordedDeparture(msgspec.Struct, frozen=True):
    """A player who left according to an accepted record sheet but hasn't been withdrawn by a judge."""

    player: PlayerId
    name: str
    round: RoundNo
    table: TableNo
    ejected: bool


def unrecorded_departures(state: TournamentState) -> tuple[UnrecordedDeparture, ...]:
    """Return the players who left at a table but haven't been withdrawn, by round and table.

    Source: Championship 2022/23 v1.4, 1.4: who abandons during a game plays no further games; reading D21.
    """
    inside = {entrant.player: entrant.name for entrant in state.contenders}
    departures: dict[PlayerId, UnrecordedDeparture] = {}
    for drawn in state.published_rounds:
        for sheet in drawn.sheets:
            for left in sheet.result.abandonments:
                player = sheet.result.players[left.seat - 1]
                if player in inside:
                    departures[player] = UnrecordedDeparture(
                        player, inside[player], drawn.round, sheet.result.table, left.ejected
                    )
    return tuple(departures.values())


class ReinstatePlayer(Decision, frozen=True, tag="player-reinstated"):
    """Undo a mistaken withdrawal before the player has missed a round; a player who left can't return.

    rounds_planned: as for a withdrawal.
    Source: Championship 2022/23 v1.4, 1.4; Championship 2010 v1.1, 1.3.
    """

    player: PlayerId
    reason: str
    by: str = ""
    rounds_planned: int | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        entrant, reason = require_entrant(state, self.player), require_reason(self.reason)
        if not entrant.withdrawn:
            raise Refused(TournamentReason.NOT_WITHDRAWN, name=entrant.name)
        if state.finals is not None:
            raise Refused(TournamentReason.FINALISTS_ARE_NAMED)
        if len(state.published_rounds) > (entrant.out_after_round or 0):
            raise Refused(TournamentReason.MISSED_A_ROUND, name=entrant.name)
        planned = None
        if edition.schedule is Schedule.ONE_GROUP and state.rounds_planned is not None:
            back = with_entrant(state, self.player, lambda one: replace(one, withdrawn=False))
            planned = games_of_groups(back, edition, state.waivers)
        return replace(self, reason=reason, rounds_planned=planned)

    def apply(self, state: TournamentState) -> TournamentState:
        planned = state.rounds_planned if self.rounds_planned is None else self.rounds_planned
        return with_entrant(
            replace(state, rounds_planned=planned),
            self.player,
            lambda one: replace(one, withdrawn=False, out_reason="", out_after_round=None),
        )


class WithdrawPlayer(Decision, frozen=True, tag="player-withdrawn"):
    """Withdraw a player for good.

    during: computed; the round in progress, if any.
    rounds_planned: computed; the new number of rounds of the tournament, if the departure changes it (D43).
    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """

    player: PlayerId
    reason: str
    by: str = ""
    during: RoundNo | None = None
    rounds_planned: int | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        entrant, reason = _leaver(state, self.player, self.reason)
        during, planned = _game_runs_in(state, entrant), _rounds_without(state, entrant, edition)
        return replace(self, reason=reason, during=during, rounds_planned=planned)

    def apply(self, state: TournamentState) -> TournamentState:
        return _without(state, self, lambda one: replace(one, withdrawn=True))


class WarnPlayer(Decision, frozen=True, tag="player-warned", omit_defaults=True):
    """Warn a player; the second warning ejects.

    offence: None in logs from before it was recorded.
    origin: the step at a table that gave the warning, which may arrive after the player left; None if it was
        given at the station.
    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """

    player: PlayerId
    reason: str
    by: str = WRITTEN
    offence: Offence | None = None
    origin: StepOrigin | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        if self.origin is not None and self.origin in state.warnings_taken:
            raise Refused(TournamentReason.WARNING_TAKEN)
        entrant, reason = require_entrant(state, self.player), require_reason(self.reason)
        if not self._comes_late(entrant):
            require_remaining(state, self.player)
        return replace(self, reason=reason)

    def ejection(self, state: TournamentState, edition: Edition) -> "EjectPlayer | None":
        """Return the ejection that this warning causes in the state before it, or None."""
        entrant = require_entrant(state, self.player)
        if self._comes_late(entrant) or not is_ejected_by(len(entrant.warnings) + 1):
            return None
        ejected = EjectPlayer(self.player, self.reason, self.by, offence=self.offence)
        return replace(ejected.decide(state, edition, HallFacts()), automatic=True)

    def _comes_late(self, entrant: Entrant) -> bool:
        return self.origin is not None and entrant.is_out

    def apply(self, state: TournamentState) -> TournamentState:
        warning = RecordedWarning(self.reason, self.offence, state.last_round)
        warned = with_entrant(state, self.player, lambda one: replace(one, warnings=(*one.warnings, warning)))
        if self.origin is None:
            return warned
        return replace(warned, warnings_taken=(*state.warnings_taken, self.origin))


class EjectPlayer(Decision, frozen=True, tag="player-ejected", omit_defaults=True):
    """Eject a player, which counts as an abandonment.

    automatic: ejected by a second warning.
    during, rounds_planned: as for a withdrawal.
    offence: None in logs from before it was recorded.
    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """

    player: PlayerId
    reason: str
    by: str = WRITTEN
    automatic: bool = False
    during: RoundNo | None = None
    rounds_planned: int | None = None
    offence: Offence | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        entrant, reason = _leaver(state, self.player, self.reason)
        during, planned = _game_runs_in(state, entrant), _rounds_without(state, entrant, edition)
        return replace(self, reason=reason, automatic=False, during=during, rounds_planned=planned)

    def apply(self, state: TournamentState) -> TournamentState:
        return _without(state, self, lambda one: replace(one, ejected=True, out_offence=self.offence))


def _leaver(state: TournamentState, player: PlayerId, reason: str) -> tuple[Entrant, str]:
    require_unpublished(state)
    return require_remaining(state, player), require_reason(reason)


def _without(
    state: TournamentState, leaving: WithdrawPlayer | EjectPlayer, leave: Callable[[Entrant], Entrant]
) -> TournamentState:
    last = leaving.during or state.last_round
    left = with_entrant(
        state,
        leaving.player,
        lambda one: replace(leave(one), out_reason=leaving.reason, out_after_round=last),
    )
    finals, planned = state.finals, leaving.rounds_planned
    return replace(
        left,
        finals=None if finals is None else replace(finals, left=(*finals.left, leaving.player)),
        rounds_planned=state.rounds_planned if planned is None else planned,
    )


def _game_runs_in(state: TournamentState, entrant: Entrant) -> RoundNo | None:
    for duels, table in state.open_duels:
        if entrant.player in table.players:
            return duels.round
    running = state.running_round
    if running is None or not any(entrant.player in table.players for table in running.missing):
        return None
    return running.round


def _rounds_without(state: TournamentState, leaver: Entrant, edition: Edition) -> int | None:
    # Source: Championship 2022/23 v1.4, 1.1 "Following matches"; readings D04, D43.
    if edition.schedule is not Schedule.ONE_GROUP or state.rounds_planned is None:
        return None
    without = replace(state, entrants=tuple(one for one in state.entrants if one.player != leaver.player))
    return games_of_groups(without, edition, state.waivers)
