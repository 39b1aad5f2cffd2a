"""The floor follows what happens, and says so when it cannot."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import begin_round, log_in, press

from saloon.demo.hall import Hall
from saloon.demo.processes import Processes

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_result_entered_by_one_judge_shows_on_the_floor_of_another(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Live", tmp_path)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".live")).to_have_text("live")
    page.get_by_role("link", name="Table 1").click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(("deputy", "outlaw", "outlaw", "renegade"), 2):
        page.locator(f"select[name=role-{seat}]").select_option(role)
    page.locator("select[name=out-1]").select_option("1")
    page.locator("select[name=by-1]").select_option("3")
    press(page, "Show ending and winnings")
    press(page, "Confirm the record sheet")
    expect(other.locator("#table-1")).to_contain_text("confirmed")
    expect(other.get_by_text("1 of 2 confirmed")).to_be_visible()


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
    page.get_by_text("terminal disconnected").click()
    expect(page.locator(".slot:visible")).to_have_count(2)


def test_a_page_fits_a_phone_and_has_a_name_for_every_field(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Phone", tmp_path)
    page.set_viewport_size({"width": 360, "height": 740})
    base = page.url.rpartition("/")[0]
    for path in ("", "/players", "/draw", "/floor", "/tables/1/1/sheet", "/standings", "/history"):
        page.goto(base + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        nameless = page.locator("input:not([type=hidden]), select").evaluate_all(
            "all => all.filter(e => !e.labels?.length && !e.ariaLabel).map(e => e.name)"
        )
        assert nameless == [], path
