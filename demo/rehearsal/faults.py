"""The faults of a rehearsal as values, and the judges' reactions that solve them."""

import random
from collections.abc import Callable

import msgspec

from station.rehearsals.contract import ActionResult, FaultKind, FaultNow, JudgeAction, Solved

_BY_HAND = {
    (FaultKind.CUT_CABLE, JudgeAction.CABLE): ActionResult.CABLE_WAS_OUT,
    (FaultKind.NOISY_LINE, JudgeAction.CABLE): ActionResult.CABLE_CHANGED,
    (FaultKind.FLAT_BATTERY, JudgeAction.POWER): ActionResult.BACK_ON,
    (FaultKind.SLEEPY_TABLE, JudgeAction.TALK): ActionResult.WOKEN,
    (FaultKind.DISPUTED_ENDING, JudgeAction.TALK): ActionResult.AGREED,
}
"""The faults that an action at the table fixes, with its result."""
_FOUND = {
    (FaultKind.DEAD_UNIT, JudgeAction.POWER): ActionResult.STAYS_DARK,
    (FaultKind.WALKED_AWAY, JudgeAction.TALK): ActionResult.HAS_LEFT,
    (FaultKind.WRONG_SHEET, JudgeAction.TALK): ActionResult.WRONG_ROLES,
}
"""The faults that an action at the table only reveals, with its result."""
_NOTHING = {
    JudgeAction.CABLE: ActionResult.CABLE_FINE,
    JudgeAction.POWER: ActionResult.POWER_FINE,
    JudgeAction.TALK: ActionResult.ALL_WELL,
}
_BY_ACT = {
    FaultKind.DEAD_UNIT: {Solved.SWAPPED},
    FaultKind.FLAT_BATTERY: {Solved.SWAPPED},
    FaultKind.CUT_CABLE: {Solved.SWAPPED},
    FaultKind.NOISY_LINE: {Solved.SWAPPED},
    FaultKind.WALKED_AWAY: {Solved.WITHDRAWN},
    FaultKind.WRONG_SHEET: {Solved.CORRECTED},
    FaultKind.DISPUTED_ENDING: {Solved.CONFIRMED, Solved.CORRECTED},
    FaultKind.SLEEPY_TABLE: {Solved.TIME_CALLED},
    FaultKind.STATION_STALLS: set[Solved](),
}
"""The decisions at the station that solve each fault. Voiding the game solves any fault."""
_LASTS_BEYOND_THE_GAME = {FaultKind.WRONG_SHEET, FaultKind.CUT_CABLE, FaultKind.NOISY_LINE}
_WEIGHTS = {
    FaultKind.CUT_CABLE: 4,
    FaultKind.NOISY_LINE: 2,
    FaultKind.FLAT_BATTERY: 3,
    FaultKind.DEAD_UNIT: 2,
    FaultKind.SLEEPY_TABLE: 3,
    FaultKind.WALKED_AWAY: 2,
    FaultKind.DISPUTED_ENDING: 3,
    FaultKind.WRONG_SHEET: 2,
    FaultKind.STATION_STALLS: 1,
}
"""The weight of each fault in a random choice."""
HIDDEN_AT_FIRST = frozenset({FaultKind.WALKED_AWAY, FaultKind.DISPUTED_ENDING, FaultKind.WRONG_SHEET})
"""Faults that show only when the game reaches a certain point."""
_HOUR_S = 3600.0


class Ledger(msgspec.Struct, frozen=True):
    """All faults of a rehearsal, oldest first. Methods return a changed copy."""

    faults: tuple[FaultNow, ...] = ()

    def open_at(self, table: int) -> tuple[FaultNow, ...]:
        return tuple(fault for fault in self.faults if fault.table == table and fault.solved_s is None)

    def has(self, table: int, kind: FaultKind) -> bool:
        return any(fault.kind is kind for fault in self.open_at(table))

    def begin(self, table: int, kind: FaultKind, now_s: float) -> "Ledger":
        """Add a fault."""
        number = len(self.faults) + 1
        shows_s = None if kind in HIDDEN_AT_FIRST else now_s
        return Ledger((*self.faults, FaultNow(number, kind, table, now_s, shows_s)))

    def show(self, table: int, kind: FaultKind, now_s: float) -> "Ledger":
        """Make a table's hidden fault visible."""
        return self._change(
            lambda fault: fault.table == table and fault.kind is kind and fault.shows_s is None, shows_s=now_s
        )

    def solve(self, number: int, how: Solved, now_s: float) -> "Ledger":
        return self._change(lambda fault: fault.number == number, solved_s=now_s, solved=how)

    def react(self, table: int, now_s: float) -> "Ledger":
        """Record that a judge has reacted to each visible fault at a table."""
        return self._change(
            lambda fault: fault.table == table and fault.shows_s is not None and fault.reacted_s is None,
            reacted_s=now_s,
        )

    def perform(self, table: int, action: JudgeAction, now_s: float) -> "tuple[Ledger, ActionResult]":
        """Record a judge's action at a table. Also return its result."""
        ledger = self.react(table, now_s)
        said = _NOTHING[action]
        for fault in self.open_at(table):
            if fault.shows_s is None:
                continue
            if (result := _FOUND.get((fault.kind, action))) is not None:
                said = result
            elif (fixed := _BY_HAND.get((fault.kind, action))) is not None:
                ledger, said = ledger.solve(fault.number, Solved.BY_HAND, now_s), fixed
        return ledger, said

    def act(self, table: int, act: Solved | None, now_s: float) -> "Ledger":
        """Record a judge's decision at the station. ``act`` is None if it can't solve any fault."""
        ledger = self.react(table, now_s)
        for fault in self.open_at(table):
            if act is Solved.VOIDED or act in _BY_ACT[fault.kind]:
                assert act is not None  # None is in none of these sets
                ledger = ledger.solve(fault.number, act, now_s)
        return ledger

    def game_over(self, table: int, now_s: float) -> "Ledger":
        """Record that a table's sheet was accepted, which ends most faults."""
        ledger = self
        for fault in self.open_at(table):
            if fault.kind not in _LASTS_BEYOND_THE_GAME:
                ledger = ledger.solve(fault.number, Solved.GAME_OVER, now_s)
        return ledger

    def _change(self, is_meant: Callable[[FaultNow], bool], **changes: object) -> "Ledger":
        return Ledger(
            tuple(
                msgspec.structs.replace(fault, **changes)
                if fault.solved_s is None and is_meant(fault)
                else fault
                for fault in self.faults
            )
        )


class RandomTrouble:
    """A generator of random faults."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"trouble {seed}")  # noqa: S311 (no secret)
        self._due_s: float | None = None
        self._rate = 0.0

    def due(self, now_s: float, per_hour: float, tables: tuple[int, ...]) -> tuple[int, FaultKind] | None:
        """Return the table and kind of a fault that is due now, or None. ``tables`` may be chosen."""
        if per_hour != self._rate:
            self._rate, self._due_s = per_hour, None
        if not per_hour:
            return None
        if self._due_s is None:
            self._due_s = now_s + self._chance.expovariate(per_hour / _HOUR_S)
        if now_s < self._due_s or not tables:
            return None
        self._due_s = None
        kind = self._chance.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
        return self._chance.choice(tables), kind
