"""A bad day: a second tournament wants tables that play, and a draw is taken back in the middle of a game."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from base.errors import Unavailable
from demo.hall import Table
from demo.processes import poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, choose_rules, log_in, press, register

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def screen(table: Table) -> Seen:
    for _ in poll_until_timeout(30, 0.05):
        try:
            return TerminalClient(table.door).see()
        except Unavailable:
            continue
    raise AssertionError("the terminal does not show a screen")


def plays_to(table: Table, scene: str) -> Seen:
    """Let players touch until the screen shows a scene."""
    brain = Brain(1)
    for _ in poll_until_timeout(60, 0.02):
        seen = screen(table)
        if seen.scene == scene:
            return seen
        touch = brain.next_touch(seen)
        if touch is not None:
            TerminalClient(table.door).touch(touch)
    raise AssertionError(f"the table never came to {scene}")


def opens_side_event(page: Page, folder: Path) -> None:
    """A second tournament of ten players, drawn for tables 1 and 2."""
    page.goto("/judge/")
    choose_rules(page)
    expect(page.get_by_label("Tables in the hall")).to_have_value("3-")
    page.get_by_label("Tables in the hall").fill("1-")
    page.get_by_label("Name", exact=True).fill("Side event")
    page.get_by_label("Fewer rounds").fill("1")
    press(page, "Open the tournament")
    register(page, folder)
    press(page, "Draw tables and Sheriffs")


def asks_to_take_back(page: Page) -> Locator:
    """On the history: fill in why the last step is taken back, and return the form."""
    last = page.locator("details", has_text="Undo this step").first
    if last.get_attribute("open") is None:
        last.locator("summary").click()
    last.get_by_label("Reason").fill("wrong list")
    return last


def test_a_second_tournament_gets_other_tables_and_the_first_plays_on(
    table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Open", tmp_path)
    plays_to(table, "play")
    opens_side_event(page, tmp_path)
    expect(page.get_by_role("alert")).to_contain_text("playing at these tables: 1, 2 (Open)")
    expect(page.get_by_role("button", name="Publish to the tables")).to_be_disabled()
    expect(page.get_by_label("Tables in the hall")).to_have_value("3-")
    press(page, "Use these tables")
    expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
    press(page, "Publish to the tables")
    expect(page.locator("#table-3")).to_be_visible()
    expect(page.locator("#table-1")).to_have_count(0)
    assert screen(table).scene == "play"


def test_a_draw_is_taken_back_only_with_the_name_of_each_table_that_plays(
    table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Open", tmp_path)
    floor = page.url
    plays_to(table, "play")
    expect(page.locator("#table-1")).to_contain_text("turn", ignore_case=True)
    page.get_by_role("link", name="History").click()
    last = asks_to_take_back(page)
    last.get_by_role("button", name="Undo 1 step").click()
    expect(page.get_by_text("would void the games at these tables: 1.")).to_be_visible()
    expect(page.get_by_label("Reason").first).to_have_value("wrong list")
    assert screen(table).scene == "play"

    asks_to_take_back(page).get_by_role("button", name="What would change?").click()
    expect(page.get_by_text("1 game would be voided")).to_be_visible()
    undoes = "Undo 1 step · void 1 game"
    press(page, undoes)
    expect(page).to_have_url(page.url.rpartition("/undo")[0] + "/undo/what-if")
    assert screen(table).scene == "play"
    page.get_by_label("Void the game at table 1").check()
    press(page, undoes)
    expect(page.get_by_text("The steps have been undone.")).to_be_visible()
    page.get_by_role("link", name="Game at table 1 voided").click()
    expect(page.locator(".story")).to_contain_text("Players seated")
    expect(page.locator(".story")).to_contain_text("Game voided")

    page.get_by_role("link", name="Draw", exact=True).click()
    press(page, "Publish to the tables")
    expect(page).to_have_url(floor)
    plays_to(table, "seating")
