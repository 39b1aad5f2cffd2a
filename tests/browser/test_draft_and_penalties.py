"""A draft changed by hand after its effects were read, and a second warning that ejects after it said so."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import draft_round, press

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def test_two_players_are_swapped_by_hand_and_everybody_can_read_why(page: Page, tmp_path: Path) -> None:
    draft_round(page, "Open", tmp_path)
    seats = page.locator(".seats ol")
    first, second = (seats.nth(table).locator("li").nth(2).inner_text().strip() for table in (0, 1))
    page.get_by_text("Change by hand").click()
    page.locator("select[name=player]").select_option(label=first)
    page.locator("select[name=with]").select_option(label=second)
    press(page, "Which rules would this break?")
    expect(page.locator("main")).to_contain_text("Nothing has happened yet.")
    expect(page.locator("main")).to_contain_text("stay within the rules")
    page.get_by_label(re.compile("Reason")).fill("siblings")
    press(page, "Change the draft")
    expect(page.locator("main")).to_contain_text(f"{first} and {second} swapped: siblings")
    expect(seats.nth(0).locator("li").nth(2)).to_contain_text(second)
    press(page, "Publish to the tables")
    page.goto(re.sub(r"/judge(/t/[^/]+).*", r"\1/rounds/1/draw", page.url))
    expect(page.locator("main")).to_contain_text("Drawn, then changed by hand")
    expect(page.locator("main")).to_contain_text(f"{first} and {second} swapped: siblings")


def warns(page: Page, category: str, reason: str, button: str) -> None:
    """On *Players*: warn Player A."""
    page.get_by_role("link", name="Player A").click()
    page.get_by_role("link", name="Warn or eject").click()
    form = page.locator("section", has=page.get_by_role("heading", name="Warning", exact=True))
    form.get_by_label("Category").select_option(category)
    form.get_by_label("Reason for the warning").fill(reason)
    press(page, button)


def test_a_second_warning_ejects_only_after_a_page_that_says_so(page: Page, tmp_path: Path) -> None:
    draft_round(page, "Open", tmp_path)
    page.get_by_role("link", name="Players").click()
    warns(page, "slow-play", "five minutes a turn", "Warn")
    expect(page.locator("tr", has_text="Player A")).to_contain_text("Slow play: five minutes a turn")
    warns(page, "swearing", "swore at the judge", "Warn again and eject")
    expect(page.locator("h1")).to_have_text("This is the second warning: Player A will be ejected.")
    press(page, "Warn again and eject")
    expect(page.locator("tr", has_text="Player A")).to_contain_text("ejected")
    page.get_by_role("link", name="Report to the publisher").click()
    expect(page.locator("#report")).to_contain_text("Swearing or blasphemy (Championship 2022/23 v1.4, 2)")
    mail = page.get_by_role("link", name="Write the e-mail").get_attribute("href")
    assert mail is not None
    assert mail.startswith("mailto:")
    press(page, "Copy the text")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
