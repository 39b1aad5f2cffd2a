"""How rehearsal players play a turn: whom they shoot, when they drink, when the deck runs out."""

import random

import msgspec

from saloon.core.game.roles import Role
from saloon.core.terms import SeatNo
from saloon.kiosk.rehearsal.memory import CARDS, Memory

_DRAWN_IN_A_TURN = (2, 2, 2, 2, 3, 4)
_KEPT_IN_HANDS_AND_ON_THE_TABLE = 5
_DRINKS = 0.12
_SHOOTS_TWICE = 0.08


def victims(memory: Memory, shooter: SeatNo) -> tuple[SeatNo, ...]:
    """Whom a player of this seat's role would shoot, likely ones more than once."""
    others = [s for s in memory.living() if s != shooter]
    sheriff = memory.sheriff
    if shooter == sheriff:
        return tuple(others)
    match memory.role(shooter):
        case Role.REBEL:
            return tuple(others + [s for s in others if s == sheriff] * 6)
        case Role.OUTLAW:
            wanted = [s for s in others if memory.role(s) is not Role.OUTLAW or s == sheriff]
            return tuple(wanted + [s for s in others if s == sheriff] * 2)
        case Role.SHERIFF | Role.DEPUTY:
            return tuple(s for s in others if s != sheriff)
        case Role.RENEGADE:
            return tuple(s for s in others if s != sheriff) or tuple(others)


def planned(memory: Memory, chance: random.Random) -> Memory:
    """The memory with a whole turn planned: shots, a Beer, a reshuffle, and its end."""
    plan: list[tuple[str, float]] = []
    deck = memory.deck - chance.choice(_DRAWN_IN_A_TURN)
    if deck < 0:
        plan.append(("reshuffle", chance.uniform(4, 9)))
        deck += max(20, CARDS - _KEPT_IN_HANDS_AND_ON_THE_TABLE * len(memory.living()))
    if chance.random() < _DRINKS:
        plan.append((f"seat-{memory.turn}-plus", chance.uniform(3, 9)))
    targets = victims(memory, memory.turn)
    shots = 2 if chance.random() < _SHOOTS_TWICE else 1
    plan.extend(
        (f"seat-{chance.choice(targets)}-minus", chance.uniform(4, 14))
        for _ in range(shots)
        if targets and chance.random() < memory.boldness
    )
    plan.append(("end-turn", chance.uniform(5, 16)))
    return msgspec.structs.replace(memory, deck=deck, plan=tuple(plan), killer=memory.turn)
