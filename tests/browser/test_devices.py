"""A phone as a table's terminal: scanned, played on, cut off, moved, and gone with its game."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from demo.processes import Processes, poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from tests.browser.conftest import begin_round, browser_of, enter_law_wins, open_window, press

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
SEND = "touch => fetch('touch', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: touch})"


@pytest.fixture
def phone(page: Page, station: Hall) -> Iterator[Page]:
    context = browser_of(page).new_context(
        base_url=station.http, viewport={"width": 844, "height": 390}, has_touch=True, device_scale_factor=2
    )
    made = context.new_page()
    problems: list[str] = []
    made.on("pageerror", lambda error: problems.append(str(error)))
    yield made
    context.close()
    assert problems == []


def link_for(page: Page, table: int) -> str:
    """As the judge: show the code of a table, and read its link."""
    page.goto("/judge/devices")
    page.get_by_label("Table", exact=True).fill(str(table))
    press(page, "Show the code")
    return page.locator(".link-text").inner_text()


def scan(phone: Page, link: str) -> None:
    phone.goto(link)
    press(phone, "Use this device")
    expect(phone.locator("body")).to_have_attribute("data-scene", "seating", timeout=20_000)


def seen(phone: Page) -> Seen:
    return msgspec.convert(phone.evaluate("fetch('screen.json').then(answer => answer.json())"), Seen)


def play_to(phone: Page, scene: str) -> Seen:
    brain = Brain(1)
    for _ in poll_until_timeout(60, 0.02):
        now = seen(phone)
        if now.scene == scene:
            return now
        touch = brain.next_touch(now)
        if touch is not None:
            phone.evaluate(
                SEND, msgspec.json.encode({"target": touch.target, "hold_ms": touch.hold_ms}).decode()
            )
    raise AssertionError(f"the phone never came to {scene}")


def test_a_phone_goes_on_after_a_restart_of_the_station_and_ends_with_its_game(
    page: Page, phone: Page, station: Hall, processes: Processes, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path)
    floor = open_window(page, page.url)
    link = link_for(page, 1)
    scan(phone, link)
    # The link has been used: no other device becomes the same terminal.
    assert phone.context.request.get(link).status == 404
    # The picture fills the screen, also after the phone was turned, and is scaled rather than cut.
    for (width, height), least in (((390, 844), 780), ((360, 640), 580), ((844, 390), 790)):
        phone.set_viewport_size({"width": width, "height": height})
        expect(phone.locator("#stage")).to_be_in_viewport(ratio=1)
        stage = phone.locator("#stage").bounding_box()
        assert stage is not None
        assert max(stage["width"], stage["height"]) > least
    page.goto("/judge/devices")
    expect(page.locator("table")).to_contain_text("Shown on a device")
    play_to(phone, "play")

    # An alarm names who put it there, until a judge has seen it.
    expect(floor.locator("#table-1")).to_have_attribute("data-needs", "decide")
    page.goto("/judge/terminals")
    page.locator("a.wrong-word[href$=trouble]").click()
    expect(page.locator("main")).to_contain_text("assigned to table 1 by judge during its game")
    press(page, "Clear the alarm")

    # The judge's pages follow: a phone that goes away is seen without loading anything again.
    page.goto("/judge/devices")
    phone.goto("about:blank")
    expect(page.locator("#devices")).to_contain_text("Device disconnected", timeout=10_000)
    expect(floor.locator("#table-1")).to_have_attribute("data-needs", "cut-off")
    expect(floor.locator("#table-1")).to_contain_text("Device disconnected")
    phone.go_back()
    expect(floor.locator("#table-1")).to_have_attribute("data-needs", "plays", timeout=10_000)
    expect(page.locator("#devices")).to_contain_text("Shown on a device", timeout=10_000)
    expect(phone.locator("body")).to_have_attribute("data-scene", "play")

    processes.end("station")
    expect(phone.locator("body")).to_have_class("bare lost")
    station.restart_station()
    expect(phone.locator("body")).to_have_class("bare", timeout=30_000)
    expect(phone.locator("body")).to_have_attribute("data-scene", "play")

    # The judge's own sheet ends the game, and with it this terminal and its link.
    page.goto("/judge/")
    page.get_by_role("link", name="Open").first.click()
    page.goto(f"{page.url}/floor")
    enter_law_wins(page, 1)
    page.get_by_label("End the game at the terminal").check()
    press(page, "Confirm the record sheet")
    expect(page.locator("main")).to_contain_text("confirmed")
    expect(phone.locator("h1")).to_have_text("No terminal here", timeout=20_000)
    for _ in poll_until_timeout(20, 0.1):
        page.goto("/judge/devices")
        if not page.get_by_role("button", name="New code").count():
            break
    assert not list((tmp_path / "station" / "devices").glob("*/terminal"))


def test_a_phone_that_dies_in_a_hold_changes_nothing_and_another_takes_over(
    page: Page, phone: Page, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path)
    scan(phone, link_for(page, 1))
    before = play_to(phone, "play")
    held = next(target for target in before.targets if target.hold_ms)
    # What lies where the last touch acted takes no touch for 0.7 s.
    phone.wait_for_timeout(800)
    spot = phone.locator(f"[data-target={held.id}]").bounding_box()
    assert spot is not None
    phone.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    phone.mouse.down()
    phone.wait_for_timeout(held.hold_ms // 3)
    phone.context.set_offline(True)
    phone.wait_for_timeout(3000)
    phone.context.set_offline(False)
    expect(phone.locator("body")).to_have_class("bare", timeout=15_000)
    assert seen(phone).scene == "play"
    phone.mouse.up()
    # The same hold to its end works.
    phone.mouse.down()
    expect(phone.locator("body")).not_to_have_attribute("data-scene", "play")
    phone.mouse.up()

    page.goto("/judge/devices")
    press(page, "New code")
    link = page.locator(".link-text").inner_text()
    expect(phone.locator("h1")).to_have_text("No terminal here", timeout=15_000)
    other = phone.context.new_page()
    other.goto(link)
    press(other, "Use this device")
    expect(other.locator("#targets button").first).to_be_attached(timeout=20_000)
