"""A whole game at the real terminal, played through its door, with the power cut in the middle."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import argon2
import msgspec
import pytest

from base.errors import Unavailable
from core.game.events import GameStep
from core.game.orders import AssignTable
from core.game.state.game import Phase
from core.game.timeline import fold
from core.terms import TableNo
from demo.processes import free_port
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.terminal_client import TerminalClient
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.protocol.entry import StreamId, TerminalId
from tests.kiosk.rig.stand_ins import seat_order
from tests.rigs.ends import Station

pytestmark = [pytest.mark.hil, pytest.mark.faults]
PIN = "2019"
PATIENCE_S = 90.0


class Program:
    """``saloon-terminal --virtual``, that can lose its power."""

    def __init__(self, directory: Path, provisioning: Path) -> None:
        self._port = free_port()
        self.door = TerminalClient(f"http://127.0.0.1:{self._port}")
        self._log = directory / "terminal.log"
        self._command = [
            *(str(Path(sys.executable).with_name("saloon-terminal")), "--data", str(directory / "terminal")),
            *("--provisioning", str(provisioning), "--virtual", str(self._port), "--pins", "mock"),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.door.see()
            except Unavailable:
                assert self._process.poll() is None, self._log.read_text()
                assert time.monotonic() < end, self._log.read_text()
                time.sleep(0.05)
            else:
                return

    def end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_S)
            self._process = None


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def program(station: Station, tmp_path: Path) -> Iterator[Program]:
    part = StationPart(station.identity[1].read_text(), (f"127.0.0.1:{station.port}",))
    provisioning = tmp_path / "provisioning.toml"
    provisioning.write_text(provisioning_text(part, TableNo(3), "welcome"), encoding="utf-8")
    made = Program(tmp_path, provisioning)
    made.start()
    yield made
    made.end(signal.SIGTERM)


def seat(station: Station, terminal: TerminalId) -> None:
    hashed = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
    for order in (AssignTable(TableNo(3), hashed), seat_order()):
        station.give_order(terminal, msgspec.msgpack.encode(order))


def played(door: TerminalClient, brain: Brain, until: int | None) -> str:
    """Touch so often, or until the record sheet is confirmed; the scene at the end."""
    end = time.monotonic() + PATIENCE_S
    touches = 0
    while time.monotonic() < end:
        seen = door.see()
        if seen.scene == "confirmed" or touches == until:
            return seen.scene
        touch = brain.next_touch(seen)
        if touch is None:
            time.sleep(0.05)
            continue
        door.touch(touch)
        touches += 1
    pytest.fail(f"the game is not over: {door.see().scene}")


def steps_of(station: Station, terminal: TerminalId) -> tuple[GameStep, ...]:
    decoder = msgspec.msgpack.Decoder(GameStep)
    return tuple(decoder.decode(body) for body in station.raws(terminal))


def test_a_game_goes_on_after_the_power_was_cut_and_ends_at_the_station(
    station: Station, program: Program
) -> None:
    station.wait_for(lambda: bool(station.links))
    (terminal,) = station.known
    seat(station, terminal)
    station.wait_for(lambda: len(station.raws(terminal)) == 1)
    brain = Brain(7, PIN)
    played(program.door, brain, until=35)
    written = station.raws(terminal)
    before = program.door.see()
    program.end(signal.SIGKILL)
    program.start()
    after = program.door.see()
    assert after.scene == before.scene
    assert {target.id for target in after.targets} == {target.id for target in before.targets}
    assert played(program.door, brain, until=None) == "confirmed"
    station.wait_for(lambda: _is_confirmed(steps_of(station, terminal)))
    assert station.raws(terminal)[: len(written)] == written
    entries = station.store.entries(StreamId(f"table/{terminal}"), 0, 100_000)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert not station.quarantine
    assert not station.alarms


def _is_confirmed(steps: tuple[GameStep, ...]) -> bool:
    timeline = fold(steps)
    return timeline is not None and timeline.state.phase is Phase.CONFIRMED
