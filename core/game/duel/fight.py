"""The moves of a running duel, and the base classes of all moves with their automatic consequences."""

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
    Remedy,
    opponent_of,
    recorded_side,
    winner_by_score,
    with_entry,
    with_life,
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
    """Eliminate a character if it has no life points left, which may win the duel for the opponent.

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
    """Start the first turn if the starter is known and both sides have a character in play."""
    duel = draft.duel
    if duel.starter is None or not all(side.in_play for side in duel.sides):
        return draft
    return draft.then(DuelTurnStarted(duel.starter))


def end_duel_turn(duel: DuelState) -> tuple[DuelEvent, ...]:
    """Return the event that starts the opponent's turn. Raises Refused while a character must enter.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    for seat in (BETTER_PLACED, OTHER_PLACED):
        if duel.entering(seat):
            raise Refused(GameReason.MUST_ENTER, seat=seat)
    return (DuelTurnStarted(BETTER_PLACED if duel.turn is None else opponent_of(duel.turn)),)


class ChooseLine(DuelDecision, frozen=True, tag="line-chosen"):
    """Choose this turn's front character before drawing. A character in Jail can't be chosen.

    Source: Championship 2010 v1.1, 1.2.
    """

    seat: SeatNo
    front: Character
    jailed: Character | None = None

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.PLAYING)
        fighter_of(duel, self.seat, self.front)
        if self.seat != duel.turn:
            raise Refused(GameReason.NOT_ITS_TURN, seat=self.seat)
        if not duel.may_choose_line:
            raise Refused(GameReason.LINE_CHOSEN, seat=self.seat)
        if self.jailed is not None:
            fighter_of(duel, self.seat, self.jailed)
            if self.jailed is self.front and len(duel.side(self.seat).in_play) > 1:
                raise Refused(GameReason.JAILED_IN_FRONT, character=self.jailed)
        return (self,)

    def fold(self, duel: DuelState) -> DuelState:
        side = recorded_side(duel, self.seat)
        if side.rear is not None and side.rear.character is self.front:
            side = replace(side, front=side.rear, rear=side.front)
        return replace(with_side(duel, replace(side, jailed=self.jailed)), may_choose_line=False)


class WoundCharacter(DuelDecision, frozen=True, tag="character-wounded"):
    """Wound a character, which may eliminate it and so win the duel. No Beer saves its last life point.

    Source: Championship 2010 v1.1, 1.2 and 4.
    """

    seat: SeatNo
    character: Character
    points: int = 1

    def move(self, duel: DuelState, edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.PLAYING)
        fighter_of(duel, self.seat, self.character)
        _check_points(self.points)
        draft = DuelDraft(duel).then(self)
        return after_wounds(draft, self.seat, self.character, edition).events

    def fold(self, duel: DuelState) -> DuelState:
        return with_side(duel, with_life(recorded_side(duel, self.seat), self.character, -self.points))


class CharacterHealed(DuelEvent, frozen=True, tag="character-healed"):
    """A character in play regained life points."""

    seat: SeatNo
    character: Character
    points: int = 1

    def fold(self, duel: DuelState) -> DuelState:
        return with_side(duel, with_life(recorded_side(duel, self.seat), self.character, self.points))


class HealCharacter(DuelCommand, frozen=True):
    """Give life points back to a character in play, by any card or ability except a Beer.

    Source: Championship 2010 v1.1, 1.2; with two players left: Championship 2010 v1.1, 4.
    """

    seat: SeatNo
    character: Character
    points: int = 1
    remedy: Remedy = Remedy.OTHER

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.PLAYING)
        fighter = fighter_of(duel, self.seat, self.character)
        _check_points(self.points)
        if self.remedy is Remedy.BEER:
            raise Refused(GameReason.BEER_IN_A_DUEL)
        if fighter.life + self.points > fighter.max_life:
            raise Refused(GameReason.CHARACTER_FULL, character=self.character, maximum=fighter.max_life)
        return (CharacterHealed(self.seat, self.character, self.points),)


class EnterCharacter(DuelDecision, frozen=True, tag="character-entered"):
    """Enter the character that a player turned up. Wounds carried over to it may eliminate it at once.

    In a short duel this is also how the first characters enter. The first turn starts as soon as both players
    have one and the starter is drawn.
    Source: Championship 2010 v1.1, 1.2.
    """

    seat: SeatNo
    character: Character

    def move(self, duel: DuelState, edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.OPENING, DuelPhase.PLAYING)
        require_duel_seat(self.seat)
        if not duel.entering(self.seat):
            raise Refused(GameReason.NOBODY_ENTERS, seat=self.seat)
        if self.character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=self.character)
        if self.character not in duel.may_enter(self.seat):
            raise Refused(GameReason.CANNOT_ENTER, character=self.character, seat=self.seat)
        draft = DuelDraft(duel).then(self)
        if duel.phase is DuelPhase.OPENING:
            return begin_if_ready(draft).events
        return after_wounds(draft, self.seat, self.character, edition).events

    def fold(self, duel: DuelState) -> DuelState:
        return with_side(duel, with_entry(recorded_side(duel, self.seat), self.character))


class CarryWounds(DuelDecision, frozen=True, tag="wounds-carried"):
    """Carry an eliminated character's excess wounds over to the one that is about to enter.

    Source: Championship 2010 v1.1, 1.2.
    """

    seat: SeatNo
    points: int = 1

    def move(self, duel: DuelState, edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.PLAYING)
        require_duel_seat(self.seat)
        _check_points(self.points)
        if not wounds_carry_over(duel, edition):
            raise Refused(GameReason.WOUNDS_LOST)
        side = duel.side(self.seat)
        if side.in_play or not duel.entering(self.seat):
            raise Refused(GameReason.NOBODY_ENTERS, seat=self.seat)
        return (self,)

    def fold(self, duel: DuelState) -> DuelState:
        side = recorded_side(duel, self.seat)
        return with_side(duel, replace(side, carried=side.carried + self.points))


class RuleDuel(DuelCommand, frozen=True):
    """Name the winner by the judge's ruling, for example when time is up.

    Source: Championship 2010 v1.1, 3; the time limit: reading D09.
    """

    winner: SeatNo
    reason: str

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        if state.duel is None:
            raise Refused(GameReason.NOT_A_DUEL)
        require_phase(state, Phase.SEATING, Phase.DUEL)
        return self.move(state.duel, edition)

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        if duel.phase is DuelPhase.WON:
            require_duel_phase(duel)
        require_duel_seat(self.winner)
        if not self.reason.strip():
            raise Refused(GameReason.RULING_WITHOUT_REASON)
        return (DuelWon(self.winner, DuelBecause.RULING, self.reason),)


def end_by_leaving(duel: DuelState, seat: SeatNo, *, ejected: bool) -> tuple[DuelEvent, ...]:
    """Return the victory over a player who leaves or is ejected. Raises Refused if the duel is over.

    Source: Championship 2010 v1.1, 1.3; reading D24.
    """
    if duel.phase is DuelPhase.WON:
        require_duel_phase(duel)
    require_duel_seat(seat)
    because = DuelBecause.OPPONENT_EJECTED if ejected else DuelBecause.OPPONENT_LEFT
    return (DuelWon(opponent_of(seat), because),)


def _check_points(points: int) -> None:
    if points < 1:
        raise Refused(GameReason.POINTS, points=points)
