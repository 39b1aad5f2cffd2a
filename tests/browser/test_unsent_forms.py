"""A form that is sent while the station is away: the page keeps it, and sends it once the station answers."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from demo.processes import Processes
from tests.browser.conftest import begin_round, choose, log_in, press

pytestmark = pytest.mark.browser
UNSENT = "Not sent yet: the station doesn't answer. Trying again …"


@pytest.fixture
def sheet(page: Page, station: Hall, tmp_path: Path) -> str:
    """The address of the record sheet of table 1, on which the page is."""
    log_in(page)
    begin_round(page, "Away", tmp_path)
    tournament = re.findall(r"/judge/t/([^/]+)", page.url)[0]
    address = f"/judge/t/{tournament}/tables/1/1/sheet"
    page.goto(address)
    return address


def fill(page: Page) -> None:
    for seat, role in enumerate(("outlaw", "deputy", "outlaw"), 2):
        choose(page, f"role-{seat}", role)
    choose(page, "out-1", "1")
    choose(page, "by-1", "2")


@pytest.mark.nightly
def test_a_sheet_is_kept_and_sent_once_the_station_is_back(
    page: Page, sheet: str, station: Hall, processes: Processes
) -> None:
    fill(page)
    processes.kill("station")
    press(page, "Show ending and winnings")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    expect(page.locator("[name=out-1][value='1']")).to_be_checked()
    page.goto("about:blank")
    station.restart_station()
    for _ in range(60):
        try:
            page.goto(f"{station.http}{sheet}")
            break
        except Exception:  # noqa: BLE001 (the station is starting)
            page.wait_for_timeout(500)
    expect(page.get_by_text("What you typed has been restored.")).to_be_visible()
    expect(page.locator("[name=role-5][value=renegade]")).to_be_checked()
    processes.kill("station")
    press(page, "Show ending and winnings")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    station.restart_station()
    expect(page.get_by_role("heading", name="Is this right?")).to_be_visible(timeout=60_000)
    press(page, "Confirm the record sheet")
    expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft')).length") == 0


def test_another_form_waits_for_the_station_too(page: Page, station: Hall, processes: Processes) -> None:
    log_in(page)
    page.goto("/judge/messages")
    expect(page.locator(".live.on")).to_be_visible()
    page.locator("textarea").fill("Lunch at one")
    processes.kill("station")
    expect(page.locator(".live.off")).to_be_visible(timeout=20_000)
    press(page, "Send")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    station.restart_station()
    expect(page.get_by_text(UNSENT)).to_be_hidden(timeout=60_000)
    expect(page.locator("[data-refused], .notice.good")).to_be_visible()
