"""A judge runs a championship 2010 of ten players in a real browser: auctions and finals from paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import (
    begin_round,
    choose,
    draw_lots_if_tied,
    log_in,
    open_floor,
    open_standings,
    press,
)

from saloon.demo.hall import Hall

pytestmark = pytest.mark.browser

ROLES = ("deputy", "outlaw", "outlaw", "renegade")
CHARACTERS = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")


def enter_law_wins(page: Page, table: int, price: int) -> None:
    """Seat 2, the Deputy, pays the price; all others take their characters for nothing."""
    open_floor(page)
    page.get_by_role("link", name=f"Table {table}").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        choose(page, f"role-{seat}", role)
    for seat, character in enumerate(CHARACTERS, 1):
        page.locator(f"select[name=character-{seat}]").select_option(character)
        page.locator(f"input[name=price-{seat}]").fill(str(price) if seat == 2 else "0")
    for number, seat in enumerate((3, 4, 5), 1):
        choose(page, f"out-{number}", str(seat))
        choose(page, f"by-{number}", "1")
    press(page, "Show ending and winnings")


def enter_duel(page: Page, number: int, first: int, second: int) -> None:
    page.get_by_role("link", name="Finals").first.click()
    page.get_by_role("link", name="Enter the result from paper").nth(number).click()
    page.get_by_label("Eliminated by").nth(0).fill(str(first))
    page.get_by_label("Eliminated by").nth(1).fill(str(second))
    press(page, "Show who wins")
    press(page, "Confirm the record sheet")


def test_a_judge_runs_auctions_and_finals_from_paper_to_the_prizes(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Old rules", tmp_path, edition="championship-2010")
    for table, price in ((1, 700), (2, 300)):
        enter_law_wins(page, table, price)
        expect(page.locator("table.sheet")).to_contain_text(f"${price}")
        press(page, "Confirm the record sheet")

    open_standings(page)
    money = page.locator("table.ranking")
    expect(money).to_contain_text("$8,000")
    expect(money).to_contain_text("$6,500")
    draw_lots_if_tied(page)

    browser = page.context.browser
    assert browser is not None
    public = browser.new_page()
    public.goto(station.http)
    public.get_by_role("link", name="Old rules").click()
    expect(public.get_by_role("heading", name="Old rules")).to_be_visible()
    expect(public.locator("main")).not_to_contain_text("$")

    page.get_by_role("link", name="Finals").first.click()
    press(page, "Publish the ranking of the rounds")
    page.get_by_label("Short duel").check()
    press(page, "Call the semifinals")
    enter_duel(page, 0, 5, 3)
    enter_duel(page, 0, 4, 6)
    page.get_by_label("Long duel").check()
    press(page, "Call the final")
    enter_duel(page, 0, 2, 5)
    public.reload()
    shown = public.locator("main")
    expect(shown).to_contain_text("Ranking of the rounds")
    expect(shown).to_contain_text("2:5")
    expect(shown).not_to_contain_text("$2,000")
    press(page, "Publish the ranking")
    ranking = page.locator("table.ranking tbody tr")
    expect(ranking.filter(has_text="$2,000")).to_have_count(1)
    expect(ranking.filter(has_text="$500")).to_have_count(2)
