"""A judge who follows the guide, some seconds after a fault shows: for runs without people."""

from typing import Final

import structlog

from saloon.demo.pages import PageTrouble
from saloon.demo.rehearsal.rehearsal import Rehearsal
from saloon.station.rehearsals.contract import FaultKind, FaultNow, JudgeAction, PerformAction

_log = structlog.get_logger()
_TRIES: Final = 3
_ENOUGH: Final = 120
_BY_HAND: Final = {
    FaultKind.CUT_CABLE: JudgeAction.CABLE,
    FaultKind.NOISY_LINE: JudgeAction.CABLE,
    FaultKind.FLAT_BATTERY: JudgeAction.POWER,
    FaultKind.SLEEPY_TABLE: JudgeAction.TALK,
    FaultKind.DISPUTED_ENDING: JudgeAction.TALK,
}


class RobotJudge:
    """A judge for the faults of one rehearsal. after_s: the delay before it comes."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._tried: dict[int, int] = {}

    def has_work(self, rehearsal: Rehearsal) -> bool:
        """Return whether a fault shows that is neither solved nor given up."""
        return any(
            fault.shows_s is not None and fault.solved_s is None and self._tried.get(fault.number, 0) < _TRIES
            for fault in rehearsal.ledger.faults
        )

    def look_after(self, rehearsal: Rehearsal) -> None:
        """Walk through the hall once and try to solve each fault that has shown for long enough."""
        now_s = rehearsal.seconds
        for fault in rehearsal.ledger.faults:
            due = fault.shows_s is not None and now_s - fault.shows_s >= self._after_s
            if due and fault.solved_s is None and self._tried.get(fault.number, 0) < _TRIES:
                self._tried[fault.number] = self._tried.get(fault.number, 0) + 1
                try:
                    self._solve(rehearsal, fault)
                except PageTrouble as error:
                    problem = str(error)[:_ENOUGH]
                    _log.warning("not solved", fault=fault.kind.value, problem=problem)

    def _solve(self, rehearsal: Rehearsal, fault: FaultNow) -> None:
        hall, table = rehearsal.hall, fault.table
        judge, round_no = hall.judge, rehearsal.round
        match fault.kind:
            case FaultKind.DEAD_UNIT:
                judge.swap(round_no, table)
            case FaultKind.WALKED_AWAY:
                seat = hall.people[table].missing_seat
                if seat is not None:
                    judge.withdraw(hall.watcher.players(table)[seat - 1], "walked away")
            case FaultKind.WRONG_SHEET:
                mixed = hall.people[table].mixed_up
                if mixed is not None:
                    judge.correct(round_no, table, mixed, "two roles taken for each other")
            case FaultKind.STATION_STALLS:
                pass
            case _:
                if fault.kind is FaultKind.DISPUTED_ENDING:
                    judge.answer_calls()
                rehearsal.ask(PerformAction(table, _BY_HAND[fault.kind]))
