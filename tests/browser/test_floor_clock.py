"""The clock of a round, as two judges see it."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import begin_round, log_in, open_window, press

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def test_one_judge_starts_and_extends_and_the_other_sees_it(
    station: Hall, page: Page, tmp_path: Path
) -> None:
    log_in(page)
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
