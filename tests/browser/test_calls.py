"""A table calls: every judge's page shows it and rings, one judge goes, and another page knows."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Table
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, log_in, press
from tests.browser.test_two_tournaments import plays_to

pytestmark = pytest.mark.browser

HEARD = """
window.tones = 0;
window.buzzes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
navigator.vibrate = () => { window.buzzes += 1; return true; };
"""
"""Counts what is played and how often the phone vibrates; both happen all the same."""


def rang(page: Page) -> tuple[bool, bool]:
    tones, buzzes = page.evaluate("[window.tones, window.buzzes]")
    return tones > 0, buzzes > 0


def opened(page: Page, path: str) -> Page:
    """Another tab of the same judge, whose stream has begun."""
    tab = page.context.new_page()
    with tab.expect_response("**/judge/calls/badge"):
        tab.goto(path)
    return tab


@pytest.mark.nightly
def test_a_call_shows_on_every_page_rings_and_is_claimed_and_released_on_another(
    table: Table, page: Page, tmp_path: Path
) -> None:
    page.context.add_init_script(HEARD)
    log_in(page)
    begin_round(page, "Open", tmp_path)
    plays_to(table, "play")
    door = TerminalClient(table.door)
    players = opened(page, page.url.replace("/floor", "/players"))
    badge = players.locator(".call-badge")
    expect(badge).to_have_text("Calls")
    calls = opened(page, "/judge/calls")
    expect(calls.get_by_text("No table is calling.")).to_be_visible()
    untouched = calls.get_by_text("No sound yet")
    expect(untouched).to_be_visible()
    calls.get_by_role("heading", name="This device").click()
    expect(untouched).to_be_hidden()

    door.touch(Touch("call-judge", 0.0))
    expect(badge).to_contain_text("1")
    expect(players).to_have_title(re.compile(r"^\(1\) Players"))
    expect(calls).to_have_title(re.compile(r"^\(1\) Calls"))
    call = calls.locator(".call-queue li")
    expect(call).to_contain_text("waiting for")
    calls.wait_for_function("() => window.tones > 0")
    assert [rang(tab)[0] for tab in (players, calls)] == [False, True]
    door.touch(Touch("reason-rule", 0.0))
    expect(call).to_contain_text("Rule question")

    press(calls, "On my way")
    expect(call).to_contain_text("is on the way")
    expect(badge).to_have_text("Calls")
    expect(players).to_have_title(re.compile(r"^Players"))
    press(calls, "Release")
    expect(badge).to_contain_text("1")
    press(calls, "Done")
    expect(calls.get_by_text("No table is calling.")).to_be_visible()
    expect(calls.get_by_role("heading", name="Response times")).to_be_visible()
    expect(badge).to_have_text("Calls")


@pytest.mark.nightly
def test_a_browser_that_keeps_silent_remembers_it_and_plays_nothing(
    table: Table, page: Page, tmp_path: Path
) -> None:
    page.context.add_init_script(HEARD)
    log_in(page)
    begin_round(page, "Open", tmp_path)
    plays_to(table, "play")
    page.goto("/judge/calls")
    page.get_by_label("Play a sound for new calls").uncheck()
    page.reload()
    expect(page.get_by_label("Play a sound for new calls")).not_to_be_checked()
    page.get_by_role("heading", name="This device").click()
    TerminalClient(table.door).touch(Touch("call-judge", 0.0))
    expect(page.locator(".call-queue li")).to_contain_text("Table 1")
    page.wait_for_function("() => window.buzzes > 0")
    assert rang(page) == (False, True)


@pytest.mark.nightly
def test_the_seventh_tab_still_loads_and_a_tab_that_was_put_to_rest_says_so(
    table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    begin_round(page, "Open", tmp_path)
    expect(page.locator(".live")).to_have_text("live")
    for _ in range(6):
        opened(page, "/judge/calls")
    expect(page.locator(".live")).to_contain_text("not live")
