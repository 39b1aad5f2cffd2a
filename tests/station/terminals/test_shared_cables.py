"""Terminals on a shared pair of wires, as the judge's pages show them."""

from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station


def test_a_table_on_a_shared_cable_says_so_on_both_pages(station: Station, judge: Browser) -> None:
    terminal = station.running_round()
    station.on_loop(lambda: station.switchboard.link_changed(terminal.id, wire="bus"))
    for page in (judge.get("/judge/terminals"), judge.get(f"/judge/t/{OPEN}/floor")):
        assert "shared cable" in page
        assert "icons.svg#pair" in page


def test_a_shared_cable_that_is_not_well_is_told_of_until_it_is(station: Station, judge: Browser) -> None:
    def page_after(problem: str) -> str:
        station.on_loop(lambda: station.switchboard.bus_alarm("/dev/ttyUSB0", problem))
        return judge.get("/judge/terminals")

    assert "Shared cable" not in judge.get("/judge/terminals")
    page = page_after("a terminal is jamming the shared cable; suspects: 00112233")
    assert "Shared cable /dev/ttyUSB0:" in page
    assert "suspects: 00112233" in page
    assert "is jamming" not in page_after("no room for terminal 44")
    assert "Shared cable" not in page_after("")
