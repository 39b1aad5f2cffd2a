"""Corrections by the judge to a game that isn't confirmed yet, and their consequences.

They fix entries that are too old to undo. Each correction has a reason and is a step of its own, which can
be undone like any other.
"""

from typing import ClassVar, Final

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.play.effects import effect_completed
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.turns import forget_turn, pass_turns
from core.game.rebel.comebacks import come_back, has_turns
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.seat_updates import recorded_seat, with_seat, with_turns
from core.game.state.seats import require_no_question, require_phase, seat_in_play, seat_of
from core.terms import SeatNo

MOST_RESHUFFLES: Final = 20
"""An upper limit that no game reaches."""
NOT_CONFIRMED: Final = (Phase.PLAYING, Phase.ENDED, Phase.SHEET)

_replace = msgspec.structs.replace


def require_reason(reason: str) -> None:
    """Raise Refused for a correction without a reason."""
    if not reason.strip():
        raise Refused(GameReason.CORRECTION_REASON)


class CorrectLife(Decision, frozen=True, tag="life-corrected"):
    """Set the life points of a seat as a correction by the judge. ``reason`` goes into the game's log."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    seat: SeatNo
    life: int
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Correct the life points; this may answer the last question of a card. Raises Refused."""
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        seat = seat_in_play(state, self.seat)
        if not 1 <= self.life <= seat.max_life:
            raise Refused(GameReason.LIFE_RANGE, seat=seat.seat, maximum=seat.max_life)
        if self.life == seat.life:
            raise Refused(GameReason.NOTHING_CORRECTED)
        draft = Draft(state).then(self)
        return (effect_completed(draft, edition) if state.pending else draft).events

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        after = with_seat(state, _replace(seat, life=self.life))
        if self.seat not in state.pending:
            return after
        pending = tuple(other for other in state.pending if other != self.seat)
        effects = state.effects
        if not pending and state.eliminations:
            effects = max(effects, state.eliminations[-1].effect)
        return _replace(after, pending=pending, high_noon_question=False, effects=effects)


class CorrectTurns(Decision, frozen=True, tag="turns-corrected"):
    """Correct the number of turns that a seat actually played. ``reason`` goes into the game's log."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    seat: SeatNo
    turns: int
    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Correct the number of turns. Raises Refused."""
        require_reason(self.reason)
        require_phase(state, *NOT_CONFIRMED)
        seat = seat_of(state, self.seat).seat
        if not 0 <= self.turns <= state.turns:
            raise Refused(GameReason.TURNS_RANGE, seat=seat, maximum=state.turns)
        if self.turns == state.turns_played[seat - 1]:
            raise Refused(GameReason.NOTHING_CORRECTED)
        return (_replace(self, reason=self.reason.strip()),)

    def apply(self, state: GameState) -> GameState:
        return with_turns(state, recorded_seat(state, self.seat).seat, self.turns)


class ReshufflesCorrected(Event, frozen=True, tag="reshuffles-corrected"):
    """The judge set the number of reshuffles.

    high_noon: its new state.
    reason: given by the judge.
    """

    count: int
    high_noon: HighNoon
    reason: str

    def apply(self, state: GameState) -> GameState:
        return _replace(state, reshuffles=self.count, reshuffled_at=state.turns, high_noon=self.high_noon)


class CorrectReshuffles(Command, frozen=True):
    """Correct the number of reshuffles, and adjust High Noon to it."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    count: int
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Correct the number of reshuffles; High Noon may be switched off again. Raises Refused."""
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        if not 0 <= self.count <= MOST_RESHUFFLES:
            raise Refused(GameReason.RESHUFFLES_RANGE, maximum=MOST_RESHUFFLES)
        if self.count == state.reshuffles:
            raise Refused(GameReason.NOTHING_CORRECTED)
        noon = high_noon_with_reshuffles(state, self.count, edition)
        corrected = ReshufflesCorrected(self.count, noon, self.reason.strip())
        # In light mode the turn didn't matter until High Noon was near.
        return forget_turn(Draft(state), edition).then(corrected).events


def high_noon_with_reshuffles(state: GameState, count: int, edition: Edition) -> HighNoon:
    """Return the state of High Noon for another number of reshuffles; one called by the judge stays."""
    threshold = reshuffles_to_high_noon(len(state.seats), edition)
    is_due = threshold is not None and count >= threshold
    if is_due:
        return HighNoon.WAITING if state.high_noon is HighNoon.OFF else state.high_noon
    return state.high_noon if state.high_noon is HighNoon.CALLED or state.ruled else HighNoon.OFF


class CorrectTurn(Decision, frozen=True, tag="turn-corrected"):
    """Correct whose turn it is and whether High Noon is on. No life points change."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    seat: SeatNo
    high_noon: HighNoon
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Correct the turn, which passes on if its player has left. Raises Refused."""
        require_reason(self.reason)
        require_phase(state, Phase.PLAYING)
        require_no_question(state)
        seat = seat_of(state, self.seat)
        if not has_turns(state, seat.seat):
            raise Refused(GameReason.OUT, seat=seat.seat)
        if self.high_noon is not HighNoon.OFF and edition.high_noon is None:
            raise Refused(GameReason.NO_HIGH_NOON)
        if (seat.seat, self.high_noon) == (state.turn, state.high_noon) and not state.is_turn_unknown:
            raise Refused(GameReason.NOTHING_CORRECTED)
        corrected = _replace(self, reason=self.reason.strip())
        return pass_turns(come_back(Draft(state), seat.seat).then(corrected), edition).events

    def apply(self, state: GameState) -> GameState:
        turn = recorded_seat(state, self.seat).seat
        return _replace(
            state,
            turn=turn,
            high_noon=self.high_noon,
            is_turn_unknown=False,
            passed=(),
            wounded=(),
            ghost=turn if turn == state.ghost else None,
        )
