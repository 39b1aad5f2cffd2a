"""A judge and a table reach each other: messages, calls and a sign-in by phone, at a real terminal."""

import io
import re
from pathlib import Path
from typing import Final

import httpx
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from demo.hall import JUDGE, Hall, Table
from demo.processes import Processes, poll_until_timeout
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, browser_of, log_in, press, touches, wait_for

pytestmark = pytest.mark.browser
LUNCH = "Stop playing, lunch is at 13:00"
BACK_MS = 20_000


@pytest.mark.nightly
def test_a_message_is_read_at_the_table_and_the_judge_sees_it_at_once(
    station: Hall, table: Table, page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Saturday", tmp_path)
    wait_for(table, "seating")
    page.goto(f"{station.http}/judge/messages")
    page.get_by_label("Message up to").fill(f"{LUNCH}!")
    expect(page.locator("[data-preview]").first).to_have_text(f"{LUNCH}!")
    expect(page.locator("[data-count]")).to_have_text(str(len(LUNCH) + 1))
    page.get_by_role("textbox", name="Tables", exact=True).fill("1")
    expect(page.get_by_role("radio", name="These tables")).to_be_checked()
    press(page, "Send")
    expect(page.locator(".notice.good")).to_contain_text("The message is on its way.")
    wait_for(table, "message")
    expect(page.locator(".delivery")).to_contain_text("on the screen", timeout=BACK_MS)
    touches(table, "message-read-far")
    wait_for(table, "seating")
    expect(page.locator(".delivery")).to_contain_text("confirmed", timeout=BACK_MS)
    expect(page.locator("#sent")).to_contain_text("1 of 1 table has confirmed")


@pytest.mark.nightly
def test_a_terminal_is_locked_found_and_restarted_from_the_station(
    station: Hall, processes: Processes, table: Table, page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Saturday", tmp_path)
    wait_for(table, "seating")
    touches(table, "seat-2-check-in")
    page.goto(f"{station.http}/judge/terminals")
    press(page, "Lock all screens")
    wait_for(table, "glass-locked")
    page.goto(f"{station.http}/judge/terminals")
    expect(page.locator("tbody tr")).to_contain_text(f"locked by {JUDGE}")
    page.locator("tbody summary").first.click()
    press(page, "Restart")
    expect(page.locator(".notice.good")).to_contain_text("Nothing is lost.")
    log = tmp_path / "logs"
    for _ in poll_until_timeout(40, 0.2):
        said = "".join(file.read_text(errors="replace") for file in log.rglob("*.log"))
        if "restarting, as the station ordered" in said:
            break
    wait_for(table, "glass-locked")
    processes.check()
    page.locator("tbody summary").first.click()
    press(page, "Unlock the screen")
    wait_for(table, "seating")
    assert not any(target.id == "seat-2-check-in" for target in TerminalClient(table.door).see().targets)
    for _ in poll_until_timeout(40, 0.5):
        page.goto(f"{station.http}/judge/terminals")
        page.locator("tbody summary").first.click()
        if page.get_by_role("button", name="Identify", exact=True).is_enabled():
            break
    press(page, "Identify")
    wait_for(table, "identified")
    touches(table, "found")
    wait_for(table, "seating")


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
    tab = page.context.new_page()
    with tab.expect_response("**/judge/calls/badge"):
        tab.goto(path)
    return tab


@pytest.mark.nightly
def test_a_call_shows_on_every_page_rings_and_is_claimed_and_released_on_another(
    playing: Table, page: Page
) -> None:
    page.context.add_init_script(HEARD)
    players = opened(page, page.url.replace("/floor", "/players"))
    badge = players.locator(".call-badge")
    expect(badge).to_have_text("Calls")
    calls = opened(page, "/judge/calls")
    expect(calls.get_by_text("No table is calling.")).to_be_visible()
    untouched = calls.get_by_text("No sound yet")
    expect(untouched).to_be_visible()
    calls.get_by_role("heading", name="This device").click()
    expect(untouched).to_be_hidden()

    touches(playing, "call-judge")
    expect(badge).to_contain_text("1")
    expect(players).to_have_title(re.compile(r"^\(1\) Players"))
    expect(calls).to_have_title(re.compile(r"^\(1\) Calls"))
    call = calls.locator(".call-queue li")
    expect(call).to_contain_text("waiting for")
    calls.wait_for_function("() => window.tones > 0")
    assert [rang(tab)[0] for tab in (players, calls)] == [False, True]
    touches(playing, "reason-rule")
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
def test_a_browser_that_keeps_silent_remembers_it_and_plays_nothing(playing: Table, page: Page) -> None:
    page.context.add_init_script(HEARD)
    page.goto("/judge/calls")
    page.get_by_label("Play a sound for new calls").uncheck()
    page.reload()
    expect(page.get_by_label("Play a sound for new calls")).not_to_be_checked()
    page.get_by_role("heading", name="This device").click()
    touches(playing, "call-judge")
    expect(page.locator(".call-queue li")).to_contain_text("Table 1")
    page.wait_for_function("() => window.buzzes > 0")
    assert rang(page) == (False, True)


@pytest.mark.nightly
def test_the_seventh_tab_still_loads_and_a_tab_that_was_put_to_rest_says_so(floor: Page) -> None:
    for _ in range(6):
        opened(floor, "/judge/calls")
    expect(floor.locator(".live")).to_contain_text("not live")


PHONE: Final[ViewportSize] = {"width": 360, "height": 740}


def scanned(table: Table) -> str:
    for _ in poll_until_timeout(30, 0.2):
        codes = zxingcpp.read_barcodes(
            Image.open(io.BytesIO(httpx.get(f"{table.door}/screen.png").raise_for_status().content))
        )
        if codes:
            return codes[0].text
    raise AssertionError("no code on the glass")


def phone_of(browser: Browser, language: str) -> Page:
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True, locale=language
    )
    return context.new_page()


@pytest.mark.nightly
def test_a_player_scans_the_code_and_the_table_knows_it_in_the_chosen_language(
    station: Hall, table: Table, page: Page, tmp_path: Path
) -> None:
    log_in(page)
    page.goto("/judge/terminals")
    expect(page.locator("main")).to_contain_text("Only this computer can open the pages")
    page.get_by_label("Address for phones").fill(station.http)
    press(page, "Save")
    page.goto("/judge/")
    begin_round(page, "Saturday", tmp_path)
    wait_for(table, "seating")
    touches(table, "phone-sign-in")
    wait_for(table, "phone-sign-in")
    link = scanned(table)
    assert link.startswith(f"{station.http}/in/")

    phone, other = (phone_of(browser_of(page), language) for language in ("de-DE", "it-IT"))
    other.goto(link)
    phone.goto(link)
    mine = phone.locator(".sign-in a").nth(1)
    name = mine.locator("strong").inner_text()
    mine.tap()
    expect(phone.get_by_role("radio", name="Deutsch")).to_be_checked()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.get_by_role("button", name="Ich bin da").tap()
    done = f"{name}, du bist an deinem Tisch eingecheckt."
    expect(phone.locator("main")).to_contain_text(done, timeout=BACK_MS)
    expect(other.locator(".sign-in li").nth(1)).to_contain_text("presente", timeout=BACK_MS)

    touches(table, "back")
    wait_for(table, "seating")
    seen = {button.id: button.label for button in TerminalClient(table.door).see().targets}
    assert "seat-2-check-in" not in seen
    assert "seat-1-check-in" in seen
    touches(table, "undo")
    expect(phone.locator(".sign-in a")).to_have_count(5, timeout=BACK_MS)
    expect(phone.locator("main")).to_contain_text("Tippe deinen Namen an.")
