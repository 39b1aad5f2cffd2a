"""The base classes of a duel's moves, their automatic consequences, and checks that they share."""

from abc import abstractmethod
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.readings import LongDuelExcess
from core.game.state.decisions import Command, Event
from core.game.state.duel import (
    BETTER_PLACED,
    OTHER_PLACED,
    DuelBecause,
    DuelPhase,
    DuelState,
    Fighter,
    recorded_side,
    winner_by_score,
    with_side,
    without_character,
)
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase
from core.terms import MatchKind, SeatNo

_REFUSAL: Final = {
    DuelPhase.FACE_UP: GameReason.NOT_TURNED_UP,
    DuelPhase.CHOICE: GameReason.ADVANTAGE_NOT_TAKEN,
    DuelPhase.DRAFT: GameReason.STILL_PICKING,
    DuelPhase.LINES: GameReason.LINES_NOT_SHOWN,
    DuelPhase.OPENING: GameReason.DUEL_NOT_BEGUN,
    DuelPhase.PLAYING: GameReason.DUEL_RUNNING,
    DuelPhase.WON: GameReason.DUEL_OVER,
}


class DuelEvent(Event, frozen=True):
    """A fact of a duel."""

    def apply(self, state: GameState) -> GameState:
        if state.duel is None:
            raise BadData("game log", f"there is no duel at table {state.table}")
        duel = self.fold(state.duel)
        phase = Phase.SHEET if duel.winner is not None else state.phase
        return replace(state, duel=duel, turn=duel.turn, phase=phase)

    @abstractmethod
    def fold(self, duel: DuelState, /) -> DuelState:
        """Return the duel after the event. Raises BadData if it is impossible."""


class DuelCommand(Command, frozen=True):
    """A command that only a duel has."""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        if state.duel is None:
            raise Refused(GameReason.NOT_A_DUEL)
        require_phase(state, Phase.DUEL)
        return self.move(state.duel, edition)

    @abstractmethod
    def move(self, duel: DuelState, edition: Edition, /) -> tuple[DuelEvent, ...]:
        """Return the events that the move causes. Raises Refused."""


class DuelDecision(DuelCommand, DuelEvent, frozen=True):
    """A move that is its own event once accepted."""


class DuelTurnStarted(DuelEvent, frozen=True, tag="duel-turn-started"):
    """The turn of a seat started."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        return replace(super().apply(state), turns=state.turns + 1)

    def fold(self, duel: DuelState) -> DuelState:
        return replace(
            duel,
            phase=DuelPhase.PLAYING,
            sides=tuple(replace(side, jailed=None) for side in duel.sides),
            turn=self.seat,
            may_choose_line=duel.kind is MatchKind.LONG_DUEL,
        )


class CharacterOut(DuelEvent, frozen=True, tag="character-out"):
    """A character was eliminated. ``excess`` wounds carry over to the next one."""

    seat: SeatNo
    character: Character
    excess: int = 0

    def fold(self, duel: DuelState) -> DuelState:
        side = recorded_side(duel, self.seat)
        return with_side(duel, without_character(side, self.character, self.excess))


class DuelWon(DuelEvent, frozen=True, tag="duel-won"):
    """A player won the duel. ``ruling`` is the judge's reason, if the judge decided it."""

    winner: SeatNo
    because: DuelBecause
    ruling: str = ""

    def fold(self, duel: DuelState) -> DuelState:
        won = replace(duel, phase=DuelPhase.WON, winner=self.winner)
        return replace(won, because=self.because, ruling=self.ruling)


class DuelDraft(msgspec.Struct, frozen=True):
    """The events caused by a command so far, and the duel after them."""

    duel: DuelState
    events: tuple[DuelEvent, ...] = ()

    def then(self, event: DuelEvent) -> "DuelDraft":
        return DuelDraft(event.fold(self.duel), (*self.events, event))


def require_duel_phase(duel: DuelState, *allowed: DuelPhase) -> None:
    """Raise Refused, naming the current phase, unless the duel is in one of these phases."""
    if duel.phase not in allowed:
        raise Refused(_REFUSAL[duel.phase])


def require_duel_seat(seat: SeatNo) -> None:
    if seat not in {BETTER_PLACED, OTHER_PLACED}:
        raise Refused(GameReason.NO_SEAT, seat=seat)


def fighter_of(duel: DuelState, seat: SeatNo, character: Character) -> Fighter:
    """Return a character in play at a seat. Raises Refused if it isn't in play there."""
    require_duel_seat(seat)
    fighter = duel.side(seat).fighter(character)
    if fighter is None:
        raise Refused(GameReason.NOT_IN_PLAY, character=character, seat=seat)
    return fighter


def wounds_carry_over(duel: DuelState, edition: Edition) -> bool:
    """Return whether a character's excess wounds carry over to the next one.

    Source: Championship 2010 v1.1, 1.2; the long duel: reading D40.
    """
    if duel.kind is MatchKind.SHORT_DUEL:
        return True
    return edition.readings.long_duel_excess is LongDuelExcess.CARRIED


def after_wounds(draft: DuelDraft, seat: SeatNo, character: Character, edition: Edition) -> DuelDraft:
    """Return the draft with the elimination and the victory that a character's wounds may cause.

    Source: Championship 2010 v1.1, 1.2; excess damage in the long duel: reading D40.
    """
    fighter = draft.duel.side(seat).fighter(character)
    if fighter is None or fighter.life > 0:
        return draft
    excess = -fighter.life if wounds_carry_over(draft.duel, edition) else 0
    draft = draft.then(CharacterOut(seat, character, excess))
    winner = winner_by_score(draft.duel.kind, draft.duel.score)
    return draft if winner is None else draft.then(DuelWon(winner, DuelBecause.ELIMINATIONS))


def begin_if_ready(draft: DuelDraft) -> DuelDraft:
    """Return the draft with the first turn, if the starter is known and both sides have a character."""
    duel = draft.duel
    if duel.starter is None or not all(side.in_play for side in duel.sides):
        return draft
    return draft.then(DuelTurnStarted(duel.starter))
