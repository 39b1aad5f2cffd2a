"""Five players by the score system of 2003 in a real browser: each is Sheriff once, averages decide."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    choose_rules,
    draw_lots_if_tied,
    fill_law_wins,
    log_in,
    open_standings,
    press,
)

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")


def enter_game(page: Page) -> None:
    fill_law_wins(page, 1)
    for seat in range(1, 6):
        page.locator(f"input[name=turns-{seat}]").fill(str(10 - seat))
    press(page, "Show ending and winnings")
    expect(page.locator("table.sheet")).to_contain_text("$3,000")
    press(page, "Confirm the record sheet")


def test_five_players_play_five_games_and_their_average_is_published(page: Page) -> None:
    log_in(page)
    choose_rules(page, "official-2003")
    page.get_by_label("Name", exact=True).fill("Club night")
    press(page, "Open the tournament")
    page.get_by_role("link", name="Players").first.click()
    for name in NAMES:
        page.get_by_label("Name", exact=True).first.fill(name)
        press(page, "Add")
    for game in range(1, 6):
        page.get_by_role("link", name="Draw").first.click()
        expect(page.get_by_text("still to come")).to_have_count(1)
        press(page, f"Seal the draw: Game {game}")
        press(page, "Draw tables and Sheriffs")
        press(page, "Publish to the tables")
        enter_game(page)
    open_standings(page)
    expect(page.locator("table.ranking")).to_contain_text("Average")
    while page.get_by_text("a one-on-one game instead").count():
        with page.expect_navigation():
            page.locator("button[name=winner]").first.click()
    draw_lots_if_tied(page)
    press(page, "Publish the ranking")
    for name in NAMES:
        expect(page.locator("table.ranking")).to_contain_text(name)
