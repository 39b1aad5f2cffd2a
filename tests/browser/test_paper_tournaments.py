"""A judge runs small tournaments in a real browser, entering results from paper.

Five players by the score system of 2003: each is Sheriff once, averages decide.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import (
    ROLES,
    begin_round,
    choose,
    choose_rules,
    draw_lots_if_tied,
    enter_law_wins,
    fill_law_wins,
    log_in,
    open_standings,
    press,
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

    browser = page.context.browser
    assert browser is not None
    public = browser.new_page()
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
    press(page, "Publish the ranking")
    players = page.locator("table.ranking tbody tr").filter(has_text="Player ")
    expect(players).to_have_count(10)
    expect(players.filter(has_text="$1,300")).to_have_count(4)
    page.goto(page.url + "/statistics")
    page.locator(".languages summary").click()
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
    press(page, "Publish the ranking")
    for name in NAMES:
        expect(page.locator("table.ranking")).to_contain_text(name)
