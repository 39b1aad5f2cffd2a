"""The floor follows what happens, and says so when it cannot."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, Table
from demo.processes import Processes
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, choose, log_in, open_window, press
from tests.browser.test_small_tournament import enter_law_wins
from tests.browser.test_two_tournaments import plays_to

pytestmark = pytest.mark.browser


def test_a_result_entered_by_one_judge_shows_on_the_floor_of_another(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Live", tmp_path)
    other = open_window(page, page.url)
    expect(other.locator(".live")).to_have_text("live")
    page.get_by_role("link", name="Table 1").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(("deputy", "outlaw", "outlaw", "renegade"), 2):
        choose(page, f"role-{seat}", role)
    choose(page, "out-1", "1")
    choose(page, "by-1", "3")
    press(page, "Show ending and winnings")
    press(page, "Confirm the record sheet")
    expect(other.locator("#table-1")).to_contain_text("confirmed")
    expect(other.get_by_text("1 of 2 confirmed")).to_be_visible()


@pytest.mark.nightly
def test_the_floor_says_when_it_is_not_live_and_when_it_is_again(
    station: Hall, processes: Processes, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Cut", tmp_path)
    expect(page.locator(".live")).to_have_text("live")
    processes.kill("station")
    expect(page.locator(".live")).to_contain_text("not live")
    station.restart_station()
    expect(page.locator(".live")).to_have_text("live", timeout=30_000)


@pytest.mark.nightly
def test_what_is_searched_for_stays_when_the_floor_is_drawn_anew(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Search", tmp_path)
    expect(page.locator(".live")).to_have_text("live")
    find = page.get_by_label("Find a player or a table")
    find.fill("player a")
    page.get_by_text("not confirmed").click()
    find.focus()
    page.locator(".hall").evaluate("hall => { hall.dataset.is = 'before'; }")
    page.evaluate("htmx.trigger(document.querySelector('[sse-connect]'), 'htmx:sseOpen')")
    expect(page.locator(".hall[data-is=before]")).to_have_count(0)
    expect(find).to_have_value("player a")
    expect(find).to_be_focused()
    expect(page.get_by_role("radio", name="not confirmed")).to_be_checked()
    expect(page.locator(".slot:visible")).to_have_count(1)


@pytest.mark.nightly
def test_filters_and_search_narrow_the_floor_without_a_request(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Filter", tmp_path)
    expect(page.locator(".live")).to_have_text("live")
    expect(page.get_by_role("radio", name="all", exact=True)).to_be_checked()
    expect(page.locator(".slot:visible")).to_have_count(2)
    nobody = page.get_by_text("No tables match.")
    expect(nobody).to_be_hidden()
    page.get_by_label("Find a player or a table").fill("player a")
    expect(page.locator(".slot:visible")).to_have_count(1)
    page.get_by_label("Find a player or a table").fill("")
    page.get_by_text("waiting for me").click()
    expect(page.locator(".slot:visible")).to_have_count(0)
    expect(nobody).to_be_visible()
    # A table on paper is no fault.
    page.get_by_text("terminal disconnected").click()
    expect(page.locator(".slot:visible")).to_have_count(0)


@pytest.mark.nightly
def test_a_table_that_calls_moves_up_and_a_finished_one_folds_away(
    table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Order", tmp_path)
    plays_to(table, "play")
    floor = open_window(page, f"{page.url}?look=rows")
    expect(floor.locator(".live")).to_have_text("live")
    addresses: list[str] = []
    floor.on("request", lambda request: addresses.append(request.url))
    TerminalClient(table.door).touch(Touch("life-2-minus", 0.0))
    enter_law_wins(page, 2)
    press(page, "Confirm the record sheet")
    expect(floor.get_by_role("button", name="Confirmed tables: 1")).to_be_visible()
    expect(floor.locator(".slot:visible")).to_have_count(1)
    floor.get_by_role("button", name="Confirmed tables: 1").click()
    expect(floor.locator(".slot:visible article")).to_have_count(2)
    TerminalClient(table.door).touch(Touch("call-judge", 0.0))
    expect(floor.locator(".floor article").first).to_have_attribute("data-needs", "calls")
    # What changed at a table comes by itself; nobody asks for it.
    assert [url for url in addresses if "/cards/" in url] == []
    floor.get_by_role("searchbox").fill("2")
    floor.get_by_role("searchbox").press("Enter")
    expect(floor.get_by_role("link", name="Round 1, table 2")).to_be_visible()


@pytest.mark.nightly
def test_a_floor_goes_out_with_the_session_of_its_judge_and_comes_back_with_a_login(
    page: Page, station: Hall, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Ended", tmp_path)
    floor, messages = open_window(page, page.url), open_window(page, "/judge/messages")
    messages.locator("textarea").fill("Lunch is at one")
    for window in (floor, messages):
        expect(window.locator(".live")).to_have_text("live")
    press(page, "Log out judge")
    floor.wait_for_url(re.compile(r"/login\?next=.*/floor$"), timeout=15_000)
    expect(messages.locator(".live")).to_contain_text("not live", timeout=15_000)
    expect(messages.locator("textarea")).to_have_value("Lunch is at one")
    floor.get_by_label("Name").fill(JUDGE)
    floor.get_by_label("Password").fill(JUDGE_PASSWORD)
    press(floor, "Log in")
    expect(floor.locator(".live")).to_have_text("live")


@pytest.mark.nightly
def test_a_page_fits_a_phone_and_has_a_name_for_every_field(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Phone", tmp_path)
    page.set_viewport_size({"width": 360, "height": 740})
    base = page.url.rpartition("/")[0]
    page.goto(base + "/players/p001")
    page.get_by_label("Name", exact=True).fill("Wolfeschlegelsteinhausenbergerdorff")
    press(page, "Rename")
    pages = (
        "",
        "/players",
        "/players/p001",
        "/draw",
        "/floor",
        "/tables/1/1/sheet",
        "/standings",
        "/history",
    )
    for path in pages:
        page.goto(base + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        nameless = page.locator("input:not([type=hidden]), select").evaluate_all(
            "all => all.filter(e => !e.labels?.length && !e.ariaLabel).map(e => e.name)"
        )
        assert nameless == [], path


@pytest.mark.nightly
def test_the_floor_says_when_the_round_will_end_and_asks_again_when_a_table_changes(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Pace", tmp_path)
    with page.expect_response("**/floor?look=*"):
        page.reload()
    expect(page.locator(".live")).to_have_text("live")
    expect(page.locator(".pace")).to_contain_text("Round 1 will probably end at")
    with page.expect_response("**/pace/line") as answer:
        page.evaluate("htmx.trigger(document.querySelector('.pace'), 'sse:floor')")
    assert answer.value.ok
    expect(page.locator(".pace")).to_contain_text("last")
    page.get_by_role("link", name="All tables").click()
    expect(page.locator(".pace-chart rect")).to_have_count(2)
