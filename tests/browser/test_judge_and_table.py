"""A judge reaches for a table: a real browser, a real station, a real terminal program at the other end."""

import contextlib
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from base.errors import Unavailable
from demo.hall import JUDGE, Hall, Table
from demo.processes import Processes, poll_until_timeout
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, press

pytestmark = pytest.mark.browser
LUNCH = "Stop playing, lunch is at 13:00"
BACK_MS = 20_000


def wait_for(table: Table, scene: str) -> None:
    """Until the terminal shows a scene; it may be starting."""
    seen = ""
    for _ in poll_until_timeout(40, 0.1):
        with contextlib.suppress(Unavailable):
            seen = TerminalClient(table.door).see().scene
        if seen == scene:
            return


def touch(table: Table, target: str) -> None:
    for _ in poll_until_timeout(20, 0.1):
        if httpx.post(f"{table.door}/touch", json={"target": target}).status_code == httpx.codes.OK:
            return


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
    touch(table, "message-read-far")
    wait_for(table, "seating")
    expect(page.locator(".delivery")).to_contain_text("confirmed", timeout=BACK_MS)
    expect(page.locator("#sent")).to_contain_text("1 of 1 table has confirmed")


@pytest.mark.nightly
def test_a_terminal_is_locked_found_and_restarted_from_the_station(
    station: Hall, processes: Processes, table: Table, page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Saturday", tmp_path)
    wait_for(table, "seating")
    touch(table, "seat-2-check-in")
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
    touch(table, "found")
    wait_for(table, "seating")
