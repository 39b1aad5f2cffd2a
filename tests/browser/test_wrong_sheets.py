"""A bad day: a call outlives its game, a dispute is forgotten, an old record sheet is wrong."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Table
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import (
    begin_round,
    choose,
    draw_lots_if_tied,
    log_in,
    open_floor,
    open_standings,
    press,
)
from tests.browser.test_small_tournament import enter_law_wins
from tests.browser.test_two_tournaments import plays_to

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def opens_accepted(page: Page, name: str) -> None:
    """On a table's page: open what can be done to the accepted sheet, and say why."""
    details = page.locator("details", has_text=name).first
    details.locator("summary").click()
    details.get_by_label("Reason").fill("the roles were swapped")
    details.get_by_role("button").click()


def test_every_call_ends_every_dispute_is_settled_and_every_sheet_is_reached_by_links(
    table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Open", tmp_path)
    plays_to(table, "play")
    TerminalClient(table.door).touch(Touch("call-judge", 0.0))
    expect(page.locator(".calls")).to_contain_text("Table 1 is calling the judge")

    # The sheet comes from paper; the terminal, in the middle of its game, is told.
    enter_law_wins(page, 1)
    page.get_by_label("End the game at the terminal").check()
    press(page, "Confirm the record sheet")
    open_floor(page)
    expect(page.locator("#table-1")).to_contain_text("confirmed")
    expect(page.locator("main")).not_to_contain_text("calls the judge")
    enter_law_wins(page, 2)
    press(page, "Confirm the record sheet")

    opens_accepted(page, "Dispute it")
    expect(page.get_by_role("alert").first).to_contain_text("table 2: the record sheet is disputed")
    open_standings(page)
    draw_lots_if_tied(page)
    expect(page.locator("main")).to_contain_text("Disputed record sheets (round/table): 1/2")
    page.get_by_role("alert").first.get_by_role("link", name="Table 2").click()
    opens_accepted(page, "Keep the confirmed sheet")
    expect(page.locator("body")).not_to_contain_text("is disputed")

    # No round runs any more: the sheet of table 1 is still two links away.
    page.get_by_role("link", name="What's next").click()
    page.get_by_role("link", name="Round 1").click()
    page.get_by_role("link", name="Table 1", exact=True).click()
    page.get_by_role("link", name="Correct the record sheet").click()
    choose(page, "by-1", "4")
    press(page, "Show ending and winnings")
    page.get_by_label("Reason for the correction").fill("seat 4 shot")
    press(page, "Confirm the correction")
    expect(page.locator("main")).to_contain_text("Corrected: seat 4 shot")
    open_standings(page)
    draw_lots_if_tied(page)
    press(page, "Publish the ranking")
    expect(page.locator("table.ranking")).to_be_visible()


def test_a_player_who_left_at_the_table_is_withdrawn_before_the_ranking(page: Page, tmp_path: Path) -> None:
    log_in(page)
    begin_round(page, "Open", tmp_path)
    enter_law_wins(page, 1)
    press(page, "Back to the form")
    page.locator("input[name=left-2]").check()
    press(page, "Show ending and winnings")
    press(page, "Confirm the record sheet")
    expect(page.get_by_role("alert").first).to_contain_text("left table 1 in Round 1 but is still in")
    enter_law_wins(page, 2)
    press(page, "Confirm the record sheet")
    open_standings(page)
    draw_lots_if_tied(page)
    expect(page.locator("main")).to_contain_text("Left or ejected at the table")
    page.get_by_role("button", name="Withdraw Player").click()
    expect(page.locator("body")).not_to_contain_text("is still in the tournament")
    open_standings(page)
    draw_lots_if_tied(page)
    press(page, "Publish the ranking")
    expect(page.locator("table.ranking tbody tr").filter(has_text="Player ").first).to_be_visible()
