"""The browser's Back on the judge's pages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    PLAYERS,
    ROLES,
    begin_round,
    enter_law_wins,
    log_in,
    open_floor,
    open_players,
    press,
)

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_back_after_a_confirmed_preview_asks_nobody_to_send_the_form_again(
    page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Back", tmp_path)
    open_floor(page)
    enter_law_wins(page, 1)
    expect(page.get_by_role("button", name="Confirm the record sheet")).to_be_visible()
    press(page, "Confirm the record sheet")
    expect(page.locator("main")).to_contain_text("confirmed")
    answer = page.go_back()
    assert answer is not None
    assert answer.status == 200
    expect(page.locator("h1")).to_contain_text("record sheet")


def test_back_after_a_preview_without_an_address_of_its_own_shows_the_page_of_its_form(
    page: Page, tmp_path: Path
) -> None:
    log_in(page)
    open_players(page, "Back")
    listed = tmp_path / "players.csv"
    listed.write_text(PLAYERS, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    press(page, "Preview")
    page.get_by_role("button", name=re.compile(r"Register \d+ players")).click()
    expect(page.locator("p[role=status]")).to_contain_text("The players are registered.")
    page.go_back()
    expect(page).to_have_url(re.compile("/players$"))


@pytest.mark.nightly
def test_back_after_a_logout_shows_the_login_and_nothing_of_the_preview(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Back", tmp_path)
    enter_law_wins(page, 1)
    press(page, "Log out judge")
    page.go_back()
    expect(page.get_by_label("Password")).to_be_visible()
    expect(page.locator("table.sheet")).to_have_count(0)


@pytest.mark.nightly
def test_a_preview_whose_confirmation_is_refused_is_filled_in_again(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Back", tmp_path)
    enter_law_wins(page, 1)
    confirm = page.locator("form[action$='/sheet/confirm']")
    confirm.locator("[name=role-2]").evaluate("field => { field.value = 'nobody'; }")
    press(page, "Confirm the record sheet")
    expect(page.get_by_role("alert")).to_contain_text("Seat 2: choose a role.")
    for name, value in (("role-3", ROLES[1]), ("out-3", "5"), ("by-1", "1")):
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked()
