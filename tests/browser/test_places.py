"""The places, their tabs and menus on real screens, and calls that push nothing away."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import JUDGE, Hall
from tests.browser.conftest import (
    begin_round,
    browser_of,
    judge_at_work,
    log_in,
    open_window,
    plays_to,
    touches,
)

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PEOPLE = "name,club\n" + "".join(f"Player {number},Town\n" for number in range(1, 26))
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(one => shifts.push([
  one.value, ...one.sources.map(source => source.node?.className ?? source.node?.nodeName)
]))).observe({ type: "layout-shift" });
"""
MOST = 0.02
"""A fifth of what browsers call good for a whole visit."""
SIZES = {390: 844, 1280: 720, 1920: 1080}


@pytest.mark.parametrize("width", SIZES)
def test_a_call_shifts_no_page(station: Hall, page: Page, tmp_path: Path, width: int) -> None:
    # The second of two that play calls, so that its way to the top would be seen.
    with judge_at_work(station) as at_work:
        terminals = [station.start_terminal(number, at_work.provisioning(number)) for number in (4, 5)]
    begin_round(page, "Open", tmp_path, players=PEOPLE)
    for terminal in terminals:
        plays_to(terminal, "play")
    floor = page.url
    windows = {}
    for name, path in {
        "cards": f"{floor}?look=cards", "rows": f"{floor}?look=rows", "scrolled": f"{floor}?look=cards",
        "messages": "/judge/messages",
    }.items():  # fmt: skip
        window = open_window(page, "about:blank")
        log_in(window)
        window.set_viewport_size({"width": width, "height": SIZES[width]})
        window.goto(path)
        expect(window.locator(".live")).to_have_text("live")
        windows[name] = window
    windows["scrolled"].evaluate("scrollTo(0, 200)")
    for window in windows.values():
        # Not what the pages do while they load.
        window.wait_for_timeout(800)
        window.evaluate(SHIFTS)
    touches(terminals[1], "call-judge")
    shifts = {}
    for name, window in windows.items():
        expect(window.locator(".call-badge.waiting")).to_be_visible()
        window.wait_for_timeout(1500)
        shifts[name] = window.evaluate("shifts")
    expect(windows["cards"].locator("#table-5")).to_have_class("table-card rings")
    assert {name: seen for name, seen in shifts.items() if sum(one[0] for one in seen) >= MOST} == {}


def in_sight(page: Page) -> bool:
    """Return whether the whole of the current tab is within the screen."""
    tab = page.locator(".tabs [aria-current]").bounding_box()
    assert tab is not None
    return tab["x"] >= 0 and tab["x"] + tab["width"] <= 390


def test_on_a_phone_the_places_are_at_the_foot_and_the_current_tab_in_sight(
    page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path)
    page.set_viewport_size({"width": 390, "height": SIZES[390]})
    for place, tab in (
        ("Tournament", "History"),
        ("Hall", "Import offline results"),
        ("Station", "Rehearsal"),
    ):
        page.locator(".main-menu").get_by_role("link", name=place).click()
        assert in_sight(page)
        page.locator(".tabs").get_by_role("link", name=tab).click()
        expect(page.locator(".tabs [aria-current]")).to_have_text(tab)
        assert in_sight(page)
        bar = page.locator(".main-menu").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] == SIZES[390]


def test_menus_of_the_header_work_by_keyboard_and_without_scripts(page: Page, tmp_path: Path) -> None:
    begin_round(page, "First", tmp_path)
    page.goto("/judge")
    begin_round(page, "Second", tmp_path, publishes=False)
    chooser, account = page.locator(".crumb summary"), page.locator(".account summary")
    log_out_button = page.get_by_role("button", name=f"Log out {JUDGE}")
    account.focus()
    page.keyboard.press("Enter")
    expect(log_out_button).to_be_visible()
    page.keyboard.press("Escape")
    expect(log_out_button).to_be_hidden()
    expect(account).to_be_focused()
    account.click()
    page.locator("h1").click()
    expect(log_out_button).to_be_hidden()
    # The choice is remembered, from the hall's other pages too.
    chooser.click()
    page.get_by_role("link", name="First", exact=True).click()
    expect(page.locator(".crumb summary")).to_have_text("First")
    page.goto("/judge/messages")
    page.locator(".tabs").get_by_role("link", name="Tables").click()
    expect(page.locator(".crumb summary")).to_have_text("First")

    plain = browser_of(page).new_context(
        base_url=page.url.split("/judge")[0],
        java_script_enabled=False,
        storage_state=page.context.storage_state(),
    )
    window = plain.new_page()
    window.goto("/judge")
    window.locator(".account summary").click()
    window.get_by_role("button", name="Italiano").click()
    expect(window.locator(".main-menu")).to_contain_text("Torneo")
