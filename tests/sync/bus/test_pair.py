"""Real agents with TLS and a real hub on one shaped pair of ptys."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from base.clock import SystemClock
from demo.shaped_bus import ShapedBus
from sync.bus.timing import BusTiming
from sync.ports.bus_port import BusPort
from sync.ports.port import StreamPort
from sync.ports.serial import SerialPort
from sync.station.bus import StationBus
from sync.terminal.agent_contract import LinkPhase
from sync.terminal.routes import StationRoute
from tests.rigs.ends import Station, Terminal, bodies

now_ms = SystemClock().monotonic_ms

BAUD = 921_600
"""A fast pair, to keep tests short."""
TIMING = BusTiming(baud=BAUD, hold_ms=4, reaction_ms=60)
"""The terminals of a test share one process, which makes their answers late."""
PATIENCE_S = 120.0


class Tables:
    """A station and terminals on one pair of wires. Place 0 is the station's."""

    def __init__(self, directory: Path, count: int, stack: ExitStack) -> None:
        self.directory = directory
        self.paths = [directory / f"end-{number}" for number in range(count + 1)]
        self.pair = stack.enter_context(ShapedBus(self.paths, baud=BAUD))
        self.station = Station(directory)
        self.terminals = [self._terminal(number) for number in range(1, count + 1)]
        self._stack = stack
        self.station.start(pairs=[self.station_end])
        stack.callback(self.stop_station)

    def station_end(self) -> StationBus:
        return StationBus("pair", SerialPort(str(self.paths[0]), BAUD, ahead=4_096), TIMING, now_ms)

    def stop_station(self) -> None:
        self.station.stop()

    def restart_station(self) -> None:
        former = self.station
        former.stop()
        self.station = Station(self.directory, former)
        self.station.start(pairs=[self.station_end])

    def start(self) -> None:
        for terminal in self.terminals:
            terminal.agent.start()
            self._stack.callback(terminal.agent.stop)

    def append(self, *bodies: bytes, at: Sequence[Terminal] = ()) -> None:
        """Append entries at all terminals or at these, in turn."""
        for body in bodies:
            for terminal in at or self.terminals:
                terminal.agent.append(body)

    def wait_connected(self) -> None:
        for terminal in self.terminals:
            terminal.wait_phase(LinkPhase.CONNECTED)

    def wait_all_received(self, terminals: list[Terminal], bodies: list[bytes]) -> None:
        end = time.monotonic() + PATIENCE_S
        while late := [i for i, one in enumerate(terminals) if self.station.raws(one.id) != tuple(bodies)]:
            assert time.monotonic() < end, late
            time.sleep(0.05)

    def _terminal(self, number: int) -> Terminal:
        def make() -> StreamPort:
            port = SerialPort(str(self.paths[number]), BAUD, ahead=4_096)
            return BusPort(port, b"unit" + bytes([number]), now_ms, baud=BAUD)

        directory = self.directory / f"t{number}"
        # Most are enrolled already; the first two have their tokens still.
        token = f"token-{number}" if number <= 2 else ""
        terminal = Terminal(directory, self.station, token=token, ways=(StationRoute("pair", make),))
        if token:
            self.station.tokens.add(token)
        else:
            self.station.known[terminal.id] = (directory / "certificate.pem").read_text()
        return terminal


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[[int], Tables]]:
    with ExitStack() as stack:
        yield lambda count: Tables(tmp_path, count, stack)


@pytest.mark.slow
@pytest.mark.parametrize("count", [6, pytest.param(16, marks=(pytest.mark.faults, pytest.mark.nightly))])
def test_all_terminals_on_one_pair_send_all_they_have(tables: Callable[[int], Tables], count: int) -> None:
    hall, said = tables(count), bodies(20)
    hall.start()
    hall.append(*said)
    hall.wait_all_received(hall.terminals, said)
    assert {wire for _, wire in hall.station.links if wire} == {"bus"}
    hall.station.give_order(hall.terminals[5].id, b"\xa2hi")
    assert hall.station.alarms == []
    assert hall.station.bus_alarms == []


@pytest.mark.slow
def test_nothing_is_lost_when_a_terminal_is_unplugged_and_when_the_station_starts_again(
    tables: Callable[[int], Tables],
) -> None:
    hall, said = tables(4), bodies(60)
    hall.start()
    hall.wait_connected()
    hall.append(*said[:20])
    hall.pair.unplug(1)
    hall.append(*said[20:40])
    hall.wait_all_received(hall.terminals[1:], said[:40])
    hall.pair.plug(1)
    hall.wait_all_received(hall.terminals, said[:40])
    hall.append(*said[40:50])
    hall.restart_station()
    hall.append(*said[50:])
    hall.wait_all_received(hall.terminals, said)
    assert hall.station.alarms == []


@pytest.mark.nightly
@pytest.mark.faults
def test_a_transceiver_that_jams_the_pair_is_reported_and_all_goes_on_when_it_is_unplugged(
    tables: Callable[[int], Tables],
) -> None:
    hall, said = tables(4), bodies(20)
    hall.start()
    hall.wait_connected()
    hall.pair.babble(4, on=True)
    hall.append(*said)
    hall.station.wait_for(lambda: any("jamming" in problem for _, problem in hall.station.bus_alarms))
    hall.pair.unplug(4)
    hall.wait_all_received(hall.terminals[:3], said)
    hall.station.wait_for(lambda: hall.station.bus_alarms[-1] == ("pair", ""))
    hall.pair.plug(4)
    hall.wait_all_received(hall.terminals, said)


@pytest.mark.faults
def test_a_program_that_speaks_out_of_turn_is_named_while_the_others_go_on(
    tables: Callable[[int], Tables],
) -> None:
    hall, said = tables(4), bodies(20)
    hall.start()
    hall.wait_connected()
    babbler, others = hall.terminals[3], hall.terminals[:3]
    over = threading.Event()

    def babble() -> None:
        # Its device is its own, so the bytes come from outside its port, as from a broken driver.
        end = os.open(hall.paths[4], os.O_WRONLY | os.O_NOCTTY)
        while not over.wait(0.02):
            os.write(end, os.urandom(8))
        os.close(end)

    thread = threading.Thread(target=babble)
    thread.start()
    try:
        hall.append(*said, at=others)
        hall.wait_all_received(others, said)
        hall.station.wait_for(lambda: bool(hall.station.bus_alarms or hall.station.alarms))
    finally:
        over.set()
        thread.join()
    babbler.agent.append(said[0])
    hall.wait_all_received([babbler], said[:1])
