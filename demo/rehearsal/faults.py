"""The faults in a rehearsal hall, and the judges' reactions. Values in, values out."""

import random
from collections.abc import Callable

import msgspec

from saloon.station.rehearsals.contract import ActionResult, FaultKind, FaultNow, JudgeAction, Solved

_BY_HAND = {
    (FaultKind.CUT_CABLE, JudgeAction.CABLE): ActionResult.CABLE_WAS_OUT,
    (FaultKind.NOISY_LINE, JudgeAction.CABLE): ActionResult.CABLE_CHANGED,
    (FaultKind.FLAT_BATTERY, JudgeAction.POWER): ActionResult.BACK_ON,
    (FaultKind.SLEEPY_TABLE, JudgeAction.TALK): ActionResult.WOKEN,
    (FaultKind.DISPUTED_ENDING, JudgeAction.TALK): ActionResult.AGREED,
}
"""The faults that a hand solves, and the finding."""
_FOUND = {
    (FaultKind.DEAD_UNIT, JudgeAction.POWER): ActionResult.STAYS_DARK,
    (FaultKind.WALKED_AWAY, JudgeAction.TALK): ActionResult.HAS_LEFT,
    (FaultKind.WRONG_SHEET, JudgeAction.TALK): ActionResult.WRONG_ROLES,
}
"""The faults that a hand only finds."""
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
"""The faults that a judge's act at the station solves; voiding the game solves everything."""
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
"""The weight of each fault among the random ones."""
LIES_IN_WAIT = frozenset({FaultKind.WALKED_AWAY, FaultKind.DISPUTED_ENDING, FaultKind.WRONG_SHEET})
"""The faults that show only when the game comes to them."""
_HOUR_S = 3600.0


def _is_open(fault: FaultNow) -> bool:
    return fault.solved_s is None


class Ledger(msgspec.Struct, frozen=True):
    """All faults of a rehearsal, oldest first."""

    faults: tuple[FaultNow, ...] = ()

    def open_at(self, table: int) -> tuple[FaultNow, ...]:
        """Return the open faults at a table."""
        return tuple(fault for fault in self.faults if fault.table == table and fault.solved_s is None)

    def has(self, table: int, kind: FaultKind) -> bool:
        """Return whether this fault is open at a table now."""
        return any(fault.kind is kind for fault in self.open_at(table))

    def begin(self, table: int, kind: FaultKind, now_s: float) -> "Ledger":
        """Return the ledger with one more fault."""
        number = len(self.faults) + 1
        shows_s = None if kind in LIES_IN_WAIT else now_s
        return Ledger((*self.faults, FaultNow(number, kind, table, now_s, shows_s)))

    def show(self, table: int, kind: FaultKind, now_s: float) -> "Ledger":
        """Return the ledger after a hidden fault at a table has begun to show."""
        return self._each(
            lambda fault: (
                msgspec.structs.replace(fault, shows_s=now_s)
                if fault.table == table and fault.kind is kind and _is_open(fault) and fault.shows_s is None
                else fault
            )
        )

    def solve(self, number: int, how: Solved, now_s: float) -> "Ledger":
        """Return the ledger with a fault marked as solved; one that is solved already stays as it is."""
        return self._each(
            lambda fault: (
                msgspec.structs.replace(fault, solved_s=now_s, solved=how)
                if fault.number == number and fault.solved_s is None
                else fault
            )
        )

    def react(self, table: int, now_s: float) -> "Ledger":
        """Return the ledger after a judge did something for a table."""
        return self._each(
            lambda fault: (
                msgspec.structs.replace(fault, reacted_s=now_s)
                if fault.table == table
                and _is_open(fault)
                and fault.shows_s is not None
                and fault.reacted_s is None
                else fault
            )
        )

    def hand(self, table: int, hand: JudgeAction, now_s: float) -> "tuple[Ledger, ActionResult]":
        """Return the ledger after a judge lent a hand at a table, and the finding there."""
        ledger = self.react(table, now_s)
        said = _NOTHING[hand]
        for fault in self.open_at(table):
            if fault.shows_s is None:
                continue
            if (found := _FOUND.get((fault.kind, hand))) is not None:
                said = found
            elif (mended := _BY_HAND.get((fault.kind, hand))) is not None:
                ledger, said = ledger.solve(fault.number, Solved.BY_HAND, now_s), mended
        return ledger, said

    def act(self, table: int, act: Solved | None, now_s: float) -> "Ledger":
        """Return the ledger after a judge's act at the station; None for one that solves nothing."""
        ledger = self.react(table, now_s)
        for fault in self.open_at(table):
            if act is Solved.VOIDED or act in _BY_ACT[fault.kind]:
                assert act is not None  # it is in a set of them
                ledger = ledger.solve(fault.number, act, now_s)
        return ledger

    def game_over(self, table: int, now_s: float) -> "Ledger":
        """Return the ledger after a table's sheet was accepted, with its players' faults over."""
        ledger = self
        for fault in self.open_at(table):
            if fault.kind not in _LASTS_BEYOND_THE_GAME:
                ledger = ledger.solve(fault.number, Solved.GAME_OVER, now_s)
        return ledger

    def _each(self, change: Callable[[FaultNow], FaultNow]) -> "Ledger":
        return Ledger(tuple(change(fault) for fault in self.faults))


class RandomTrouble:
    """Random faults; the same seed, rate and times give the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"trouble {seed}")  # noqa: S311 (no secret)
        self._due_s: float | None = None
        self._rate = 0.0

    def due(self, now_s: float, per_hour: float, tables: tuple[int, ...]) -> tuple[int, FaultKind] | None:
        """Return the fault that begins now, if one does. tables: those that are in play and well."""
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
