"""The moves of a duel before its first turn: turning up, picking and placing characters."""

from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.readings import ShortDuelStart
from core.game.duel.fight import (
    DuelDecision,
    DuelDraft,
    DuelEvent,
    begin_if_ready,
    require_duel_phase,
    require_duel_seat,
)
from core.game.state.duel import (
    BETTER_PLACED,
    CHARACTERS,
    OTHER_PLACED,
    TURNED_UP,
    Advantage,
    DuelPhase,
    DuelState,
    recorded_side,
    with_entry,
    with_side,
)
from core.game.state.reasons import GameReason
from core.terms import SeatNo


class TurnUpCharacters(DuelDecision, frozen=True, tag="characters-turned-up"):
    """Enter the ten characters turned up for a long duel, which may be corrected until the first choice.

    Source: Championship 2010 v1.1, 1.2.
    """

    characters: tuple[Character, ...]

    def move(self, duel: DuelState, edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.FACE_UP, DuelPhase.CHOICE)
        for character in self.characters:
            if character not in edition.characters.deck:
                raise Refused(GameReason.NOT_IN_DECK, character=character)
        different = len(set(self.characters))
        if different != TURNED_UP or len(self.characters) != TURNED_UP:
            raise Refused(GameReason.HOW_MANY_UP, expected=TURNED_UP, found=different)
        return (self,)

    def fold(self, duel: DuelState) -> DuelState:
        return replace(duel, phase=DuelPhase.CHOICE, face_up=self.characters)


class TakeAdvantage(DuelDecision, frozen=True, tag="advantage-taken"):
    """Choose, as the better placed player, to pick first or to start. The opponent does the other.

    Source: Championship 2010 v1.1, 1.2.
    """

    advantage: Advantage

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.CHOICE)
        return (self,)

    def fold(self, duel: DuelState) -> DuelState:
        picks = self.advantage is Advantage.PICK_FIRST
        return replace(
            duel,
            phase=DuelPhase.DRAFT,
            picks_first=BETTER_PLACED if picks else OTHER_PLACED,
            starter=OTHER_PLACED if picks else BETTER_PLACED,
        )


class PickCharacter(DuelDecision, frozen=True, tag="character-picked"):
    """Pick a face-up character. The players pick alternately. Source: Championship 2010 v1.1, 1.2."""

    seat: SeatNo
    character: Character

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.DRAFT)
        require_duel_seat(self.seat)
        if self.seat != duel.picker:
            raise Refused(GameReason.PICKS_NOT_NOW, seat=self.seat)
        if self.character not in duel.face_up:
            raise Refused(GameReason.NOT_FACE_UP, character=self.character)
        if self.character not in duel.free:
            raise Refused(GameReason.ALREADY_PICKED, character=self.character)
        return (self,)

    def fold(self, duel: DuelState) -> DuelState:
        side = recorded_side(duel, self.seat)
        picked = with_side(duel, replace(side, picks=(*side.picks, self.character)))
        done = all(len(side.picks) == CHARACTERS[duel.kind] for side in picked.sides)
        return replace(picked, phase=DuelPhase.LINES) if done else picked


class ShowLine(DuelDecision, frozen=True, tag="line-shown"):
    """Turn up a player's first two characters. When both players have done so, the first turn starts.

    Source: Championship 2010 v1.1, 1.2.
    """

    seat: SeatNo
    front: Character
    rear: Character

    def move(self, duel: DuelState, _edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.LINES)
        require_duel_seat(self.seat)
        side = duel.side(self.seat)
        if side.shown:
            raise Refused(GameReason.LINE_SHOWN, seat=self.seat)
        for character in (self.front, self.rear):
            if character not in side.picks:
                raise Refused(GameReason.NOT_OF_THIS_SIDE, character=character, seat=self.seat)
        if self.front is self.rear:
            raise Refused(GameReason.ONE_FOR_TWO_PLACES, character=self.front)
        return begin_if_ready(DuelDraft(duel).then(self)).events

    def fold(self, duel: DuelState) -> DuelState:
        side = with_entry(recorded_side(duel, self.seat), self.front)
        return with_side(duel, with_entry(side, self.rear))


class DrawStarter(DuelDecision, frozen=True, tag="starter-drawn"):
    """Name the starter of a short duel: drawn by lot, or the better placed player. Source: reading D40."""

    seat: SeatNo

    def move(self, duel: DuelState, edition: Edition) -> tuple[DuelEvent, ...]:
        require_duel_phase(duel, DuelPhase.OPENING)
        require_duel_seat(self.seat)
        better_placed = edition.readings.short_duel_start is ShortDuelStart.BETTER_PLACED
        if better_placed and self.seat != BETTER_PLACED:
            raise Refused(GameReason.BETTER_PLACED_STARTS)
        return begin_if_ready(DuelDraft(duel).then(self)).events

    def fold(self, duel: DuelState) -> DuelState:
        return replace(duel, starter=self.seat)
