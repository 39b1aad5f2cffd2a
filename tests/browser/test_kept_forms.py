"""A long form whose login ends while it is typed, in a browser without scripts and in one with them."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall
from tests.browser.conftest import close_windows, log_in, open_players, open_window, press

pytestmark = pytest.mark.browser


def end_login(page: Page) -> None:
    """End the login of the page from another window."""
    press(open_window(page, "/judge/account"), "Log out everywhere")


def log_in_here(page: Page, password: str = JUDGE_PASSWORD) -> None:
    """Log in on the page that is open."""
    page.get_by_label("Name").fill(JUDGE)
    page.get_by_label("Password").fill(password)
    press(page, "Log in")


@pytest.mark.nightly
@pytest.mark.parametrize("has_scripts", [False, True])
def test_what_was_typed_is_sent_after_the_login(
    browser: Browser, station: Hall, *, has_scripts: bool
) -> None:
    context = browser.new_context(base_url=station.http, java_script_enabled=has_scripts)
    page = context.new_page()
    log_in(page)
    open_players(page, "Kept")
    page.get_by_label("Name", exact=True).fill("Zoë “Red” O'Hara")
    page.locator("[name=club]").first.fill("Tombstone")
    end_login(page)
    press(page, "Add")
    expect(page.locator("main")).to_contain_text("What you typed isn't lost")
    log_in_here(page, "wrong wrong")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password.")
    log_in_here(page)
    expect(page.locator("main")).to_contain_text("Registered a player")
    expect(page.locator("dd", has_text="Zoë “Red” O'Hara")).to_be_visible()
    assert "Tombstone" not in page.url
    page.get_by_role("button", name=re.compile("^Send as")).click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Zoë “Red” O'Hara")
    close_windows(browser)


@pytest.mark.nightly
def test_a_kept_form_that_is_refused_is_filled_in_on_its_own_page(page: Page) -> None:
    log_in(page)
    page.goto("/judge/terminals/cards")
    page.locator("[name=wifi-name]").fill("Hall")
    page.locator("[name=wifi-password]").fill("short")
    page.locator("[name=wifi-hidden]").check()
    page.locator("select[name=language]").select_option("it")
    end_login(page)
    press(page, "Save")
    log_in_here(page)
    expect(page.locator("main")).not_to_contain_text("short")
    page.locator("[name=wifi-password]").fill("short")
    page.get_by_role("button", name=re.compile("^Send as")).click()
    expect(page.get_by_role("alert")).to_contain_text("8 to 63 English letters")
    expect(page.locator("[name=wifi-name]")).to_have_value("Hall")
    expect(page.locator("[name=wifi-password]")).to_have_value("")
    expect(page.locator("[name=wifi-hidden]")).to_be_checked()
    expect(page.locator("select[name=language]")).to_have_value("it")
