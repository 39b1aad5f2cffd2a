"""The effects of faults on the hall, which end when a judge has solved them."""

import contextlib
import signal
import threading
from typing import Final, assert_never

from base.errors import Unavailable
from demo.hall import STATION, Table
from demo.rehearsal.faults import HIDDEN_AT_FIRST, Ledger
from demo.rehearsal.hall import RehearsalHall
from hardware.contract import PowerSource
from kiosk.rehearsal.people import PlayerMood
from kiosk.rehearsal.terminal_client import TerminalClient
from station.rehearsals.contract import ActionResult, FaultKind, JudgeAction, Solved

_LASTS_S: Final = 60.0
"""The time between the stages of a draining battery, at normal speed."""
_SHORTEST_S: Final = 1.5


class _BatteryDrain:
    """Batteries that are draining."""

    def __init__(self, hall: RehearsalHall) -> None:
        self._hall = hall
        self._since_s: dict[str, float] = {}
        self._is_low: set[str] = set()

    def begin(self, unit: Table) -> None:
        """Cut a terminal's mains power."""
        if _run_on(unit, PowerSource.BATTERY):
            self._since_s[unit.name] = self._hall.seconds
        else:
            self._hall.cut_power(unit)

    def end(self, unit: Table) -> None:
        """Restore a terminal's mains power."""
        self._is_low.discard(unit.name)
        if self._since_s.pop(unit.name, None) is not None:
            _run_on(unit, PowerSource.MAINS)
        self._hall.restart_terminal(unit)

    def look(self) -> None:
        """Make batteries low or empty when it is time."""
        step_s = max(_SHORTEST_S, _LASTS_S / self._hall.speed)
        for unit in self._hall.units:
            since_s = self._since_s.get(unit.name)
            if since_s is None:
                continue
            if self._hall.seconds - since_s >= 2 * step_s:
                self._since_s.pop(unit.name)
                self._is_low.discard(unit.name)
                self._hall.cut_power(unit)
            elif self._hall.seconds - since_s >= step_s and unit.name not in self._is_low:
                self._is_low.add(unit.name)
                _run_on(unit, PowerSource.LOW)


def _run_on(unit: Table, supply: PowerSource) -> bool:
    try:
        return TerminalClient(unit.door).run_on(supply)
    except Unavailable:
        return False


_STALL_S: Final = 8.0
_MOODS: Final = {
    FaultKind.SLEEPY_TABLE: PlayerMood.ASLEEP,
    FaultKind.WALKED_AWAY: PlayerMood.ONE_IS_GONE,
    FaultKind.DISPUTED_ENDING: PlayerMood.QUARRELLING,
}
_OF_PEOPLE: Final = frozenset(_MOODS) | {FaultKind.WRONG_SHEET}
"""Faults that people make, of which a table can have only one at a time."""


class RehearsalTroubles:
    """The faults of a rehearsal and their effects on its hall."""

    def __init__(self, hall: RehearsalHall) -> None:
        self._batteries = _BatteryDrain(hall)
        self._hall = hall
        self._stalls_until_s: float | None = None
        self._waker = threading.Timer(_STALL_S, self._let_station_go_on)
        self.ledger = Ledger()

    def make(self, table: int, kind: FaultKind) -> ActionResult:
        """Cause a fault at a table; return BEGUN, or the reason why it is impossible."""
        if kind is FaultKind.STATION_STALLS:
            return self._stall()
        if table not in self._hall.people:
            return ActionResult.NO_TABLE
        there = {fault.kind for fault in self.ledger.open_at(table)}
        unit = self._hall.places[table]
        cut = kind is FaultKind.NOISY_LINE and FaultKind.CUT_CABLE in there
        if kind in there or cut or (kind in _OF_PEOPLE and there & _OF_PEOPLE):
            return ActionResult.WRONG_ALREADY
        if kind not in _OF_PEOPLE and not self._hall.is_on(unit):
            return ActionResult.WRONG_ALREADY
        if kind is FaultKind.DEAD_UNIT and not self._hall.spares:
            return ActionResult.NO_SPARE
        self._begin(table, unit, kind)
        self.ledger = self.ledger.begin(table, kind, self._hall.seconds)
        return ActionResult.BEGUN

    def perform(self, table: int, action: JudgeAction) -> ActionResult:
        """Carry out a judge's action at a table, and return its result."""
        if table not in self._hall.people:
            return ActionResult.NO_TABLE
        ledger, said = self.ledger.perform(table, action, self._hall.seconds)
        self._set_ledger(table, ledger)
        return said

    def record_decision(self, table: int, act: Solved | None) -> None:
        """Record a judge's decision about a table. ``act`` is None if it can't solve a fault."""
        self._set_ledger(table, self.ledger.act(table, act, self._hall.seconds))

    def sheet_is_in(self, table: int) -> None:
        """Record that a table's sheet was accepted. Now a wrong sheet shows, and most other faults end."""
        now_s = self._hall.seconds
        self._set_ledger(table, self.ledger.game_over(table, now_s))
        for fault in self.ledger.open_at(table):
            if fault.kind is not FaultKind.WRONG_SHEET:
                continue
            if self._hall.people[table].mixed_up is not None:
                self.ledger = self.ledger.show(table, FaultKind.WRONG_SHEET, now_s)
            else:
                self.ledger = self.ledger.solve(fault.number, Solved.BY_ITSELF, now_s)

    def complains(self, table: int) -> bool:
        faults = self.ledger.open_at(table)
        return any(f.kind is FaultKind.WRONG_SHEET and f.shows_s is not None for f in faults)

    def look(self) -> None:
        """Show hidden faults once they stop people from playing, and end faults whose time is over."""
        for fault in self.ledger.faults:
            waits = fault.kind in HIDDEN_AT_FIRST - {FaultKind.WRONG_SHEET}
            hidden = waits and fault.solved_s is None and fault.shows_s is None
            if hidden and self._hall.people[fault.table].is_stuck():
                self.ledger = self.ledger.show(fault.table, fault.kind, self._hall.seconds)
        for table, people in self._hall.people.items():
            if people.is_overruled() and self.ledger.has(table, FaultKind.DISPUTED_ENDING):
                self.perform(table, JudgeAction.TALK)  # the judge confirmed at the terminal
        self._batteries.look()
        if self._stalls_until_s is not None and self._hall.seconds >= self._stalls_until_s:
            self.resume_station()

    def resume_station(self) -> None:
        """End the station's stall, if there is one."""
        if self._stalls_until_s is None:
            return
        self._stalls_until_s = None
        self._waker.cancel()
        self._let_station_go_on()
        for fault in self.ledger.open_at(0):
            self.ledger = self.ledger.solve(fault.number, Solved.BY_ITSELF, self._hall.seconds)

    def _stall(self) -> ActionResult:
        if self._stalls_until_s is not None:
            return ActionResult.WRONG_ALREADY
        self._hall.processes.signal(STATION, signal.SIGSTOP)
        # A timer ends the stall even if the rehearsal itself is waiting for a page of the station.
        self._waker = threading.Timer(_STALL_S, self._let_station_go_on)
        self._waker.start()
        self._stalls_until_s = self._hall.seconds + _STALL_S
        self.ledger = self.ledger.begin(0, FaultKind.STATION_STALLS, self._hall.seconds)
        return ActionResult.BEGUN

    def _let_station_go_on(self) -> None:
        with contextlib.suppress(KeyError, ProcessLookupError):
            self._hall.processes.signal(STATION, signal.SIGCONT)

    def _begin(self, table: int, unit: Table, kind: FaultKind) -> None:
        hall, people = self._hall, self._hall.people[table]
        match kind:
            case FaultKind.CUT_CABLE:
                hall.cut_cable(unit)
            case FaultKind.NOISY_LINE:
                hall.disturb_cable(unit)
            case FaultKind.FLAT_BATTERY:
                self._batteries.begin(unit)
            case FaultKind.DEAD_UNIT:
                hall.destroy(unit)
            case FaultKind.WRONG_SHEET:
                people.will_mix_up()
            case FaultKind.SLEEPY_TABLE | FaultKind.WALKED_AWAY | FaultKind.DISPUTED_ENDING:
                people.feel(_MOODS[kind])
            case FaultKind.STATION_STALLS:
                pass
            case _:
                assert_never(kind)

    def _set_ledger(self, table: int, ledger: Ledger) -> None:
        """Set the faults, and undo the effects of those that have ended at a table."""
        before = {fault.kind for fault in self.ledger.open_at(table)}
        self.ledger = ledger
        over = before - {fault.kind for fault in ledger.open_at(table)}
        unit = self._hall.places[table]
        if over & {FaultKind.CUT_CABLE, FaultKind.NOISY_LINE}:
            self._hall.mend_cable(unit)
        if FaultKind.FLAT_BATTERY in over:
            self._batteries.end(unit)
        if over & set(_MOODS):
            self._hall.people[table].feel(PlayerMood.PLAYING)
