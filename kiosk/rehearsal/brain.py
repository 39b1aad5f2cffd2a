"""The decisions of simulated players: the next touch, from the screen and their memory."""

import random

import msgspec

from core.terms import Role, SeatNo
from kiosk.rehearsal.bidders import AUCTION_SCENES, Bidders, Duelists
from kiosk.rehearsal.memory import CARDS, UNDO, USUAL, Habits, Memory, Span, mixable, new_game
from kiosk.rehearsal.seen import Seen, Touch

_LEAST_DISCARDED = 20
_SEES_AN_ENEMY = 4.0
_SEES_AN_ALLY = 0.25
_SHERIFF_IS_WANTED = 0.45
_SHERIFF_IS_NEEDED = 0.1
_TO_THE_RENEGADE = 3


def shot_weight(memory: Memory, shooter: SeatNo, target: SeatNo) -> float:
    """Return the probability that a player shoots a seat, relative to the other seats; 0 for never.

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


BEFORE_PLAY = frozenset({"waiting", "seating", "confirmed", "voided", "relieved", "taking-over"})
_SECOND_THOUGHTS = 0.15


class Brain:
    """The players at one simulated table; the same seed and screens give the same touches.

    ``pin`` is typed where a judge has to confirm, or empty if the players must wait for a judge.
    """

    def __init__(self, seed: int, pin: str = "", habits: Habits = USUAL) -> None:
        self._habits = habits
        self._chance = random.Random(seed)  # noqa: S311 (players' whims, no secrets)
        self.pin = pin
        self._typed = 0
        self._memory: Memory | None = None
        self._bidders = Bidders(self._chance)
        self._asked_for_cards: frozenset[str] = frozenset()
        self._duelists = Duelists(self._chance)
        self._rebel = False

    def next_touch(self, seen: Seen) -> Touch | None:
        """Return the next touch, or None to wait."""
        if seen.scene in BEFORE_PLAY:
            self._memory = None
            self._bidders = Bidders(self._chance)
            self._asked_for_cards = frozenset()
        touch = self._by_match(seen)
        if touch is None:
            return None
        target = seen.target(touch.target)
        return None if target is None else msgspec.structs.replace(touch, hold_ms=target.hold_ms)

    def turn_now(self) -> SeatNo | None:
        """Return the seat whose turn it is in the players' memory, or None before the game."""
        return None if self._memory is None else self._memory.turn

    def last_in_play(self, but: frozenset[int] = frozenset()) -> SeatNo | None:
        """Return the highest seat in play in the players' memory, ignoring the seats in ``but``."""
        living = () if self._memory is None else self._memory.living()
        return max((seat for seat in living if seat not in but), default=None)

    def mix_up_roles(self) -> tuple[SeatNo, SeatNo] | None:
        """Swap two players' hidden roles in memory. Return their seats, or None if no two roles differ."""
        pair = None if self._memory is None else mixable(self._memory, self._chance)
        if pair is not None and self._memory is not None:
            self._memory = self._memory.with_roles_swapped(*pair)
        return pair

    def _by_match(self, seen: Seen) -> Touch | None:
        if seen.scene in AUCTION_SCENES:
            return self._bidders.next_touch(seen)
        if seen.scene.startswith("duel"):
            return self._duelists.next_touch(seen) or self._way_out(seen)
        return self._by_scene(seen)

    def _by_scene(self, seen: Seen) -> Touch | None:  # noqa: C901 (one case for each scene)
        if seen.scene != "pin":
            self._typed = 0
        match seen.scene:
            case "seating":
                return self._first(seen, "-check-in", 3)
            case "roles":
                return Touch("roles-dealt", 20)
            case "characters":
                return self._character(seen)
            case "play":
                return self._play(seen)
            case "last-life":
                return self._last_life(seen)
            case "eliminate":
                return self._eliminate(seen)
            case "revolution":
                return self._revolution(seen)
            case "still-in-play":
                return Touch(self._chance.choice(("still-in-play", "eliminated")), 4)
            case "whose-turn":
                return self._first(seen, "-turn", 4)
            case "ending" | "roles-declare" | "sheet":
                return self._ending(seen)
            case "pin":
                return self._type_pin(seen)
            case _:
                return self._way_out(seen)

    def _way_out(self, seen: Seen) -> Touch | None:
        for name in ("dismiss", "back"):
            if seen.target(name):
                return Touch(name, 2)
        return None

    def _first(self, seen: Seen, suffix: str, after_s: float) -> Touch | None:
        names = seen.targets_like("seat-", suffix)
        return Touch(names[0], after_s) if names else self._way_out(seen)

    def _character(self, seen: Seen) -> Touch | None:
        cards = seen.targets_like("character-")
        if cards:
            return Touch(self._chance.choice(cards), 6)
        if seen.target("dismiss"):
            return Touch("dismiss", 2)
        for name in seen.targets_like("seat-", "-cards"):
            if name not in self._asked_for_cards:
                self._asked_for_cards |= {name}
                return Touch(name, 3)
        if seen.target("begin-game") and not seen.targets_like("seat-", "-character"):
            return Touch("begin-game", 5)
        return self._first(seen, "-character", 2)

    def _memory_of(self, seen: Seen) -> Memory:
        if self._memory is None or self._memory.seats < seen.seats():
            self._memory = new_game(
                max(seen.seats(), 4), self._chance, rebel=self._rebel, habits=self._habits
            )
        return self._memory

    def _play(self, seen: Seen) -> Touch | None:
        memory = self._memory_of(seen)
        alive = frozenset(seen.seats_with("minus"))
        if alive:
            everyone = frozenset(SeatNo(s) for s in range(1, memory.seats + 1))
            memory = msgspec.structs.replace(memory, out=everyone - alive)
        if not memory.plan:
            memory = plan_turn(memory, self._habits, self._chance)
        (name, after_s), rest = memory.plan[0], memory.plan[1:]
        if name != UNDO and not seen.target(name) and rest and rest[0][0] == UNDO:
            rest = rest[1:]  # the last tap was no mistake
        memory = msgspec.structs.replace(memory, plan=rest)
        if name == "end-turn":
            turn = memory.next_turn()
            memory = msgspec.structs.replace(memory, plan=(), turn=turn, turns=memory.turns + 1, dying=turn)
        elif name.endswith("-minus"):
            memory = memory.hit(SeatNo(int(name.split("-")[1])))
        self._memory = memory
        return Touch(name, after_s) if seen.target(name) else self._way_out(seen)

    def _last_life(self, seen: Seen) -> Touch | None:
        memory = self._memory_of(seen)
        if memory.plan and memory.plan[0][0] == UNDO and seen.target(UNDO):
            self._memory = msgspec.structs.replace(memory, plan=memory.plan[1:])
            return Touch(UNDO, memory.plan[0][1])
        if seen.target("rescue-sid-ketchum"):
            return Touch("rescue-sid-ketchum", 4)
        if seen.target("rescue-beer") and self._chance.random() < self._habits.saved_by_beer:
            return Touch("rescue-beer", 4)
        return Touch("eliminated", 4)

    def _eliminate(self, seen: Seen) -> Touch | None:
        for answer in ("same-turn", "other-card"):
            if seen.target(answer):
                return Touch(answer, 2)
        roles = seen.targets_like("role-")
        if "role-rebel" in roles and not self._rebel:
            self._learn_of_the_rebel(seen)
        killers = tuple(name for name in seen.targets_like("by-") if name != "by-leaving")
        if killers and not roles:
            return Touch(self._killer(killers), 3)
        if roles:
            return Touch(self._choose_role_to_show(seen, roles), 4)
        return self._way_out(seen)

    def _learn_of_the_rebel(self, seen: Seen) -> None:
        """Add the Rebel! to the memory after a surprise, as a role that one player has had all along."""
        self._rebel = True
        before = self._memory_of(seen)
        dealt = new_game(before.seats, self._chance, rebel=True)
        self._memory = msgspec.structs.replace(before, roles=dealt.roles)

    def _revolution(self, seen: Seen) -> Touch | None:
        """Answer the Revolution question.

        The first one shows that the rules include the Rebel!, so roles are dealt again, with it.
        """
        if not self._rebel:
            self._learn_of_the_rebel(seen)
        memory = self._memory_of(seen)
        if memory.role(memory.turn) is not Role.REBEL:
            return Touch("revolution-no", 5)
        self._memory = msgspec.structs.replace(memory, sheriff=memory.turn, plan=())
        return Touch("revolution-yes", 5)

    def _killer(self, offered: tuple[str, ...]) -> str:
        memory = self._memory
        likely = f"by-seat-{memory.killer}" if memory is not None and memory.killer is not None else ""
        return likely if likely in offered else self._chance.choice(offered)

    def _choose_role_to_show(self, seen: Seen, offered: tuple[str, ...]) -> str:
        memory = self._memory_of(seen)
        if memory.dying is not None and f"role-{memory.role(memory.dying).value}" in offered:
            return f"role-{memory.role(memory.dying).value}"
        possible = [f"role-{memory.role(s).value}" for s in memory.living() if s != 1]
        agreeing = [name for name in offered if name in possible]
        return self._chance.choice(agreeing or list(offered))

    def _ending(self, seen: Seen) -> Touch | None:
        silent = seen.targets_like("seat-", "-agrees")
        if silent and not seen.target("to-roles"):
            return Touch(silent[0], 3)
        for name in ("declare-roles", "confirm-sheet", "to-roles"):
            if seen.target(name) and (name != "confirm-sheet" or self.pin):
                return Touch(name, 6)
        declared = seen.targets_like("declare-seat-") or seen.targets_like("role-of-seat-")
        cleared = seen.targets_like("clear-seat-")
        if cleared and (not declared or self._chance.random() < _SECOND_THOUGHTS):
            declared = cleared  # a player has declared a role that can't be theirs
        return Touch(self._chance.choice(self._truthful(declared)), 2) if declared else self._way_out(seen)

    def _truthful(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        memory = self._memory
        if memory is None:
            return declared
        said = {f"declare-seat-{n}-{role.value}" for n, role in enumerate(memory.roles, 1)}
        return tuple(name for name in declared if name in said) or declared

    def _type_pin(self, seen: Seen) -> Touch | None:
        if not self.pin:
            return self._way_out(seen)
        if self._typed >= len(self.pin):
            self._typed = 0
            return Touch("pin-ok", 1)
        digit = self.pin[self._typed]
        self._typed += 1
        return Touch(f"pin-{digit}", 0.5)
