"""A judge who changes their mind in a real browser, whose forms send line ends in their own way."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import log_in, open_players, press
from tests.station.tournaments.test_opening import HOUSE

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_house_rules_survive_every_page_on_the_way(page: Page, tmp_path: Path) -> None:
    log_in(page)
    open_players(page, "Sunday")
    page.get_by_label("Name", exact=True).fill("Zoë")
    press(page, "Add")
    page.get_by_role("link", name="What's next").click()
    page.get_by_role("link", name="Change the rules").click()
    rules = tmp_path / "cup.toml"
    rules.write_text(HOUSE, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(rules)
    press(page, "Preview these rules")
    page.get_by_label("Time limit per round").fill("45")
    press(page, "Show what changes")
    expect(page.get_by_role("row", name=re.compile("^Time limit"))).to_contain_text("45 minutes")
    press(page, "Adjust the options")
    expect(page.get_by_label("Time limit per round")).to_have_value("45")
    page.get_by_label("Time limit per round").fill("50")
    press(page, "Show what changes")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change these rules?")
    press(page, "Change the rules")
    expect(page.locator("main")).to_contain_text("Cup of the Saloon")
    page.get_by_role("link", name="Change the rules").click()
    page.get_by_role("link", name="Adjust the options").click()
    expect(page.get_by_label("Time limit per round")).to_have_value("50")
    press(page, "Show what changes")
    expect(page.get_by_role("alert")).to_contain_text("has these rules already")

    pack = tmp_path / "pack.jsonl"
    page.goto(page.url.partition("/change-rules")[0])
    page.get_by_role("link", name="Proof pack").first.click()
    with page.expect_download() as download:
        page.locator("a[href$='/export']").click()
    download.value.save_as(pack)
    page.goto("/judge/new")
    page.locator("#file input[type=file]").set_input_files(pack)
    page.locator("#file button").click()
    expect(page.get_by_label("1 player")).to_be_checked()
    press(page, "Open the tournament")
    page.get_by_role("link", name="Players").first.click()
    expect(page.locator("tbody tr")).to_contain_text("Zoë")


def test_another_edition_is_three_clicks_away(page: Page) -> None:
    log_in(page)
    open_players(page, "Sunday")
    page.get_by_label("Name", exact=True).fill("Zoë")
    press(page, "Add")
    page.get_by_role("link", name="What's next").click()
    page.get_by_role("link", name="Change the rules").click()
    expect(page.get_by_label("How many players do you expect?")).to_have_value("1")
    page.locator(".edition", has_text="Italian championship rules of 2010").locator("a.main").click()
    expect(page.get_by_role("row", name=re.compile("^Rules"))).to_contain_text("BANG! Championship 2010")
    press(page, "Change the rules")
    expect(page.locator(".notice.good")).to_contain_text("The rules have been changed.")
    page.get_by_role("link", name="Change the rules").click()
    expect(page.locator(".edition", has_text="chosen now")).to_contain_text("BANG! Championship 2010")
