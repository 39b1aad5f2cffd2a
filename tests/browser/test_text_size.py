"""The floor on a phone, and pages with the larger text that people set in their browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import begin_round, confirm_law_wins, press

pytestmark = pytest.mark.browser

CUT = """
[...document.querySelectorAll(".floor-head, .floor-head > *, .hall > nav > *")].filter(one =>
  one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth
).map(one => one.textContent)
"""
SIZES = """
Object.fromEntries(["body", ".floor li", ".button", ".main-menu a", "input"].map(
  one => [one, parseFloat(getComputedStyle(document.querySelector(one)).fontSize)]))
"""
OUTSIDE = """
[...document.querySelectorAll(".sign > *, .floor-head > *, .floor > *")].filter(one =>
  one.getBoundingClientRect().right > innerWidth).map(one => one.textContent)
"""


def test_the_floor_leads_to_the_next_draw_and_shows_its_buttons_whole_on_a_phone(
    page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path, rounds=2)
    confirm_law_wins(page, 1, 2)
    page.get_by_role("link", name="Hall", exact=True).click()
    page.get_by_role("link", name="Draw: Round 2").click()
    press(page, "Seal the draw: Round 2")
    expect(page.get_by_label("A word called out by someone in the hall")).to_be_focused()
    press(page, "Draw tables and Sheriffs")
    press(page, "Publish to the tables")
    page.set_viewport_size({"width": 390, "height": 844})
    for language in ("Deutsch", "Italiano"):
        page.locator(".account summary").click()
        press(page, language)
        expect(page.locator(".live.on")).to_be_attached()
        page.wait_for_timeout(500)
        assert page.evaluate(CUT) == []
        rounds = [one.bounding_box() for one in page.locator(".hall > nav a").all()]
        assert len({box and box["y"] for box in rounds}) == 1
        first = page.locator(".floor .slot").first.bounding_box()
        assert first is not None
        assert first["y"] <= 250


def test_a_larger_text_of_the_browser_enlarges_all_that_one_reads(floor: Page) -> None:
    before = floor.evaluate(SIZES)
    fonts = floor.context.new_cdp_session(floor)
    fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    floor.reload()
    expect(floor.locator(".live.on")).to_be_attached()
    after = floor.evaluate(SIZES)
    assert all(after[one] >= 1.8 * before[one] for one in before), (before, after)
    assert floor.evaluate(OUTSIDE) == []
    name = floor.locator(".crumb").first.bounding_box()
    assert name is not None
    assert name["width"] > 50
