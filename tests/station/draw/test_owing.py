"""The pages about tables with missing entries, and a judge who goes on without them."""

from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station


def test_the_floor_says_what_tables_owe_and_how_long_ago_they_spoke(station: Station, judge: Browser) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    station.connects(terminal.id, owes=14)
    assert "14 entries not received" in judge.get(f"/judge/t/{OPEN}/floor")

    async def _gone() -> None:
        station.switchboard.link_changed(terminal.id, wire=None)

    station.run(_gone())
    station.clock.passed_ms += 12_000
    page = judge.get(f"/judge/t/{OPEN}/floor")
    assert 'data-age="12.0"' in page
    assert "12 s ago" in page
    assert "unknown while it's disconnected, at least 14" in page
    assert "at least 14" in judge.get("/judge/terminals")


def test_the_draw_page_warns_of_tables_that_owe_and_takes_a_reason(station: Station, judge: Browser) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.plays_round()
    terminal.seats()
    station.connects(terminal.id, owes=2)
    judge.post(f"/judge/t/{OPEN}/draw/seal")
    page = judge.get(f"/judge/t/{OPEN}/draw")
    assert "Entries missing from some tables" in page
    assert "2 entries not received" in page
    refused = judge.post(f"/judge/t/{OPEN}/draw/make", hall_word="cactus")
    assert "hasn't received all entries from these tables: 1" in refused
    judge.post(f"/judge/t/{OPEN}/draw/without", reason="its card broke")
    assert "Entries missing from some tables" not in judge.get(f"/judge/t/{OPEN}/draw")
    assert "missing entries of tables 1: its card broke" in judge.get(f"/judge/t/{OPEN}/history")
