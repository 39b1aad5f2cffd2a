"""A rehearsal in progress: its faults, the actions of people and judges, and its state."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, assert_never

import msgspec

from demo.plan import RehearsalPlan
from demo.processes import Processes, megabytes_of_all
from demo.rehearsal.faults import Ledger, RandomTrouble
from demo.rehearsal.hall import RehearsalHall
from demo.rehearsal.troubles import RehearsalTroubles
from demo.rehearsal.watching import JudgeActed, RoundBegan, SheetIn
from station.rehearsals.contract import (
    ActionResult,
    End,
    GetState,
    MakeFault,
    PerformAction,
    RehearsalStage,
    RehearsalState,
    RehearsalStep,
    Request,
    SetPace,
    Solved,
    TableNow,
)

_TURN_S: Final = 0.5
_MEASURED_EVERY_S: Final = 10.0
_SLOWEST, _QUICKEST = 0.1, 1000.0
_MOST_PER_HOUR = 3600.0


class EndedEarlyError(Exception):
    """Somebody ended the rehearsal during its setup."""


class Rehearsal:
    """A rehearsal from setup to end. ``ask`` may be called from any thread."""

    def __init__(
        self, directory: Path, processes: Processes, plan: RehearsalPlan, login: tuple[str, str]
    ) -> None:
        self._plan = plan
        self._lock = threading.RLock()
        self._per_hour = plan.per_hour
        self._trouble = RandomTrouble(plan.seed)
        self._round = 0
        self._sheets: set[int] = set()
        self._measured_s = -_MEASURED_EVERY_S
        self._over = threading.Event()
        self.hall = RehearsalHall(directory, processes, plan, login)
        self._troubles = RehearsalTroubles(self.hall)
        self._state = RehearsalState(RehearsalStage.STARTING, judge=login[0], password=login[1])

    @property
    def ledger(self) -> Ledger:
        with self._lock:
            return self._troubles.ledger

    @property
    def round(self) -> int:
        return self._round

    @property
    def sheets_in(self) -> int:
        return len(self._sheets)

    def open(self) -> None:
        """Start everything. Raises ProgramDied, PageTrouble, TimeoutError or EndedEarlyError."""
        self.hall.set_up(self._step)
        self._change_state(
            stage=RehearsalStage.PLAYING,
            step=None,
            pages=f"{self._plan.host}:{self.hall.pages_port}",
            tournament=self.hall.judge.tournament,
        )

    def record_failure(self, why: str) -> None:
        self._change_state(stage=RehearsalStage.FAILED, step=None, why=why)

    def run(self, beside: Callable[[], bool]) -> None:
        """Run until somebody requests the end, or ``beside``, called twice a second, returns True.

        Raises ProgramDied if a program ends.
        """
        while not self._over.wait(_TURN_S):
            self.hall.processes.check()
            with self._lock:
                self._turn()
            if beside():
                return

    def close(self) -> None:
        """End all programs."""
        with self._lock:
            self._troubles.resume_station()
        self.hall.close()
        self._change_state(stage=RehearsalStage.OVER)

    def ask(self, request: Request) -> RehearsalState:
        """Carry out a request and return the resulting state."""
        with self._lock:
            said = self._on_request(request)
            return msgspec.structs.replace(self._now(), said=said)

    def _on_request(self, request: Request) -> ActionResult | None:
        match request:
            case GetState():
                return None
            case End():
                self._over.set()
                return ActionResult.DONE
            case SetPace():
                if request.speed is not None:
                    self.hall.speed = max(_SLOWEST, min(_QUICKEST, request.speed))
                if request.per_hour is not None:
                    self._per_hour = max(0.0, min(_MOST_PER_HOUR, request.per_hour))
                return ActionResult.DONE
            case MakeFault():
                return self._troubles.make(request.table, request.kind)
            case PerformAction():
                return self._troubles.perform(request.table, request.hand)
            case _:
                assert_never(request)

    def _turn(self) -> None:
        self._follow()
        self._troubles.look()
        well = tuple(
            table for table, unit in self.hall.places.items()
            if self.hall.is_on(unit) and table not in self._sheets and not self.ledger.open_at(table)
        )  # fmt: skip
        due = self._trouble.due(self.hall.seconds, self._per_hour, well)
        if due is not None:
            self._troubles.make(*due)
        if self.hall.seconds - self._measured_s >= _MEASURED_EVERY_S:
            self._measured_s = self.hall.seconds
            self._change_state(megabytes=megabytes_of_all())

    def _follow(self) -> None:
        for table in self.hall.follow_swaps():
            self._troubles.record_decision(table, Solved.SWAPPED)
        for news in self.hall.watcher.news():
            match news:
                case RoundBegan():
                    self._round = news.round
                    self._sheets.clear()
                case JudgeActed():
                    if news.table in self.hall.people:
                        self._troubles.record_decision(news.table, news.act)
                case SheetIn():
                    if news.table in self.hall.people:
                        self._sheets.add(news.table)
                        self._troubles.sheet_is_in(news.table)
                case _:
                    assert_never(news)

    def _step(self, step: RehearsalStep) -> None:
        if self._over.is_set():
            raise EndedEarlyError(step.doing)
        self._change_state(step=step)

    def _change_state(self, **changes: object) -> None:
        with self._lock:
            self._state = msgspec.structs.replace(self._state, **changes)

    def _now(self) -> RehearsalState:
        tables = tuple(self._table(table) for table in sorted(self.hall.people))
        return msgspec.structs.replace(
            self._state,
            round=self._round,
            sheets=len(tables),
            sheets_done=len(self._sheets),
            speed=self.hall.speed,
            per_hour=self._per_hour,
            seconds=self.hall.seconds,
            spares=len(self.hall.spares),
            tables=tables,
            faults=self.ledger.faults,
        )

    def _table(self, table: int) -> TableNow:
        seen, unit = self.hall.people[table].look_at(), self.hall.places[table]
        raises_hand = seen.raises_hand or self._troubles.complains(table)
        return TableNow(
            table, "serial" if unit.wire == "serial" else "tls", unit.door, seen.scene, raises_hand
        )
