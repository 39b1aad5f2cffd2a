"""The list of players: found, sorted and opened."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import begin_round, choose_rules, log_in, press, register

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def test_a_player_is_found_sorted_and_renamed(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Open", tmp_path)
    page.get_by_role("link", name="Players").first.click()
    rows = page.locator("table.players tbody tr:visible")
    expect(rows).to_have_count(10)
    page.get_by_role("button", name="Player", exact=True).click()
    expect(rows.first).to_contain_text("Player A")
    page.get_by_role("button", name="Player", exact=True).click()
    expect(rows.first).to_contain_text("Player J")
    find = page.get_by_role("searchbox", name="Find a player")
    find.fill("nobody")
    expect(page.get_by_text("No player matches.")).to_be_visible()
    find.fill("yer c")
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Player C").click()
    expect(page.get_by_role("link", name="Table")).to_have_count(1)
    page.get_by_label("Name", exact=True).fill("Carla")
    press(page, "Rename")
    expect(page.get_by_role("link", name="Carla")).to_be_visible()


def test_an_archived_tournament_shows_no_title_over_forms_that_it_hides(page: Page, tmp_path: Path) -> None:
    log_in(page)
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill("Given up")
    press(page, "Open the tournament")
    register(page, tmp_path)
    here = page.url.rpartition("/")[0]
    page.goto(here)
    page.locator("summary", has_text="Archive").click()
    press(page, "Archive Given up")
    page.goto(f"{here}/players")
    expect(page.get_by_text("Made a mistake?")).to_have_count(0)
    page.get_by_role("link", name="Player C").click()
    expect(page.locator("h2:visible")).to_have_text(["Tables", "Player's page"])
    page.goto(f"{here}/check-in")
    for title in ("What players can do themselves", "Another day"):
        expect(page.get_by_text(title, exact=True)).not_to_be_visible()
