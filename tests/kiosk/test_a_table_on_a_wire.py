"""The virtual table connected to a real hub: entries arrive at the station once and in order."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.clock import SystemClock
from core.game.events import GameStep
from core.game.orders import AssignTable, ConfirmFromStation
from core.game.state.game import Phase
from core.game.timeline import fold
from core.terms import GameId
from demo.shaped_line import ShapedLine
from kiosk.rehearsal.brain import Brain
from sync.ports.link_port import LinkPort
from sync.ports.serial import BAUD, SerialPort
from sync.terminal.agent_contract import LinkPhase
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import TABLE, play, seat_game
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging, VirtualTable
from tests.kiosk.rig.wires import by_serial, by_tls, wait_until
from tests.rigs.ends import Station


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    yield made
    made.stop()


def all_received(table: VirtualTable) -> bool:
    delivery = table.view.delivery
    return delivery.received == delivery.entered


def played_at(table: VirtualTable, station: Station) -> None:
    """Play a game from the hub's order to its confirmation by the hub, with a power cut in between."""
    wait_until(table, lambda: table.view.delivery.link is LinkPhase.CONNECTED)
    for order in (AssignTable(TABLE, CHEAP_PIN), seat_game()):
        station.give_order(table.name, msgspec.msgpack.encode(order))
    wait_until(table, lambda: table.scene() == "seating")
    play(table, Brain(1), until=lambda game: game.turns >= 3)
    table.restart()
    play(table, Brain(1), until=lambda game: game.turns >= 6 or game.phase is not Phase.PLAYING)
    wait_until(table, lambda: all_received(table))
    station.give_order(table.name, msgspec.msgpack.encode(ConfirmFromStation(GameId("g1"))))
    wait_until(table, lambda: table.scene() == "confirmed")
    wait_until(table, lambda: all_received(table))
    steps = [msgspec.msgpack.decode(body, type=GameStep) for body in station.raws(table.name)]
    timeline = fold(steps)
    assert timeline is not None
    assert timeline.state == table.game
    assert len(steps) == len(table.entries())
    assert not station.quarantine


@pytest.mark.slow
def test_over_tls(make_table: MakeTable, station: Station) -> None:
    station.start()
    played_at(make_table(Rigging(carrier=by_tls(station))), station)


@pytest.mark.slow
def test_over_a_serial_line(make_table: MakeTable, station: Station, tmp_path: Path) -> None:
    ends = tmp_path / "terminal-end", tmp_path / "station-end"

    def at_station() -> LinkPort:
        return LinkPort(SerialPort(str(ends[1]), BAUD), SystemClock().monotonic_ms, baud=BAUD)

    with ShapedLine(*ends):
        station.start(serial=((str(ends[1]), at_station),))
        played_at(make_table(Rigging(carrier=by_serial(station, ends[0]))), station)
