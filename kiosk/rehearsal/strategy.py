"""The strategy of simulated players in their turns: shots, Beers and reshuffles."""

import random

import msgspec

from core.terms import Role, SeatNo
from kiosk.rehearsal.memory import CARDS, UNDO, Habits, Memory, Span

_LEAST_DISCARDED = 20
_SEES_AN_ENEMY = 4.0
_SEES_AN_ALLY = 0.25
_SHERIFF_IS_WANTED = 0.45
_SHERIFF_IS_NEEDED = 0.1
_TO_THE_RENEGADE = 3


def shot_weight(memory: Memory, shooter: SeatNo, target: SeatNo) -> float:
    """Return how likely a player is to shoot a seat, relative to the other seats; 0 if the player never does.

    The players know who has shot at the Sheriff, and guess the others' roles from that.
    """
    attacks = memory.attacks(target)
    hunts = 1 + _SEES_AN_ENEMY * attacks
    is_sheriff = target == memory.sheriff
    if shooter == memory.sheriff:
        return hunts
    match memory.role(shooter):
        case Role.SHERIFF | Role.DEPUTY:
            return 0.0 if is_sheriff else hunts
        case Role.OUTLAW | Role.REBEL:
            if is_sheriff:
                return _SHERIFF_IS_WANTED * len(memory.living())
            return _SEES_AN_ALLY if attacks else 1.0
        case Role.RENEGADE:
            if is_sheriff and len(memory.living()) >= _TO_THE_RENEGADE:
                return _SHERIFF_IS_NEEDED
            return hunts


def plan_turn(memory: Memory, habits: Habits, chance: random.Random) -> Memory:
    """Return the memory with a plan for the whole turn: a reshuffle, shots, a Beer, and its end."""
    plan: list[tuple[str, float]] = []
    first = _within(habits.thinks_s, memory, chance)

    def touch(name: str) -> None:
        plan.append((name, _within(habits.card_s, memory, chance) if plan else first))

    deck = memory.deck - chance.choice(habits.drawn)
    if deck < 0:
        touch("reshuffle")
        deck += max(_LEAST_DISCARDED, CARDS - habits.kept * len(memory.living()))
    if chance.random() < habits.blows_up:
        for _ in range(3):
            touch(f"seat-{memory.turn}-minus")
    if chance.random() < habits.drinks:
        touch(f"seat-{memory.turn}-plus")
    for target in _shot(memory, habits, chance):
        if chance.random() < habits.slips:
            touch(f"seat-{chance.choice(memory.living())}-minus")
            touch(UNDO)
        touch(f"seat-{target}-minus")
    ends = _within(habits.ends_s, memory, chance)
    plan.append(("end-turn", ends if plan else first + ends))
    return msgspec.structs.replace(memory, deck=deck, plan=tuple(plan), killer=memory.turn)


def _shot(memory: Memory, habits: Habits, chance: random.Random) -> tuple[SeatNo, ...]:
    """Return the seats that lose a life point in this turn, in order."""
    others = [seat for seat in memory.living() if seat != memory.turn]
    if not others or (memory.turns < memory.seats and chance.random() < habits.arms):
        return ()
    if chance.random() < habits.all_at_once * len(others) / memory.seats:
        return tuple(seat for seat in others if chance.random() < habits.suffers)
    weights = [shot_weight(memory, memory.turn, seat) for seat in others]
    if not any(weights):
        return ()
    # A turn has only one BANG!, so it hits only one player.
    return (chance.choices(others, weights)[0],) * chance.choice(habits.hits)


def _within(span: Span, memory: Memory, chance: random.Random) -> float:
    return memory.tempo * chance.uniform(*span)
