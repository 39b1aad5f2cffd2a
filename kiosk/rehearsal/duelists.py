"""The next touch of two duelists; they know no more than the screen shows them."""

import random

from saloon.kiosk.rehearsal.seen import Seen, Touch

_MOVES = {"-minus": 5, "end-turn": 4, "line": 2, "-plus": 1}
"""Relative frequency of each kind of move."""
_JAILED = 0.15


class Duelists:
    """Two players of a duel. chance: their whims."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._up: frozenset[str] = frozenset()

    def next_touch(self, seen: Seen) -> Touch | None:
        """Return the next touch in a scene of a duel; None if it shows nothing for them."""
        if seen.scene == "duel-turn-up":
            return self._turn_up(seen)
        self._up = frozenset()
        match seen.scene:
            case "duel-setup":
                return _setup(seen, self._chance)
            case "duel-draft" | "duel-show-line" | "duel-enter":
                return _any(self._chance, seen.targets_like("character-"), 5)
            case "duel-line":
                jails = seen.targets_like("jailed-") if self._chance.random() < _JAILED else ()
                return _any(self._chance, jails or seen.targets_like("front-"), 3)
            case "duel":
                return _fight(seen, self._chance)
            case _:
                return None

    def _turn_up(self, seen: Seen) -> Touch | None:
        if seen.target("turned-up"):
            return Touch("turned-up", 4)
        touch = _any(self._chance, tuple(n for n in seen.targets_like("character-") if n not in self._up), 1)
        if touch is not None:
            self._up |= {touch.target}
        return touch


def _setup(seen: Seen, chance: random.Random) -> Touch | None:
    if seen.target("turn-up"):
        return Touch("turn-up", 8)
    wanted = tuple(name for name in seen.targets_like("seat-") if name.endswith(("-line", "-first")))
    starts = tuple(name for name in seen.targets_like("seat-") if name.endswith("-starts"))
    return _any(chance, seen.targets_like("advantage-") or wanted or starts, 6)


def _fight(seen: Seen, chance: random.Random) -> Touch | None:
    enters = tuple(name for name in seen.targets_like("seat-") if name.endswith("-enter"))
    if enters:
        return Touch(enters[0], 4)
    kinds = {kind: tuple(n for n in _touchable(seen) if n.endswith(kind)) for kind in _MOVES}
    possible = [kind for kind in _MOVES if kinds[kind]]
    if not possible:
        return None
    kind = chance.choices(possible, [_MOVES[kind] for kind in possible])[0]
    return Touch(chance.choice(kinds[kind]), chance.uniform(2, 9))


def _touchable(seen: Seen) -> tuple[str, ...]:
    return tuple(target.id for target in seen.targets if target.enabled)


def _any(chance: random.Random, names: tuple[str, ...], after_s: float) -> Touch | None:
    return Touch(chance.choice(names), after_s) if names else None
