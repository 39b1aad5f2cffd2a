"""A judge runs small tournaments in a real browser, entering results from paper.

Five players by the score system of 2003: each is Sheriff once, averages decide.
"""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from demo.hall import Hall
from tests.browser.conftest import (
    ROLES,
    begin_round,
    browser_of,
    choose,
    choose_rules,
    draw_lots_if_tied,
    enter_law_wins,
    fill_law_wins,
    log_in,
    open_standings,
    press,
    publish_and_look,
    publish_draw,
    register,
)

pytestmark = pytest.mark.browser

CUT = """
[...document.querySelectorAll(".rates")].some(
  table => table.parentElement.scrollWidth > table.parentElement.clientWidth)
"""
GAP = """
const links = document.querySelector("nav[aria-label=Rounds]"), next = document.querySelector("main .notice");
next.getBoundingClientRect().top - links.getBoundingClientRect().bottom
"""


def test_a_judge_runs_a_tournament_from_a_list_to_the_public_ranking(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill("Saturday")
    page.get_by_label("Fewer rounds").fill("1")
    press(page, "Open the tournament")
    register(page, tmp_path)
    seal = page.locator(".seal code").inner_text()
    page.get_by_label("A word").fill("cactus")
    publish_draw(page)

    public = browser_of(page).new_page()
    public.goto(station.http)
    public.get_by_role("link", name="Saturday").click()
    expect(public.locator("main")).to_contain_text(seal)
    expect(public.locator("main")).not_to_contain_text("$")

    for table in (1, 2):
        enter_law_wins(page, table)
        expect(page.locator("table.sheet")).to_contain_text("$1,200")
        press(page, "Confirm the record sheet")
    open_standings(page)
    assert page.evaluate(GAP) > 8
    draw_lots_if_tied(page)
    publish_and_look(page)
    players = page.locator("table.ranking tbody tr").filter(has_text="Player ")
    expect(players).to_have_count(10)
    expect(players.filter(has_text="$1,300")).to_have_count(4)
    page.goto(page.url + "/statistics")
    page.locator(".account summary").click()
    press(page, "Italiano")
    expect(page.get_by_role("heading", name="Statistiche")).to_be_visible()
    for width in (375, 800, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert not page.evaluate(CUT), width


@pytest.mark.nightly
def test_an_impossible_result_is_refused_where_the_judge_types_it(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Sunday", tmp_path)
    page.get_by_role("link", name="Table 1").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        choose(page, f"role-{seat}", role)
    choose(page, "out-1", "3")
    choose(page, "by-1", "1")
    press(page, "Show ending and winnings")
    expect(page.get_by_role("alert")).to_contain_text("isn't over")
    expect(page.locator("[name=role-3][value=outlaw]")).to_be_checked()


NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")


def enter_game(page: Page) -> None:
    fill_law_wins(page, 1)
    for seat in range(1, 6):
        page.locator(f"input[name=turns-{seat}]").fill(str(10 - seat))
    press(page, "Show ending and winnings")
    expect(page.locator("table.sheet")).to_contain_text("$3,000")
    press(page, "Confirm the record sheet")


@pytest.mark.nightly
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
    publish_and_look(page)
    for name in NAMES:
        expect(page.locator("table.ranking")).to_contain_text(name)


LONG_WORD = 2 * "Wolfeschlegelsteinhausenbergerdorff"
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
STICK_OUT = """
[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > 360)
  .map(e => e.tagName + "." + e.className).slice(0, 20)
"""
NAMELESS = "all => all.filter(e => !e.labels?.length && !e.ariaLabel).map(e => e.name)"
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
    expect(page.locator("#check")).to_be_empty()
    page.get_by_label("Eliminated by").nth(1).fill(str(second))
    expect(page.locator("#check")).to_contain_text("wins")
    press(page, "Confirm the record sheet")


@pytest.mark.nightly
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

    public = browser_of(page).new_page()
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
    publish_and_look(page)
    ranking = page.locator("table.ranking tbody tr")
    expect(ranking.filter(has_text="$2,000")).to_have_count(1)
    expect(ranking.filter(has_text="$500")).to_have_count(2)


def wide_pages(page: Page, paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Pages wider than a phone, with the elements that stick out, or with fields without names."""
    wide: dict[str, list[str]] = {}
    for path in paths:
        page.goto(path)
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide[path] = page.evaluate(STICK_OUT)
        if nameless := page.locator("input:not([type=hidden]), select").evaluate_all(NAMELESS):
            wide[path] = nameless
    return wide


@pytest.mark.nightly
def test_a_page_fits_a_phone_and_has_a_name_for_every_field(floor: Page) -> None:
    judge = floor.url.rpartition("/")[0]
    floor.set_viewport_size(PHONE)
    floor.goto(f"{judge}/players/p001")
    floor.get_by_label("Name", exact=True).fill(LONG_WORD[: len(LONG_WORD) // 2])
    press(floor, "Rename")
    pages = "", "/players", "/players/p001", "/draw", "/floor", "/tables/1/1/sheet", "/standings", "/history"
    assert wide_pages(floor, tuple(f"{judge}{path}" for path in pages)) == {}


@pytest.mark.nightly
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
