"""A judge types slowly into a record sheet, and each key stays in its field."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import (
    begin_round,
    choose,
    draw_lots_if_tied,
    fill_law_wins,
    open_floor,
    open_standings,
    press,
)

pytestmark = pytest.mark.browser

CHARACTERS = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")


def type_slowly(field: Locator, text: str) -> None:
    """Leave time after each key for the summary of what is typed so far."""
    field.press("Control+A")
    field.press_sequentially(text, delay=600)
    field.page.wait_for_timeout(600)
    expect(field).to_have_value(text)


def test_prices_corrections_and_scores_are_typed_as_slowly_as_one_likes(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Slow", tmp_path, edition="championship-2010")
    for table in (1, 2):
        fill_law_wins(page, table)
        for seat, character in enumerate(CHARACTERS, 1):
            page.locator(f"select[name=character-{seat}]").select_option(character)
        for seat in range(1, 5):
            page.locator(f"input[name=price-{seat}]").fill("0")
        type_slowly(page.locator(".sheet-form [name=price-5]"), "1000")
        expect(page.locator("#check")).to_contain_text("$1,000")
        press(page, "Confirm the record sheet")

    open_floor(page)
    page.get_by_role("link", name="Table 1", exact=True).click()
    page.get_by_role("link", name="Correct the record sheet").click()
    type_slowly(page.locator(".sheet-form [name=price-4]"), "1000")
    expect(page.get_by_label("Reason for the correction")).to_have_value("")
    # Enter leads to the reason, and only a reason and Enter confirm.
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reason for the correction")).to_be_focused()
    page.keyboard.type("misread")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Corrected: misread")

    open_standings(page)
    draw_lots_if_tied(page)
    page.get_by_role("link", name="Finals").first.click()
    press(page, "Publish the ranking of the rounds")
    page.get_by_label("Short duel").check()
    press(page, "Call the semifinalists")
    page.get_by_role("link", name="Finals").first.click()
    page.get_by_role("link", name="Enter the result from paper").first.click()
    scores = page.get_by_label("Eliminated by")
    expect(scores.first).to_be_focused()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(scores.last).to_be_focused()
    page.keyboard.type("7", delay=600)
    page.wait_for_timeout(600)
    expect(page.locator("#check")).to_contain_text("wins")
    expect(scores.last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Confirm the record sheet")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("8:7")


def test_the_player_who_shot_the_sheriff_is_typed_after_the_game_is_over(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Slow", tmp_path)
    page.get_by_role("link", name="Table 1", exact=True).click()
    page.get_by_role("link", name="Enter the result from paper").click()
    expect(page.locator("[name=role-2]").first).to_be_focused()
    page.keyboard.type("odo" + "1")
    expect(page.locator("#check")).to_contain_text("The Outlaws win")
    page.wait_for_timeout(600)
    page.keyboard.press("5")
    expect(page.locator("[name=by-1][value='5']")).to_be_checked()
    # A digit too many on the way to the button changes nothing, and the summary has the answer.
    expect(page.locator("#check")).to_contain_text("by Player")
    choose(page, "by-1", "4")
    expect(page.locator("#check")).to_contain_text("by Player")
