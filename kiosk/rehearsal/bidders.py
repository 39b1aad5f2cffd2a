"""The moves of simulated players at an auction or a duel, based only on what the screen shows."""

import random
import re

from core.terms import SeatNo
from kiosk.rehearsal.seen import Seen, Touch

_MOVES = {"-minus": 5, "end-turn": 4, "line": 2, "-plus": 1}
"""The relative frequency of each kind of move."""
_JAILED = 0.15


class Duelists:
    """Two simulated duellists. ``chance`` is the source of their decisions."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._up: frozenset[str] = frozenset()

    def next_touch(self, seen: Seen) -> Touch | None:
        """Return the next touch in a scene of a duel, or None if there is nothing to do."""
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
    starts = seen.targets_like("seat-", "-starts")
    return _any(chance, seen.targets_like("advantage-") or wanted or starts, 6)


def _fight(seen: Seen, chance: random.Random) -> Touch | None:
    enters = seen.targets_like("seat-", "-enter")
    if enters:
        return Touch(enters[0], 4)
    kinds = {kind: seen.targets_like("", kind) for kind in _MOVES}
    possible = [kind for kind in _MOVES if kinds[kind]]
    if not possible:
        return None
    kind = chance.choices(possible, [_MOVES[kind] for kind in possible])[0]
    return Touch(chance.choice(kinds[kind]), chance.uniform(2, 9))


def _any(chance: random.Random, names: tuple[str, ...], after_s: float) -> Touch | None:
    return Touch(chance.choice(names), after_s) if names else None


AUCTION_SCENES = frozenset({"auction", "turn-up", "nominate", "raise", "take", "kept-cards"})
_SEAT = re.compile(r"seat-(\d+)-")
_DOLLARS = re.compile(r"\$([\d,.]+)")
_MEAN_LIMIT = 700
_KEEPS_SHARE = 0.6
_LEAPS_SHARE = 0.25
_LEAP = 500


class Bidders:
    """The simulated bidders at one auction.

    Each player has a secret limit for each hand, and passes after a bid that the player couldn't afford.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._limits: dict[SeatNo, int] = {}
        self._up: frozenset[str] = frozenset()
        self._speaker: SeatNo | None = None
        self._refused: frozenset[SeatNo] = frozenset()
        self._chosen = False

    def next_touch(self, seen: Seen) -> Touch | None:
        """Return the next touch at an auction, or None if there is nothing to do."""
        if seen.target("dismiss"):
            if self._speaker is not None:
                self._refused |= {self._speaker}
            return Touch("dismiss", 2)
        match seen.scene:
            case "turn-up":
                return self._turn_up(seen)
            case "nominate":
                return self._nominate(seen)
            case "raise":
                return self._leap(seen)
            case "take":
                return _any(self._chance, seen.targets_like("character-"), 4)
            case "kept-cards":
                return _any(self._chance, seen.targets_like("cards-"), 3)
            case _:
                return self._at_the_table(seen)

    def _at_the_table(self, seen: Seen) -> Touch | None:
        if seen.target("turn-up"):
            return Touch("turn-up", 8)
        for word, answer in (("-keep", self._keep), ("-raise", self._raise)):
            targets = seen.targets_like("seat-", word)
            if targets:
                return answer(seen, targets[0])
        for word in ("-nominate", "-take", "-bid"):
            targets = seen.targets_like("seat-", word)
            if targets:
                self._limits, self._chosen = {}, False
                self._speaker = _seat(targets[0])
                return Touch(targets[0], 3)
        return None

    def _keep(self, _seen: Seen, name: str) -> Touch:
        self._speaker = seat = _seat(name)
        keeps = seat not in self._refused and self._chance.random() < _KEEPS_SHARE
        return Touch(name if keeps else name.replace("-keep", "-other"), 5)

    def _raise(self, seen: Seen, name: str) -> Touch:
        self._speaker = seat = _seat(name)
        bid, limit = _price(seen, name), self._limit(seat)
        if bid > limit or seat in self._refused:
            # Only this bid was refused; the next character may be cheaper.
            self._refused -= {seat}
            self._limits[seat] = 0
            return Touch(name.replace("-raise", "-pass"), 3)
        if bid + _LEAP <= limit and self._chance.random() < _LEAPS_SHARE:
            return Touch(name.replace("-raise", "-bid"), 3)
        return Touch(name, 2.5)

    def _leap(self, seen: Seen) -> Touch | None:
        if self._speaker is None or not seen.target("offer"):
            return Touch("back", 2) if seen.target("back") else None
        bid = _price(seen, "offer")
        if bid + _LEAP <= self._limit(self._speaker) and seen.target(f"bid-more-{_LEAP}"):
            return Touch(f"bid-more-{_LEAP}", 1.5)
        return Touch("offer", 2)

    def _nominate(self, seen: Seen) -> Touch | None:
        if not self._chosen:
            self._chosen = True
            return _any(self._chance, seen.targets_like("character-"), 6)
        self._limits = {}
        return Touch("offer", 2) if seen.target("offer") else None

    def _turn_up(self, seen: Seen) -> Touch | None:
        if seen.target("turned-up"):
            self._up = frozenset()
            return Touch("turned-up", 4)
        down = [name for name in seen.targets_like("character-") if name not in self._up]
        if not down:
            self._up = frozenset()
            return Touch("back", 2)
        name = self._chance.choice(down)
        self._up |= {name}
        return Touch(name, 1.5)

    def _limit(self, seat: SeatNo) -> int:
        if seat not in self._limits:
            self._limits[seat] = int(self._chance.expovariate(1 / _MEAN_LIMIT))
        return self._limits[seat]


def _seat(name: str) -> SeatNo:
    match = _SEAT.match(name)
    assert match is not None  # callers pass only names of seats
    return SeatNo(int(match[1]))


def _price(seen: Seen, name: str) -> int:
    target = seen.target(name)
    match = None if target is None else _DOLLARS.search(target.label)
    return 0 if match is None else int(re.sub(r"\D", "", match[1]))
