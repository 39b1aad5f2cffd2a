"""The moves of a running duel, from the first turn to the end."""

from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.game.duel.steps import (
    DuelCommand,
    DuelDecision,
    DuelDraft,
    DuelEvent,
    DuelTurnStarted,
    DuelWon,
    after_wounds,
    begin_if_ready,
    fighter_of,
    require_duel_phase,
    require_duel_seat,
    wounds_carry_over,
)
from core.game.state.decisions import Event
from core.game.state.duel import (
    BETTER_PLACED,
    OTHER_PLACED,
    DuelBecause,
    DuelPhase,
    DuelState,
    Remedy,
    opponent_of,
    recorded_side,
    with_entry,
    with_life,
    with_side,
)
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase
from core.terms import SeatNo


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
