"""A player signs in by phone: a real station, a real terminal with its code, and a phone's browser."""

import io
from pathlib import Path
from typing import Final

import httpx
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from base.errors import Unavailable
from demo.hall import Hall, Table
from demo.processes import poll_until_timeout
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import begin_round, log_in, press

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
BACK_MS: Final = 15_000


def touch(table: Table, target: str, scene: str) -> None:
    """Touch a target as soon as it is there, until its scene is shown."""
    for _ in poll_until_timeout(30, 0.1):
        try:
            seen = TerminalClient(table.door).see()
        except Unavailable:
            continue
        if seen.scene == scene:
            return
        if any(button.id == target and button.enabled for button in seen.targets):
            httpx.post(f"{table.door}/touch", json={"target": target}).raise_for_status()


def scanned(table: Table) -> str:
    """Return the text that a phone's camera reads on the screen."""
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
    touch(table, "phone-sign-in", "phone-sign-in")
    link = scanned(table)
    assert link.startswith(f"{station.http}/in/")

    assert page.context.browser is not None
    phone, other = (phone_of(page.context.browser, language) for language in ("de-DE", "it-IT"))
    other.goto(link)
    phone.goto(link)
    mine = phone.locator(".sign-in a").nth(1)
    name = mine.locator("strong").inner_text()
    mine.tap()
    expect(phone.get_by_role("radio", name="Deutsch")).to_be_checked()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.get_by_role("button", name="Ich bin da").tap()
    done = f"{name}, der Tisch weiß, dass du da bist."
    expect(phone.locator("main")).to_contain_text(done, timeout=BACK_MS)
    expect(other.locator(".sign-in li").nth(1)).to_contain_text("presente", timeout=BACK_MS)

    touch(table, "back", "seating")
    seen = {button.id: button.label for button in TerminalClient(table.door).see().targets}
    assert "seat-2-check-in" not in seen
    assert "seat-1-check-in" in seen
    httpx.post(f"{table.door}/touch", json={"target": "undo"}).raise_for_status()
    expect(phone.locator(".sign-in a")).to_have_count(5, timeout=BACK_MS)
    expect(phone.locator("main")).to_contain_text("Tippe deinen Namen an.")
