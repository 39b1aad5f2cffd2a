"""A step of a duel in progress, and the checks that its rules share."""

from typing import Final

import msgspec

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.readings import LongDuelExcess
from core.game.duel.events import CharacterOut, DuelEvent, DuelTurnStarted, DuelWon
from core.game.duel.evolve import evolve_duel
from core.game.state.duel import (
    BETTER_PLACED,
    OTHER_PLACED,
    DuelBecause,
    DuelPhase,
    DuelState,
    Fighter,
    winner_by_score,
)
from core.game.state.reasons import GameReason
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


class DuelDraft(msgspec.Struct, frozen=True):
    """The events caused by a command so far, and the duel after them."""

    duel: DuelState
    events: tuple[DuelEvent, ...] = ()

    def then(self, event: DuelEvent) -> "DuelDraft":
        """Return the draft with one more event."""
        return DuelDraft(evolve_duel(self.duel, event), (*self.events, event))


def require_duel_phase(duel: DuelState, *allowed: DuelPhase) -> None:
    """Raise Refused, naming the current phase, unless the duel is in one of these phases."""
    if duel.phase not in allowed:
        raise Refused(_REFUSAL[duel.phase])


def require_duel_seat(seat: SeatNo) -> None:
    """Raise Refused unless a duel has this seat."""
    if seat not in {BETTER_PLACED, OTHER_PLACED}:
        raise Refused(GameReason.NO_SEAT, seat=seat)


def fighter_of(duel: DuelState, seat: SeatNo, character: Character) -> Fighter:
    """Return a character in play at a seat. Raises Refused if it isn't in play there."""
    require_duel_seat(seat)
    found = duel.side(seat).fighter(character)
    if found is None:
        raise Refused(GameReason.NOT_IN_PLAY, character=character, seat=seat)
    return found


def wounds_carry_over(duel: DuelState, edition: Edition) -> bool:
    """Return whether a character's excess wounds carry over to the next one.

    Source: Championship 2010 v1.1, 1.2; the long duel: reading D40.
    """
    if duel.kind is MatchKind.SHORT_DUEL:
        return True
    return edition.readings.long_duel_excess is LongDuelExcess.CARRIED


def after_wounds(draft: DuelDraft, seat: SeatNo, character: Character, edition: Edition) -> DuelDraft:
    """Return the draft after a character's wounds, with any elimination and victory that they cause.

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
    """Return the draft with the first turn, once both sides have a character in play and a starter."""
    duel = draft.duel
    if duel.starter is None or not all(side.in_play for side in duel.sides):
        return draft
    return draft.then(DuelTurnStarted(duel.starter))
