"""A small rehearsal hall with every fault, each made real, and a judge who does what the guide says."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.plan import RehearsalPlan, random_login
from demo.processes import Processes, megabytes_of_all
from demo.rehearsal.program import RobotJudge, is_over
from demo.rehearsal.rehearsal import Rehearsal
from demo.rehearsal.report import Report
from station.rehearsals.contract import ActionResult, FaultKind, JudgeAction, MakeFault, PerformAction, Solved

pytestmark = [pytest.mark.hil, pytest.mark.nightly]
FIRST = (
    (1, FaultKind.CUT_CABLE),
    (1, FaultKind.WALKED_AWAY),
    (2, FaultKind.DEAD_UNIT),
    (2, FaultKind.DISPUTED_ENDING),
    (3, FaultKind.FLAT_BATTERY),
    (3, FaultKind.SLEEPY_TABLE),
)
THEN = ((1, FaultKind.NOISY_LINE), (3, FaultKind.WRONG_SHEET), (0, FaultKind.STATION_STALLS))
EXPECTED = {
    FaultKind.CUT_CABLE: {Solved.BY_HAND},
    FaultKind.NOISY_LINE: {Solved.BY_HAND},
    FaultKind.FLAT_BATTERY: {Solved.BY_HAND},
    FaultKind.SLEEPY_TABLE: {Solved.BY_HAND},
    FaultKind.DEAD_UNIT: {Solved.SWAPPED},
    FaultKind.STATION_STALLS: {Solved.BY_ITSELF},
    FaultKind.DISPUTED_ENDING: {Solved.BY_HAND},
    # The game may be over before the missing player's turn; there may be no two roles to mix up.
    FaultKind.WALKED_AWAY: {Solved.WITHDRAWN, Solved.GAME_OVER},
    FaultKind.WRONG_SHEET: {Solved.CORRECTED, Solved.BY_ITSELF},
}


MOST_MB = 4 * 54
"""Less than four terminals that are started one by one."""


class SmallRehearsal:
    """Three tables, the first on a serial line; players at two hundred times the speed of people."""

    def __init__(self, folder: Path, processes: Processes) -> None:
        self.folder = folder
        self.processes = processes
        plan = RehearsalPlan(
            tables=3, serial=1, spares=1, speed=200, seed=3, judges_confirm=False, auto=True, rounds=1
        )
        self.rehearsal = Rehearsal(folder, processes, plan, random_login())
        self.robot = RobotJudge(5.0)

    def make(self, table: int, kind: FaultKind) -> ActionResult | None:
        return self.rehearsal.ask(MakeFault(table, kind)).said

    def lend(self, table: int, hand: JudgeAction) -> ActionResult | None:
        return self.rehearsal.ask(PerformAction(table, hand)).said


@pytest.fixture
def small() -> Iterator[SmallRehearsal]:
    # Not pytest's own folder: a serial line's and a socket's path must be short.
    with (
        tempfile.TemporaryDirectory(prefix="saloon-hil-") as folder,
        Processes(Path(folder) / "logs") as processes,
    ):
        small = SmallRehearsal(Path(folder), processes)
        try:
            small.rehearsal.open()
            yield small
        finally:
            small.rehearsal.close()


def test_every_fault_is_real_is_solved_as_the_guide_says_and_nothing_is_lost(small: SmallRehearsal) -> None:
    rehearsal, hall = small.rehearsal, small.rehearsal.hall
    for table, kind in FIRST:
        assert small.make(table, kind) is ActionResult.BEGUN
    dead = rehearsal.hall.places[2]
    assert small.make(2, FaultKind.CUT_CABLE) is ActionResult.WRONG_ALREADY
    assert small.make(9, FaultKind.CUT_CABLE) is ActionResult.NO_TABLE
    assert small.lend(2, JudgeAction.POWER) is ActionResult.STAYS_DARK
    assert not hall.is_on(dead)
    waiting_for_more = list(THEN)

    def beside() -> bool:
        while (
            waiting_for_more and hall.seconds > 12 and small.make(*waiting_for_more[0]) is ActionResult.BEGUN
        ):
            waiting_for_more.pop(0)
        return is_over(rehearsal, 1, small.robot)

    rehearsal.run(beside)
    faults = rehearsal.ledger.faults
    assert {fault.kind for fault in faults} >= {kind for _, kind in FIRST}
    for fault in faults:
        assert fault.solved in EXPECTED[fault.kind], fault
        if fault.solved not in {Solved.BY_ITSELF, Solved.GAME_OVER}:
            assert fault.reacted_s is not None
    assert hall.is_dead(dead)
    assert rehearsal.hall.places[2] is not dead
    report = Report(rehearsal)
    (said,) = report.verify()
    assert report.wrong == ()
    assert "each once, in order" in said
    pids = [small.processes.pid(name) for name in ("units", "station")]
    assert 0 < megabytes_of_all(pids[0]) < MOST_MB
    rehearsal.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
