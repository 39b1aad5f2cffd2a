"""Real agents and a real hub over a serial line that flips bits and is pulled."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from demo.shaped_line import ShapedLine
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.ports.serial import SerialPort
from sync.terminal.agent_contract import OrderArrived
from sync.terminal.uplink import StationRoute
from tests.rigs.ends import Station, Terminal
from tests.sync.agents import CleanUp, bodies

BAUD = 921_600
"""A fast line, so that tests wait little; noise is counted by the bit."""


@pytest.mark.faults
@pytest.mark.parametrize("flips", [0.0, 1e-5])
def test_over_a_serial_line_a_terminal_enrols_sends_and_obeys(
    tmp_path: Path, clean_up: CleanUp, flips: float
) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD, flips=flips) as line:
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        terminal = Terminal(tmp_path / "t", station, ways=(StationRoute("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        said = bodies(150)
        try:
            for body in said:
                terminal.agent.append(body)
            terminal.wait_received(150)
            station.give_order(terminal.id, b"\x0a")
            terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
            assert station.links[-1] == (terminal.id, "serial")
            assert station.raws(terminal.id) == tuple(said)
            assert min(line.bytes_carried()) > 1_000
            counted = station.hub.counters(terminal.id)
            assert counted is not None
            assert counted.is_up
            assert counted.bytes_delivered > 150
        finally:
            terminal.agent.stop()
            station.stop()


@pytest.mark.faults
def test_a_pulled_and_replugged_cable_loses_nothing(tmp_path: Path, clean_up: CleanUp) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD) as line:
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        terminal = Terminal(tmp_path / "t", station, ways=(StationRoute("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        try:
            terminal.agent.append(b"\x01")
            terminal.wait_received(1)
            line.cut()
            terminal.agent.append(b"\x02")
            terminal.wait_saved(2)
            line.join()
            terminal.wait_received(2)
            assert station.raws(terminal.id) == (b"\x01", b"\x02")
        finally:
            terminal.agent.stop()
            station.stop()


@pytest.mark.faults
def test_junk_on_the_cable_is_counted_and_the_terminal_still_comes(tmp_path: Path, clean_up: CleanUp) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD):
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        stranger = SerialPort(str(tmp_path / "a"), BAUD)
        stranger.open()
        chance = random.Random(9)
        for _ in range(40):
            stranger.write(chance.randbytes(512))
            time.sleep(0.005)
        stranger.close()
        terminal = Terminal(tmp_path / "t", station, ways=(StationRoute("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        try:
            terminal.agent.append(b"\x01")
            terminal.wait_received(1)
        finally:
            terminal.agent.stop()
            station.stop()


def serial(path: Path) -> Callable[[], StreamPort]:
    return lambda: LinkPort(SerialPort(str(path), BAUD), now_ms, baud=BAUD)


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
