"""Real agents and a real hub over a serial line that flips bits and is unplugged."""

import random
import time
from pathlib import Path

import pytest

from demo.shaped_line import ShapedLine
from sync.ports.serial import SerialPort
from sync.terminal.agent_contract import OrderArrived
from sync.terminal.routes import StationRoute
from tests.rigs.ends import BAUD, Start, Station, Terminal, bodies, serial

pytestmark = pytest.mark.faults


def wired_terminal(tmp_path: Path, station: Station) -> Terminal:
    return Terminal(tmp_path / "t", station, ways=(StationRoute("serial", lambda: serial(tmp_path / "a")),))


@pytest.mark.parametrize("line", [0.0, 1e-5], indirect=True)
def test_over_a_serial_line_a_terminal_enrols_sends_and_obeys(
    line: ShapedLine, wired: Station, tmp_path: Path, started: Start
) -> None:
    terminal, said = started(wired_terminal(tmp_path, wired)), bodies(150)
    for body in said:
        terminal.agent.append(body)
    terminal.wait_received(150)
    wired.give_order(terminal.id, b"\x0a")
    terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    assert wired.links[-1] == (terminal.id, "serial")
    assert wired.raws(terminal.id) == tuple(said)
    assert min(line.bytes_carried()) > 1_000
    counted = wired.hub.counters(terminal.id)
    assert counted is not None
    assert counted.is_up
    assert counted.bytes_delivered > 150


def test_a_pulled_and_replugged_cable_loses_nothing(
    line: ShapedLine, wired: Station, tmp_path: Path, started: Start
) -> None:
    terminal = started(wired_terminal(tmp_path, wired))
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
    line.cut()
    terminal.agent.append(b"\x02")
    terminal.wait_saved(2)
    line.join()
    terminal.wait_received(2)
    assert wired.raws(terminal.id) == (b"\x01", b"\x02")


def test_junk_on_the_cable_is_counted_and_the_terminal_still_comes(
    wired: Station, tmp_path: Path, started: Start
) -> None:
    stranger = SerialPort(str(tmp_path / "a"), BAUD)
    stranger.open()
    chance = random.Random(9)
    for _ in range(40):
        stranger.write(chance.randbytes(512))
        time.sleep(0.005)
    stranger.close()
    terminal = started(wired_terminal(tmp_path, wired))
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
