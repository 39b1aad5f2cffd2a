"""State changes caused by the events of a duel. Decisions and refusals are elsewhere."""

from typing import assert_never

import msgspec

from base.errors import BadData
from core.characters import Character, life_points
from core.game.duel import events as e
from core.game.state.duel import (
    BETTER_PLACED,
    CHARACTERS,
    OTHER_PLACED,
    Advantage,
    DuelPhase,
    DuelState,
    Fighter,
    Side,
)
from core.terms import MatchKind, SeatNo

_Opening = e.CharactersTurnedUp | e.AdvantageTaken | e.CharacterPicked | e.LineShown | e.StarterDrawn
_Fighting = e.LineChosen | e.CharacterWounded | e.CharacterHealed | e.WoundsCarried | e.CharacterOut

_replace = msgspec.structs.replace


def evolve_duel(duel: DuelState, event: e.DuelEvent) -> DuelState:
    """Return the duel after one event. Raises BadData for an impossible one."""
    match event:
        case (
            e.CharactersTurnedUp()
            | e.AdvantageTaken()
            | e.CharacterPicked()
            | e.LineShown()
            | e.StarterDrawn()
        ):
            return _apply_opening(duel, event)
        case (
            e.LineChosen() | e.CharacterWounded() | e.CharacterHealed() | e.WoundsCarried() | e.CharacterOut()
        ):
            return _fought(duel, event)
        case e.CharacterEntered(seat=seat, character=character):
            return _with_side(duel, _apply_entry(_side(duel, seat), character))
        case e.DuelTurnStarted(seat=seat):
            sides = tuple(_replace(side, jailed=None) for side in duel.sides)
            return _replace(
                duel,
                phase=DuelPhase.PLAYING,
                sides=sides,
                turn=seat,
                may_choose_line=duel.kind is MatchKind.LONG_DUEL,
            )
        case e.DuelWon(winner=winner, because=because, ruling=ruling):
            return _replace(duel, phase=DuelPhase.WON, winner=winner, because=because, ruling=ruling)
        case _:
            assert_never(event)


def _apply_opening(duel: DuelState, event: _Opening) -> DuelState:
    match event:
        case e.CharactersTurnedUp(characters=characters):
            return _replace(duel, phase=DuelPhase.CHOICE, face_up=characters)
        case e.AdvantageTaken(advantage=advantage):
            picks = advantage is Advantage.PICK_FIRST
            return _replace(
                duel,
                phase=DuelPhase.DRAFT,
                picks_first=BETTER_PLACED if picks else OTHER_PLACED,
                starter=OTHER_PLACED if picks else BETTER_PLACED,
            )
        case e.CharacterPicked(seat=seat, character=character):
            side = _side(duel, seat)
            picked = _with_side(duel, _replace(side, picks=(*side.picks, character)))
            done = all(len(side.picks) == CHARACTERS[duel.kind] for side in picked.sides)
            return _replace(picked, phase=DuelPhase.LINES) if done else picked
        case e.LineShown(seat=seat, front=front, rear=rear):
            return _with_side(duel, _apply_entry(_apply_entry(_side(duel, seat), front), rear))
        case e.StarterDrawn(seat=seat):
            return _replace(duel, starter=seat)
        case _:
            assert_never(event)


def _fought(duel: DuelState, event: _Fighting) -> DuelState:
    side = _side(duel, event.seat)
    match event:
        case e.LineChosen(front=front, jailed=jailed):
            if side.rear is not None and side.rear.character is front:
                side = _replace(side, front=side.rear, rear=side.front)
            return _replace(_with_side(duel, _replace(side, jailed=jailed)), may_choose_line=False)
        case e.CharacterWounded(character=character, points=points):
            return _with_side(duel, _with_life(side, character, -points))
        case e.CharacterHealed(character=character, points=points):
            return _with_side(duel, _with_life(side, character, points))
        case e.WoundsCarried(points=points):
            return _with_side(duel, _replace(side, carried=side.carried + points))
        case e.CharacterOut(character=character, excess=excess):
            return _with_side(duel, _out(side, character, excess))
        case _:
            assert_never(event)


def _apply_entry(side: Side, character: Character) -> Side:
    """Let a reserve enter at the rear, or in front if the player has no other character."""
    most = life_points(character)
    fighter = Fighter(character, most - side.carried, most)
    entered = _replace(side, shown=(*side.shown, character), carried=0)
    if side.front is None:
        return _replace(entered, front=fighter)
    return _replace(entered, rear=fighter)


def _with_life(side: Side, character: Character, points: int) -> Side:
    if side.front is not None and side.front.character is character:
        return _replace(side, front=_replace(side.front, life=side.front.life + points))
    if side.rear is not None and side.rear.character is character:
        return _replace(side, rear=_replace(side.rear, life=side.rear.life + points))
    raise BadData("game log", f"{character.value} is not in play at seat {side.seat}")


def _out(side: Side, character: Character, excess: int) -> Side:
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


def _side(duel: DuelState, seat: SeatNo) -> Side:
    if seat not in {BETTER_PLACED, OTHER_PLACED}:
        raise BadData("game log", f"there is no seat {seat} in a duel")
    return duel.side(seat)


def _with_side(duel: DuelState, side: Side) -> DuelState:
    first, second = duel.sides
    return _replace(duel, sides=(side, second) if side.seat == BETTER_PLACED else (first, side))
