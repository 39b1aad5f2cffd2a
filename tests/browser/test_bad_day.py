"""A convention's day on which everything goes wrong, from the first page to the public ranking.

Two rounds of ten players: table 1 has a terminal, table 2 plays on paper.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall, Table
from demo.processes import Processes, poll_until_timeout
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import (
    choose,
    choose_rules,
    draw_lots_if_tied,
    log_in,
    open_floor,
    open_standings,
    open_window,
    press,
    publish_draw,
    register,
)
from tests.browser.test_devices import phone, play_to, seen
from tests.browser.test_small_tournament import enter_law_wins
from tests.browser.test_two_tournaments import plays_to, screen

__all__ = ["phone"]

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PASSWORD = "a horse with no name"


def touches(table: Table, *targets: str) -> None:
    """Touch one target after the other, each as soon as the terminal takes it, and hold what must be held."""
    door = TerminalClient(table.door)
    for name in targets:
        for _ in poll_until_timeout(20, 0.1):
            target = door.see().target(name)
            if target is not None and target.enabled:
                before = door.see()
                door.touch(Touch(name, 0.0, target.hold_ms))
                if name.startswith("pin-") or door.see() != before:
                    break


def here_of(page: Page) -> str:
    """Return the address of the station whose page this is."""
    return "/".join(page.url.split("/")[:3])


def invite(page: Page, name: str, role: str) -> Page:
    """Invite somebody, and open the link as they do on their own phone."""
    page.goto("/judge/accounts")
    form = page.locator("form[action='/judge/accounts/invitations']")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Role").select_option(role)
    press(page, "Create an invitation")
    browser = page.context.browser
    assert browser is not None
    guest = browser.new_context(base_url=here_of(page), viewport={"width": 390, "height": 844}).new_page()
    guest.goto(page.locator(".link-text").inner_text())
    guest.get_by_label("Password", exact=False).first.fill(PASSWORD)
    guest.get_by_label("Repeat the password").fill(PASSWORD)
    press(guest, "Create my account")
    return guest


def try_what_is_not_theirs(guest: Page, here: str) -> None:
    """As a floor judge: read and do by address what the pages don't offer."""
    for path in (f"{here}/standings", "/judge/accounts", "/judge/audit", f"{here}/history"):
        answer = guest.goto(path)
        assert answer is not None
        assert answer.status == 403, path
    guest.goto(f"{here}/floor")
    expect(guest.locator(".live")).to_have_text("live")
    for word in ("Standings", "History", "Accounts", "Audit"):
        expect(guest.get_by_role("link", name=word, exact=True)).to_have_count(0)


def test_a_day_on_which_everything_goes_wrong(
    table: Table, page: Page, phone: Page, running: tuple[Hall, Processes], tmp_path: Path
) -> None:
    station, processes = running
    log_in(page)
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill("Bad Day")
    page.get_by_label("Fewer rounds").fill("2")
    press(page, "Open the tournament")
    register(page, tmp_path)
    publish_draw(page)
    here = re.sub(r"/floor.*", "", page.url)
    guest = invite(page, "Flo", "floor-judge")
    try_what_is_not_theirs(guest, here)
    page.goto(f"{here}/floor")

    # The station restarts while a table calls: the call is there once, for all, and can be claimed.
    plays_to(table, "play")
    processes.kill("station")
    expect(page.locator(".live")).to_contain_text("not live")
    touches(table, "call-judge")
    station.restart_station()
    expect(page.locator(".live")).to_have_text("live", timeout=30_000)
    expect(page.locator("#table-1")).to_contain_text("calls the judge", timeout=15_000)
    guest.goto("/judge/calls")
    expect(guest.get_by_role("link", name="Table 1")).to_have_count(1)
    press(guest, "On my way")
    expect(page.locator("#table-1")).to_contain_text("Flo is on the way", timeout=15_000)

    # Flo comes, and ejects a player at the table itself.
    plays_to(table, "play")
    page.goto("/judge/terminals/pins")
    pin = page.locator("[data-table='1']").get_attribute("data-pin") or ""
    touches(table, "menu", "judge-menu", *(f"pin-{digit}" for digit in pin), "pin-ok", "player-leaves",
            "leaves-seat-4", "seat-4-eject", "offence-cheating", "reason-1", "do-it")  # fmt: skip
    page.goto(f"{here}/tables/1/1/")
    expect(page.locator("main")).to_contain_text("The judge ejects", timeout=15_000)
    expect(page.locator(".badge", has_text="ejected")).to_have_count(1)

    # The terminal dies; a phone goes on with the game.
    plays_to(table, "play")
    turn = screen(table)
    processes.kill("terminal-1")
    page.goto(f"{here}/floor")
    page.locator("#table-1").get_by_role("link", name="Swap terminal").click()
    press(page, "Use a phone or tablet")
    phone.goto(page.locator(".link-text").inner_text())
    press(phone, "Use this device")
    expect(phone.locator("body")).to_have_attribute("data-scene", "play", timeout=20_000)
    assert {t.id for t in seen(phone).targets if t.id.startswith("life-")} == {
        t.id for t in turn.targets if t.id.startswith("life-")
    }

    # It plays to the end; table 2 is on paper, and its sheet is typed wrong.
    play_to(phone, "sheet")
    page.goto(f"{here}/floor")
    page.locator("#table-1").get_by_role("button", name="Confirm the record sheet").click()
    expect(page.locator("#table-1")).to_contain_text("confirmed")
    enter_law_wins(page, 2)
    press(page, "Confirm the record sheet")
    expect(phone.locator("h1")).to_have_text("No terminal here", timeout=20_000)

    # The ejected player is out at the tournament as well; one drops, one comes late.
    page.goto(f"{here}/players")
    expect(page.get_by_role("alert").first.get_by_label("Category")).to_have_value("cheating")
    page.get_by_role("button", name=re.compile("^Eject Player")).click()
    page.goto(f"{here}/players")
    expect(page.locator("tr", has_text="ejected")).to_have_count(1)
    page.locator("tr").filter(has_text="Player").filter(has_not_text="ejected").last.get_by_role(
        "link"
    ).first.click()
    page.get_by_label("Reason for leaving").fill("a train to catch")
    press(page, "Withdraw")
    page.goto(f"{here}/players")
    page.locator("summary", has_text="Open late entry").click()
    page.locator("form[action$='/late-entry']").get_by_label("Reason").fill("the bus was late")
    page.locator("form[action$='/late-entry']").get_by_role("button").click()
    for name in ("Late Lucy", "Late Luke"):
        page.get_by_label("Name", exact=True).fill(name)
        press(page, "Add")
    expect(page.locator("tr", has_text="Late Luke")).to_have_count(1)
    page.get_by_role("link", name="Draw").first.click()
    press(page, "Seal the draw: Round 2")
    publish_draw(page)

    # The sheet of the last round was wrong, found when the next one is drawn.
    page.goto(f"{here}/tables/1/2/")
    page.get_by_role("link", name="Correct the record sheet").click()
    choose(page, "by-1", "4")
    press(page, "Show ending and winnings")
    page.get_by_label("Reason for the correction").fill("seat 4 shot")
    press(page, "Confirm the correction")
    expect(page.locator("main")).to_contain_text("Corrected: seat 4 shot")

    # Both tables of the second round play on paper, as nobody has a network.
    other = open_window(page, f"{here}/floor")
    page.goto(f"{here}/floor")
    for number in (1, 2):
        enter_law_wins(page, number)
        press(page, "Confirm the record sheet")
        expect(other.locator(f"#table-{number}")).to_contain_text("confirmed")
    open_floor(page)
    open_standings(page)
    draw_lots_if_tied(page)
    press(page, "Publish the ranking")
    expect(page.locator("table.ranking")).to_contain_text("Late Lucy")
    page.goto(f"{here}/history")
    for note in ("the bus was late", "a train to catch", "seat 4 shot"):
        expect(page.locator("main")).to_contain_text(note)
