"""A judge runs a small tournament in a real browser, entering results from paper."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from saloon.demo.hall import JUDGE, JUDGE_PASSWORD, Hall, running_hall
from saloon.demo.pages import Pages
from saloon.demo.processes import waiting

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]  # fmt: skip
ROLES = ("deputy", "outlaw", "outlaw", "renegade")
PLAYERS = "name,club\n" + "".join(f"Player {letter},Town\n" for letter in "ABCDEFGHIJ")


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Hall]:
    with running_hall(tmp_path, frozenset()) as (hall, processes):
        hall.start_station()
        pages = Pages(hall.http)
        for _ in waiting(30, 0.05):
            processes.check()
            if pages.is_up():
                break
        pages.close()
        yield hall


@pytest.fixture
def page(station: Hall) -> Iterator[Page]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium is not None, "Chromium is missing: apt install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(base_url=station.http)
        page.on("dialog", lambda dialog: dialog.accept())
        yield page
        browser.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def log_in(page: Page) -> None:
    page.goto("/login")
    page.get_by_label("Name").fill(JUDGE)
    page.get_by_label("Password").fill(JUDGE_PASSWORD)
    press(page, "Log in")


def enter_law_wins(page: Page, table: int) -> None:
    page.get_by_role("link", name="Floor").click()
    page.get_by_role("link", name=f"Table {table}").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        page.locator(f"select[name=role-{seat}]").select_option(role)
    for number, seat in enumerate((3, 4, 5), 1):
        page.locator(f"select[name=out-{number}]").select_option(str(seat))
        page.locator(f"select[name=by-{number}]").select_option("1")
    press(page, "Show ending and winnings")


def test_a_judge_runs_a_tournament_from_a_list_to_the_public_ranking(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    page.get_by_label("Name", exact=True).fill("Saturday")
    page.get_by_label("Fewer rounds").fill("1")
    press(page, "Open the tournament")
    page.get_by_role("link", name="Players").first.click()
    listed = tmp_path / "players.csv"
    listed.write_text(PLAYERS, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    press(page, "Look at it")
    press(page, "Register 10 players")
    page.get_by_role("link", name="Draw").first.click()
    press(page, "Seal the draw of round 1")
    seal = page.locator(".seal code").inner_text()
    page.get_by_label("A word").fill("cactus")
    press(page, "Draw tables and Sheriffs")
    press(page, "Publish to the tables")

    browser = page.context.browser
    assert browser is not None
    public = browser.new_page()
    public.goto(station.http)
    public.get_by_role("link", name="Saturday").click()
    assert seal in public.content()
    assert "$" not in public.locator("main").inner_text()

    for table in (1, 2):
        enter_law_wins(page, table)
        assert "$1,200" in page.locator("table.sheet").inner_text()
        press(page, "Confirm the record sheet")
    page.get_by_role("link", name="Standings").click()
    if page.get_by_role("button", name="Draw the lots").count():
        press(page, "Draw the lots")
    press(page, "Publish the ranking")
    ranking = page.locator("table.ranking").inner_text()
    assert ranking.count("Player ") == 10
    assert ranking.count("$1,300") == 4


def test_an_impossible_result_is_refused_where_the_judge_types_it(page: Page, tmp_path: Path) -> None:
    log_in(page)
    page.get_by_label("Name", exact=True).fill("Sunday")
    press(page, "Open the tournament")
    page.get_by_role("link", name="Players").first.click()
    listed = tmp_path / "players.csv"
    listed.write_text(PLAYERS, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    press(page, "Look at it")
    press(page, "Register 10 players")
    page.get_by_role("link", name="Draw").first.click()
    press(page, "Seal the draw of round 1")
    press(page, "Draw tables and Sheriffs")
    press(page, "Publish to the tables")
    page.get_by_role("link", name="Table 1").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        page.locator(f"select[name=role-{seat}]").select_option(role)
    page.locator("select[name=out-1]").select_option("3")
    page.locator("select[name=by-1]").select_option("1")
    press(page, "Show ending and winnings")
    assert "not over" in page.get_by_role("alert").inner_text()
    assert page.locator("select[name=role-3]").input_value() == "outlaw"
