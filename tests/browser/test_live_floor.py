"""The floor follows what happens, and says so when it cannot."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from demo.hall import Hall, Table
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import (
    ROLES,
    begin_round,
    choose,
    confirm_law_wins,
    log_in_here,
    log_out,
    open_window,
    press,
    touches,
)

pytestmark = pytest.mark.browser

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(one => shifts.push(
  ...one.sources.map(source => source.node?.className ?? source.node?.nodeName)
))).observe({ type: "layout-shift", buffered: true });
"""


def test_a_result_entered_by_one_judge_shows_on_the_floor_of_another(floor: Page) -> None:
    other = open_window(floor, floor.url)
    expect(other.locator(".live")).to_have_text("live")
    floor.get_by_role("link", name="Table 1").click()
    floor.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        choose(floor, f"role-{seat}", role)
    choose(floor, "out-1", "1")
    choose(floor, "by-1", "3")
    press(floor, "Show ending and winnings")
    press(floor, "Confirm the record sheet")
    expect(other.locator("#table-1")).to_contain_text("confirmed")
    expect(other.get_by_text("1 of 2 confirmed")).to_be_visible()


@pytest.mark.nightly
def test_what_is_searched_for_stays_when_the_floor_is_drawn_anew(floor: Page) -> None:
    find = floor.get_by_label("Find a player or a table")
    find.fill("player a")
    floor.get_by_text("not confirmed").click()
    find.focus()
    floor.locator(".hall").evaluate("hall => { hall.dataset.is = 'before'; }")
    floor.evaluate("htmx.trigger(document.querySelector('[sse-connect]'), 'htmx:sseOpen')")
    expect(floor.locator(".hall[data-is=before]")).to_have_count(0)
    expect(find).to_have_value("player a")
    expect(find).to_be_focused()
    expect(floor.get_by_role("radio", name="not confirmed 2")).to_be_checked()
    expect(floor.locator(".slot:visible")).to_have_count(1)
    floor.get_by_text("waiting for me").click()
    floor.reload()
    expect(floor.get_by_role("radio", name="waiting for me 0")).to_be_checked()


@pytest.mark.nightly
def test_filters_and_search_narrow_the_floor_without_a_request(floor: Page) -> None:
    expect(floor.get_by_role("radio", name="all 2", exact=True)).to_be_checked()
    expect(floor.locator(".slot:visible")).to_have_count(2)
    nobody = floor.get_by_text("No tables match.")
    expect(nobody).to_be_hidden()
    floor.get_by_label("Find a player or a table").fill("player a")
    expect(floor.locator(".slot:visible")).to_have_count(1)
    floor.get_by_label("Find a player or a table").fill("")
    floor.get_by_text("waiting for me").click()
    expect(floor.locator(".slot:visible")).to_have_count(0)
    expect(nobody).to_be_visible()
    # A table on paper is no fault.
    floor.locator(".choice", has_text="disconnected").click()
    expect(floor.locator(".slot:visible")).to_have_count(0)


@pytest.mark.nightly
def test_a_table_that_calls_is_at_the_foot_and_a_finished_one_folds_away(playing: Table, page: Page) -> None:
    floor = open_window(page, f"{page.url}?look=rows")
    expect(floor.locator(".live")).to_have_text("live")
    addresses: list[str] = []
    floor.on("request", lambda request: addresses.append(request.url))
    TerminalClient(playing.door).touch(Touch("life-2-minus", 0.0))
    confirm_law_wins(page, 2)
    expect(floor.get_by_role("button", name="Confirmed tables (1)")).to_be_visible()
    expect(floor.locator(".slot:visible")).to_have_count(1)
    floor.get_by_role("button", name="Confirmed tables (1)").click()
    expect(floor.locator(".slot:visible article")).to_have_count(2)
    touches(playing, "call-judge")
    expect(floor.locator(".calls")).to_contain_text("Table 1 is calling the judge")
    # What changed at a table comes by itself; nobody asks for it.
    assert [url for url in addresses if "/cards/" in url] == []
    floor.get_by_role("searchbox").fill("2")
    floor.get_by_role("searchbox").press("Enter")
    expect(floor.get_by_role("link", name="Round 1, table 2")).to_be_visible()


@pytest.mark.nightly
def test_a_floor_goes_out_with_the_session_of_its_judge_and_comes_back_with_a_login(
    page: Page, station: Hall, tmp_path: Path
) -> None:
    begin_round(page, "Ended", tmp_path)
    floor, messages = open_window(page, page.url), open_window(page, "/judge/messages")
    messages.locator("textarea").fill("Lunch is at one")
    for window in (floor, messages):
        expect(window.locator(".live")).to_have_text("live")
    log_out(page)
    floor.wait_for_url(re.compile(r"/login\?next=.*/floor$"), timeout=15_000)
    expect(messages.locator(".live")).to_contain_text("not live", timeout=15_000)
    expect(messages.locator("textarea")).to_have_value("Lunch is at one")
    log_in_here(floor)
    expect(floor.locator(".live")).to_have_text("live")


@pytest.mark.nightly
def test_the_floor_says_when_the_round_will_end_and_asks_again_when_a_table_changes(
    station: Hall, page: Page, tmp_path: Path
) -> None:
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


@pytest.mark.nightly
def test_one_judge_starts_and_extends_and_the_other_sees_it(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Timed", tmp_path, time_limit_min=60)
    other = open_window(page, page.url)
    expect(other.locator(".live")).to_have_text("live")
    press(page, "Start the clock")
    expect(other.locator(".clock")).to_contain_text("60 min left")
    card = page.locator("#table-2")
    card.get_by_text("Clock").click()
    card.get_by_label("Reason").fill("a card was missing")
    card.get_by_role("button", name="Add time").click()
    expect(other.locator("#table-2")).to_contain_text("65 min left")
    expect(other.locator("#table-1")).to_contain_text("60 min left")
    press(page, "Stop all clocks")
    expect(other.locator("#table-1")).to_contain_text("stopped")


def place(page: Page, table: int) -> tuple[str | None, str | None]:
    place = page.locator(f"[data-table='{table}']")
    return place.get_attribute("data-column"), place.get_attribute("data-row")


@pytest.mark.nightly
def test_a_table_is_dragged_to_its_place_and_found_there_on_the_floor(
    page: Page, station: Hall, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path)
    floor = page.url
    page.goto("/judge/plan")
    page.get_by_label("Tables such as").fill("1-8")
    page.get_by_label("Tables per row").fill("4")
    press(page, "Arrange in rows")
    assert place(page, 6) == ("3", "3")
    box = page.locator("[data-plan]").bounding_box()
    assert box is not None
    page.locator("[data-table='6']").hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.9, steps=5)
    with page.expect_response("**/judge/plan/move") as answer:
        page.mouse.up()
    assert answer.value.status == 204
    assert place(page, 6) == ("8", "4")
    # By the keyboard onto another table: they change places.
    page.locator("[data-table='1']").focus()
    for _ in range(2):
        with page.expect_response("**/judge/plan/move"):
            page.keyboard.press("ArrowRight")
    page.reload()
    assert [place(page, table) for table in (6, 1, 2)] == [("8", "4"), ("3", "1"), ("2", "1")]

    page.goto(f"{floor.split('/judge/')[0]}/judge/")
    page.get_by_role("link", name="Open").first.click()
    page.goto(f"{page.url}/floor?look=plan")
    expect(page.locator("#table-1")).to_be_visible()
    slot = page.locator(".slot:has(#table-1)")
    expect(slot).to_have_attribute("data-column", "3")
    # The live floor replaces its elements: only what asks again can't meet one that has just left it.
    expect(slot).to_have_css("grid-column-start", "3")
    page.get_by_role("link", name="Table 1", exact=False).first.click()
    expect(page.locator("h1")).to_contain_text("Table 1")


def test_the_tables_of_the_hall_plan_are_in_their_places_from_the_first_picture(floor: Page) -> None:
    """The script that places them is slow to come here."""
    address = floor.url
    floor.goto("/judge/plan")
    floor.get_by_label("Tables such as").fill("1-8")
    press(floor, "Arrange in rows")

    def answer_late(route: Route) -> None:
        floor.wait_for_timeout(400)
        route.continue_()

    floor.route("**/plan.js", answer_late)
    floor.add_init_script(SHIFTS)
    for path in ("/judge/plan", f"{address}?look=plan"):
        floor.goto(path)
        floor.wait_for_timeout(1500)
        moved = floor.evaluate("shifts.filter(one => String(one).match(/plan|slot/))")
        assert moved == [], path
