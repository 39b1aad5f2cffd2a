"""A judge runs a championship 2010 of ten players in a real browser: auctions and finals from paper."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from demo.hall import Hall
from tests.browser.conftest import (
    begin_round,
    draw_lots_if_tied,
    fill_law_wins,
    log_in,
    open_standings,
    press,
)

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LONG_WORD = 2 * "Wolfeschlegelsteinhausenbergerdorff"
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
STICK_OUT = """
[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > 360)
  .map(e => e.tagName + "." + e.className).slice(0, 20)
"""
CHARACTERS = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")


def enter_auction(page: Page, table: int, price: int) -> None:
    """Seat 2, the Deputy, pays the price; all others take their characters for nothing."""
    fill_law_wins(page, table)
    for seat, character in enumerate(CHARACTERS, 1):
        page.locator(f"select[name=character-{seat}]").select_option(character)
        page.locator(f"input[name=price-{seat}]").fill(str(price) if seat == 2 else "0")
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
    begin_round(page, "Old rules", tmp_path, edition="championship-2010")
    for table, price in ((1, 700), (2, 300)):
        enter_auction(page, table, price)
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
    press(page, "Call the semifinalists")
    enter_duel(page, 0, 5, 3)
    enter_duel(page, 0, 4, 6)
    page.get_by_label("Long duel").check()
    press(page, "Call the finalists")
    enter_duel(page, 0, 2, 5)
    public.reload()
    content = public.locator("main")
    expect(content).to_contain_text("Ranking of the rounds")
    expect(content).to_contain_text("2:5")
    expect(content).not_to_contain_text("$2,000")
    press(page, "Publish the ranking")
    ranking = page.locator("table.ranking tbody tr")
    expect(ranking.filter(has_text="$2,000")).to_have_count(1)
    expect(ranking.filter(has_text="$500")).to_have_count(2)


def wide_pages(page: Page, paths: tuple[str, ...]) -> dict[str, list[str]]:
    """The pages wider than a phone, each with the elements that stick out."""
    wide: dict[str, list[str]] = {}
    for path in paths:
        page.goto(path)
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide[path] = page.evaluate(STICK_OUT)
    return wide


def test_names_of_one_long_word_break_on_a_phone(page: Page, tmp_path: Path) -> None:
    log_in(page)
    players = "name,club\n" + "".join(f"{LONG_WORD}{letter},{LONG_WORD}\n" for letter in "abcdefghij")
    begin_round(page, LONG_WORD, tmp_path, edition="championship-2010", players=players)
    judge = page.url.rpartition("/")[0]
    page.goto(f"{judge}/players/p001")
    own, public = page.locator("a[href^='/me/']").get_attribute("href"), judge.replace("/judge/", "/")
    assert own is not None
    page.set_viewport_size(PHONE)
    of_the_round = ("", "/find?q=wolfe", "/rounds/1/seats", "/rounds/1/draw", "/player/p001", "/table/1")
    assert wide_pages(page, ("/", own, *(f"{public}{path}" for path in of_the_round))) == {}
    of_the_judge = "", "/players", "/players/p001", "/check-in", "/draw", "/floor", "/tables/1/1", "/history"
    assert wide_pages(page, tuple(f"{judge}{path}" for path in of_the_judge)) == {}
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{judge}/floor")
    for table in (1, 2):
        enter_auction(page, table, 300)
        press(page, "Confirm the record sheet")
    open_standings(page)
    draw_lots_if_tied(page)
    page.get_by_role("link", name="Finals").first.click()
    press(page, "Publish the ranking of the rounds")
    page.get_by_label("Short duel").check()
    press(page, "Call the semifinalists")
    page.get_by_role("link", name="Enter the result from paper").first.click()
    sheet = page.url
    page.set_viewport_size(PHONE)
    of_the_finals = (f"{judge}/{page_of}" for page_of in ("finals", "standings", "floor"))
    assert wide_pages(page, (sheet, *of_the_finals, public, own, f"{public}/player/p001")) == {}
