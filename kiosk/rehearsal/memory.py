"""The memory of a simulated table (secret roles, wounds, cards left), and its players' habits.

All assumptions about players are in ``Habits``. They weren't measured, but chosen so that games are as long,
as bloody and as undecided as experienced players expect. ``python -m tools.rehearsal_statistics`` shows the
results.
"""

import random

import msgspec

from core.terms import Role, SeatNo

Span = tuple[float, float]
"""A range (from, to) of equally likely values."""


class Habits(msgspec.Struct, frozen=True):
    """The habits of a table's players. Seconds are at normal speed; probabilities go from 0 to 1.

    thinks_s: time from the start of a turn to its first card.
    card_s: time between touches within a turn.
    ends_s: time from the last card to the end of the turn.
    tempo: factor by which a table is slower than the average.
    drawn: numbers of cards drawn in a turn, likely ones repeated.
    arms: part of the first round of turns in which nobody is hit, as nobody has a weapon yet.
    hits: life points that a turn's cards take from others.
    all_at_once: probability of an Indians! or a Gatling, which may hit everybody else.
    suffers: probability that it hits a given player.
    blows_up: probability that a turn begins with exploding Dynamite.
    drinks: probability of a Beer.
    saved_by_beer: probability that a Beer saves a last life point.
    slips: probability that a wound is entered on a wrong panel, noticed and undone.
    kept: cards in a player's hand and in front of them.
    """

    thinks_s: Span = (10, 36)
    card_s: Span = (4, 12)
    ends_s: Span = (4, 14)
    tempo: Span = (0.85, 1.2)
    drawn: tuple[int, ...] = (2, 2, 2, 2, 2, 2, 3, 3, 4)
    arms: float = 0.6
    hits: tuple[int, ...] = (0,) * 13 + (1,) * 6 + (2,)
    all_at_once: float = 0.06
    suffers: float = 0.3
    blows_up: float = 0.006
    drinks: float = 0.14
    saved_by_beer: float = 0.35
    slips: float = 0.03
    kept: int = 5


USUAL = Habits()


CARDS = 80
"""The number of playing cards in the base game."""

UNDO = "undo"
_FIRST_HAND = 4
_DEPUTY, _OUTLAW, _RENEGADE, _REBEL = Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.REBEL
_ROLES = {
    4: (_OUTLAW, _OUTLAW, _RENEGADE),
    5: (_DEPUTY, _OUTLAW, _OUTLAW, _RENEGADE),
    6: (_DEPUTY, _OUTLAW, _OUTLAW, _OUTLAW, _RENEGADE),
    7: (_DEPUTY, _DEPUTY, _OUTLAW, _OUTLAW, _OUTLAW, _RENEGADE),
    8: (_DEPUTY, _DEPUTY, _OUTLAW, _OUTLAW, _OUTLAW, _RENEGADE, _RENEGADE),
}
_WITH_REBEL = {
    4: (_OUTLAW, _RENEGADE, _REBEL),
    6: (_DEPUTY, _OUTLAW, _OUTLAW, _RENEGADE, _REBEL),
    8: (_DEPUTY, _DEPUTY, _OUTLAW, _OUTLAW, _OUTLAW, _RENEGADE, _REBEL),
    9: (_DEPUTY, _DEPUTY, _OUTLAW, _OUTLAW, _OUTLAW, _RENEGADE, _RENEGADE, _REBEL),
    10: (_DEPUTY, _DEPUTY, *(_OUTLAW,) * 4, _RENEGADE, _RENEGADE, _REBEL),
}


class Memory(msgspec.Struct, frozen=True):
    """The memory of one game's players.

    turn: the seat whose turn they think it is.
    deck: cards left to draw.
    plan: remaining targets of this turn, with the seconds before each.
    tempo: slowness of this table, 1 for average.
    killer: the seat whose cards are being played.
    dying: the seat that was hit last, or whose turn began under High Noon.
    attackers: seats that shot at the Sheriff, one item for each shot.
    """

    seats: int
    roles: tuple[Role, ...]
    tempo: float
    deck: int
    out: frozenset[SeatNo] = frozenset()
    turn: SeatNo = SeatNo(1)
    turns: int = 0
    plan: tuple[tuple[str, float], ...] = ()
    killer: SeatNo | None = None
    dying: SeatNo | None = None
    sheriff: SeatNo = SeatNo(1)
    attackers: tuple[SeatNo, ...] = ()

    def attacks(self, seat: SeatNo) -> int:
        return self.attackers.count(seat)

    def role(self, seat: SeatNo) -> Role:
        return self.roles[seat - 1]

    def hit(self, seat: SeatNo) -> "Memory":
        """Return the memory after a wound, including an attack on the Sheriff.

        A wound that the players are about to undo is no attack.
        """
        if self.plan[:1] and self.plan[0][0] == UNDO:
            return msgspec.structs.replace(self, dying=seat)
        shot = (self.turn,) if seat == self.sheriff != self.turn else ()
        return msgspec.structs.replace(self, dying=seat, attackers=(*self.attackers, *shot))

    def with_roles_swapped(self, one: SeatNo, other: SeatNo) -> "Memory":
        """Return the memory with two players' roles swapped."""
        roles = list(self.roles)
        roles[one - 1], roles[other - 1] = roles[other - 1], roles[one - 1]
        return msgspec.structs.replace(self, roles=tuple(roles))

    def living(self) -> tuple[SeatNo, ...]:
        return tuple(SeatNo(s) for s in range(1, self.seats + 1) if SeatNo(s) not in self.out)

    def next_turn(self) -> SeatNo:
        order = [SeatNo((self.turn - 1 + step) % self.seats + 1) for step in range(1, self.seats + 1)]
        return next((s for s in order if s not in self.out), self.turn)


def new_game(seats: int, chance: random.Random, *, rebel: bool = False, habits: Habits = USUAL) -> Memory:
    """Return the memory at the start of a game, with the Sheriff at seat 1.

    ``rebel`` adds the Rebel!, which tables of more than eight players always have.
    """
    plain = _ROLES.get(seats, ())
    others = list(_WITH_REBEL.get(seats, plain) if rebel or not plain else plain)
    while len(others) < seats - 1:
        others.append(Role.OUTLAW)
    chance.shuffle(others)
    return Memory(
        seats=seats,
        roles=(Role.SHERIFF, *others),
        tempo=chance.uniform(*habits.tempo),
        deck=CARDS - _FIRST_HAND * seats,
    )


def mixable(memory: Memory, chance: random.Random) -> tuple[SeatNo, SeatNo] | None:
    """Return two players in play with different hidden roles, or None if there are none."""
    hidden = [seat for seat in memory.living() if memory.role(seat) is not Role.SHERIFF]
    pairs = [(a, b) for a in hidden for b in hidden if a < b and memory.role(a) is not memory.role(b)]
    return chance.choice(pairs) if pairs else None
