"""The routes of a terminal to its station, and the connector that takes them."""

from pathlib import Path

import pytest

from kiosk.terminal.startup.screen import find_connected_card, wait_for_card
from kiosk.terminal.startup.station_connection import rs485_route
from sync.ports.bus_port import BusPort
from sync.protocol.entry import TerminalId
from sync.terminal.routes import RouteSource


@pytest.mark.parametrize(
    ("connectors", "card"),
    [
        ({}, None),
        ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "connected"}, 1),
        ({"card0-DSI-1": "connected", "card1-HDMI-A-1": "disconnected"}, 0),
        ({"card0-HDMI-A-1": "connected", "card1-DSI-1": "connected"}, 1),
        ({"card1-HDMI-A-2": "connected", "card0-HDMI-A-1": "connected"}, 0),
        ({"card0-Virtual-1": "connected", "card10-eDP-1": "connected"}, 10),
        ({"card0-Writeback-1": "unknown", "card0-HDMI-A-1": "disconnected"}, None),
    ],
)
def test_the_card_is_the_one_that_a_screen_hangs_on(
    tmp_path: Path, connectors: dict[str, str], card: int | None
) -> None:
    for other in ("card0", "card1", "renderD128", "version"):
        (tmp_path / other).mkdir()
    for name, status in connectors.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status + "\n")
    assert find_connected_card(tmp_path) == card


def test_a_machine_without_graphics_has_none(tmp_path: Path) -> None:
    assert find_connected_card(tmp_path / "drm") is None


class Start:
    """A starting board, to which the graphics card appears at some time or never. Sleeping advances time."""

    def __init__(self, root: Path, card: str, connector: str, at_s: float) -> None:
        self.now_s = 0.0
        self.at_s = at_s
        self.card, self.connector = card, connector
        self.cards, self.devices = root / "drm", root / "dri"
        self.cards.mkdir()
        self.devices.mkdir()

    def clock_s(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        if self.now_s >= self.at_s:
            (self.cards / self.connector).mkdir(exist_ok=True)
            (self.devices / self.card).touch()

    def waits(self, within_s: float) -> bool:
        return wait_for_card(within_s, self.cards, self.devices, clock_s=self.clock_s, sleep=self.sleep)


def test_a_card_is_waited_for_until_it_is_handed_over(tmp_path: Path) -> None:
    start = Start(tmp_path, "card1", "card1-HDMI-A-1", at_s=3)
    assert start.waits(60)
    assert 3 <= start.now_s < 3.1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "connector", "at_s"),
    [("card0", "card0-HDMI-A-1", 99), ("card0", "version", 1), ("card1", "card0-HDMI-A-1", 1)],
    ids=["late", "without connectors", "another one's"],
)
def test_without_a_card_the_start_goes_on_when_the_time_is_over(
    tmp_path: Path, card: str, connector: str, at_s: float
) -> None:
    start = Start(tmp_path, card, connector, at_s)
    assert not start.waits(60)
    assert 60 <= start.now_s < 60.1


def test_nobody_waits_unless_told_to(tmp_path: Path) -> None:
    start = Start(tmp_path, "card0", "card0-HDMI-A-1", at_s=0)
    assert not start.waits(0)
    assert start.now_s == 0


def test_a_shared_pair_is_a_cable_that_keeps_its_port() -> None:
    way = rs485_route("/dev/ttyUSB0", TerminalId("0123456789abcdef" * 2), rts=False)
    assert (way.name, way.source) == ("bus /dev/ttyUSB0", RouteSource.CABLE)
    port = way.port()
    assert isinstance(port, BusPort)
    # The station's instruction to this unit must outlive a connection.
    assert way.port() is port
