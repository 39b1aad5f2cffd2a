"""A table's calls to the judge, and the judge's warnings."""

from typing import ClassVar

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.game.state.decisions import Decision, Event
from core.game.state.game import CallReason, GameState, Penalty
from core.game.state.offences import Offence
from core.game.state.reasons import GameReason
from core.game.state.seats import STILL_OPEN, recorded_seat, require_phase, seat_of
from core.terms import SeatNo


class CallJudge(Decision, frozen=True, tag="judge-called"):
    """Call the judge to the table. Source: Championship 2022/23 v1.4, 2 "Tournament behavior"."""

    keeps_agreement: ClassVar = True

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, *STILL_OPEN)
        if state.judge_called:
            raise Refused(GameReason.JUDGE_CALLED)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return replace(state, judge_called=True, call_reason=None)


class GiveCallReason(Decision, frozen=True, tag="call-reason-given"):
    """Give the reason for the open call to the judge, or change it."""

    keeps_agreement: ClassVar = True
    reason: CallReason

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, *STILL_OPEN)
        if not state.judge_called:
            raise Refused(GameReason.JUDGE_NOT_CALLED)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return replace(state, call_reason=self.reason)


class AnswerJudgeCall(Decision, frozen=True, tag="judge-answered"):
    """Record that the judge came, or that the call was withdrawn."""

    keeps_agreement: ClassVar = True

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        if not state.judge_called:
            raise Refused(GameReason.JUDGE_NOT_CALLED)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return replace(state, judge_called=False, call_reason=None)


class WarnPlayer(Decision, frozen=True, tag="player-warned"):
    """Warn a player, who may already be eliminated. Source: Championship 2022/23 v1.4, 3 "Penalties"."""

    keeps_agreement: ClassVar = True
    seat: SeatNo
    offence: Offence
    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, *STILL_OPEN)
        seat = seat_of(state, self.seat)
        if seat.passive:
            raise Refused(GameReason.ALREADY_PASSIVE, seat=seat.seat)
        if not self.reason.strip():
            raise Refused(GameReason.WARNING_REASON)
        return (replace(self, reason=self.reason.strip()),)

    def apply(self, state: GameState) -> GameState:
        warning = Penalty(recorded_seat(state, self.seat).seat, self.offence, self.reason)
        return replace(state, warnings=(*state.warnings, warning))
