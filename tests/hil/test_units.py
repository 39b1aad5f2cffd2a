"""Many whole terminals from one program, each a process that can lose its power alone."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.errors import Unavailable
from demo.processes import free_port, poll_until_timeout
from kiosk.rehearsal.terminal_client import TerminalClient
from kiosk.rehearsal.unit_orders import EndUnit, KillUnit, StartUnit, UnitEnded, UnitOrder

pytestmark = pytest.mark.hil


class UnitsAtWork:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.program = subprocess.Popen(
            [sys.executable, "-m", "kiosk.rehearsal.units"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def order(self, order: UnitOrder) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(msgspec.json.encode(order) + b"\n")
        self.program.stdin.flush()

    def start(self, name: str) -> TerminalClient:
        port = free_port()
        arguments = ("--data", str(self._directory / name), "--virtual", str(port))
        self.order(StartUnit(name, arguments, str(self._directory / f"{name}.log")))
        door = TerminalClient(f"http://127.0.0.1:{port}")
        for _ in poll_until_timeout(20):
            with contextlib.suppress(Unavailable):
                door.see()
                break
        return door

    def ended(self) -> UnitEnded:
        assert self.program.stdout is not None
        return msgspec.json.decode(self.program.stdout.readline(), type=UnitEnded)

    def children(self) -> list[str]:
        pid = self.program.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


@pytest.fixture
def units(tmp_path: Path) -> Iterator[UnitsAtWork]:
    at_work = UnitsAtWork(tmp_path)
    with at_work.program:
        yield at_work
        # Leaving the block closes the program's input, and it ends.


def test_a_unit_loses_its_power_alone_and_comes_back_as_the_same_terminal(units: UnitsAtWork) -> None:
    first, second = units.start("one"), units.start("two")
    assert first.see().scene == second.see().scene == "enrol"
    units.order(KillUnit("one"))
    assert units.ended() == UnitEnded("one", -9)
    with pytest.raises(Unavailable):
        first.see()
    assert second.see().scene == "enrol"
    assert units.start("one").see().scene == "enrol"
    units.order(EndUnit("two"))
    assert units.ended() == UnitEnded("two", 0)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("is_killed", [False, True])
def test_no_unit_outlives_the_program(units: UnitsAtWork, *, is_killed: bool) -> None:
    units.start("one")
    (unit,) = units.children()
    assert units.program.stdin is not None
    if is_killed:
        units.program.kill()
    else:
        units.program.stdin.close()
    units.program.wait(20)
    for _ in poll_until_timeout(10):
        if not Path(f"/proc/{unit}/cwd").exists():
            break
