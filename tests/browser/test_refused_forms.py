"""Refused forms keep the text that was typed."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import log_in, open_players, press

pytestmark = pytest.mark.browser


def test_what_was_typed_is_there_again_but_no_password(page: Page) -> None:
    log_in(page)
    page.goto("/judge/terminals/cards")
    page.locator("[name=wifi-name]").fill("Hall")
    page.locator("[name=wifi-password]").fill("short")
    page.locator("[name=wifi-hidden]").check()
    page.locator("select[name=language]").select_option("it")
    page.get_by_text("Addresses and maintenance").click()
    page.locator("[name=addresses]").fill("10.0.0.7")
    press(page, "Save")
    expect(page.get_by_role("alert")).to_contain_text("8 to 63 English letters")
    expect(page.locator("[name=wifi-name]")).to_have_value("Hall")
    expect(page.locator("[name=wifi-password]")).to_have_value("")
    expect(page.locator("[name=wifi-hidden]")).to_be_checked()
    expect(page.locator("select[name=language]")).to_have_value("it")
    expect(page.locator("[name=addresses]")).to_be_visible()
    expect(page.locator("[name=addresses]")).to_have_value("10.0.0.7")
    page.reload()
    expect(page.locator("[name=wifi-name]")).to_have_value("")


@pytest.mark.nightly
def test_one_player_after_the_other_is_added_from_the_keyboard(page: Page) -> None:
    log_in(page)
    open_players(page, "Names")
    page.get_by_label("Name", exact=True).click()
    for name in ("Ada", "Bruno"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.locator("tbody tr").last).to_contain_text(name)
        expect(page.locator("p[role=status]")).to_contain_text("The player has been added")
        expect(page.get_by_label("Name", exact=True).first).to_be_focused()
