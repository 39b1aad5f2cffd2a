"""A call that arrives pushes nothing away, on the floor and on other pages."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import begin_round, judge_at_work, log_in, open_window, plays_to, touches

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
    print(width, shifts)
    expect(windows["cards"].locator("#table-5")).to_have_class("table-card rings")
    assert {name: seen for name, seen in shifts.items() if sum(one[0] for one in seen) >= MOST} == {}
