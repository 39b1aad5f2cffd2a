"""Changes to the sides of a logged duel; a missing seat or character means that the log is damaged."""

import msgspec

from base.errors import BadData
from core.characters import Character, life_points
from core.game.state.duel import BETTER_PLACED, OTHER_PLACED, DuelState, Fighter, Side
from core.terms import SeatNo

_replace = msgspec.structs.replace


def with_entry(side: Side, character: Character) -> Side:
    """Let a reserve enter at the rear, or in front if the player has no other character."""
    most = life_points(character)
    fighter = Fighter(character, most - side.carried, most)
    entered = _replace(side, shown=(*side.shown, character), carried=0)
    if side.front is None:
        return _replace(entered, front=fighter)
    return _replace(entered, rear=fighter)


def with_life(side: Side, character: Character, points: int) -> Side:
    """Return the side with a character's life points changed. Raises BadData if it isn't in play."""
    if side.front is not None and side.front.character is character:
        return _replace(side, front=_replace(side.front, life=side.front.life + points))
    if side.rear is not None and side.rear.character is character:
        return _replace(side, rear=_replace(side.rear, life=side.rear.life + points))
    raise BadData("game log", f"{character.value} is not in play at seat {side.seat}")


def without_character(side: Side, character: Character, excess: int) -> Side:
    """Remove an eliminated character; any remaining one moves to the front."""
    left = [fighter for fighter in side.in_play if fighter.character is not character]
    return _replace(
        side,
        front=left[0] if left else None,
        rear=None,
        lost=(*side.lost, character),
        carried=side.carried + excess,
        jailed=None if side.jailed is character else side.jailed,
    )


def recorded_side(duel: DuelState, seat: SeatNo) -> Side:
    """Return the side in an event. Raises BadData if a duel doesn't have the seat."""
    if seat not in {BETTER_PLACED, OTHER_PLACED}:
        raise BadData("game log", f"there is no seat {seat} in a duel")
    return duel.side(seat)


def with_side(duel: DuelState, side: Side) -> DuelState:
    """Return the duel with a side replaced by this one of the same seat."""
    first, second = duel.sides
    return _replace(duel, sides=(side, second) if side.seat == BETTER_PLACED else (first, side))
