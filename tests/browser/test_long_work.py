"""Work of more than a second in a real browser: it shows what is left, waits aside, and opens by itself."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup, press

pytestmark = pytest.mark.browser

PROGRESS = re.compile(r"/judge/tasks/\w+$")


@pytest.fixture
def badges(page: Page, station: Hall) -> str:
    """The preview of the badges of 500 players, which no computer makes in a second."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, [f"Wanda Lastname{number:04}" for number in range(500)])
        log_in(page)
        return f"/judge/t/{judge.tournament}/print?paper=badges"


def test_a_long_printout_opens_by_itself_when_it_is_ready(page: Page, badges: str) -> None:
    page.goto(badges)
    expect(page).to_have_url(PROGRESS)
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("heading", name="Badges · Spring Cup")).to_be_visible()
    expect(page.get_by_text("50 pages")).to_be_visible(timeout=120_000)
    page.go_back()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_a_judge_works_on_meanwhile_and_cancels_what_nobody_needs(page: Page, badges: str) -> None:
    page.goto(badges)
    expect(page).to_have_url(PROGRESS)
    page.goto("/judge/terminals")
    page.get_by_role("link", name="Badges · Spring Cup", exact=True).click()
    press(page, "Cancel")
    expect(page.get_by_text("Cancelled: Badges · Spring Cup")).to_be_visible()
    page.goto(badges.replace("?paper=badges", "/badges/file"))
    expect(page).to_have_url(PROGRESS)
    page.goto("/judge/terminals")
    page.get_by_label("Address for phones").fill("https://192.0.2.1")
    opened = page.get_by_role("link", name="Open: Badges · Spring Cup")
    expect(opened).to_be_visible(timeout=120_000)
    expect(page.get_by_label("Address for phones")).to_have_value("https://192.0.2.1")


def test_a_large_upload_shows_how_much_is_sent_and_then_what_became_of_it(page: Page, tmp_path: Path) -> None:
    log_in(page)
    page.goto("/judge/updates")
    file = tmp_path / "saloon-terminal.saloon"
    file.write_bytes(b"no bundle" * 1_000_000)
    page.get_by_label("Bundle from the maintainers").set_input_files(file)
    press(page, "Check and store")
    expect(page.get_by_role("alert")).to_contain_text("saloon-terminal.saloon")
    expect(page).to_have_url(re.compile("/judge/updates$"))
