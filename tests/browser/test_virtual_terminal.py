"""The page of a virtual terminal: by mouse, several fingers, keyboard, and for a screen reader."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.game.orders import AssignTable
from core.game.state.game import GameState
from demo.processes import poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.browser.conftest import close_windows
from tests.kiosk.rig.games import TABLE, seat_game
from tests.kiosk.rig.live_table import LiveTable
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging

pytestmark = pytest.mark.browser


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path, Rigging(door=True))
    table.order(AssignTable(TABLE, CHEAP_PIN), seat_game())
    yield table
    table.close()


@pytest.fixture
def page(browser: Browser, live: LiveTable) -> Iterator[Page]:
    page = browser.new_context(base_url=live.url, has_touch=True).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/")
    yield page
    close_windows(browser)
    assert problems == []


def begin(live: LiveTable, page: Page) -> None:
    """The players come and choose; the first turn begins."""
    door, brain = TerminalClient(live.url), Brain(1)
    expect(page.locator("body")).to_have_attribute("data-scene", "seating")
    for _ in poll_until_timeout(30, 0.01):
        seen = door.see()
        if seen.scene == "play":
            break
        touch = brain.next_touch(seen)
        if touch is not None:
            door.touch(touch)
    expect(page.locator("body")).to_have_attribute("data-scene", "play")
    # What lies where the last touch acted takes no touch for 0.7 s.
    page.wait_for_timeout(800)


def game(live: LiveTable) -> GameState:
    playing = live.table.terminal.view(live.table.clock.now_ms).game
    assert playing is not None
    return playing


def target(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(f"[data-target={name}]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.nightly
def test_mouse_and_two_fingers_and_the_table_turned_around(live: LiveTable, page: Page) -> None:
    begin(live, page)
    seats = game(live).seats
    page.mouse.click(*target(page, "seat-2-minus"))
    expect(page.locator("[data-target=undo]")).to_have_attribute("aria-disabled", "false")
    expect(page.locator("#targets")).to_contain_text("Undo")
    page.get_by_role("button", name="Rotate the table").click()
    fingers = page.context.new_cdp_session(page)
    points = [
        {"x": x, "y": y, "id": number}
        for number, name in enumerate(("seat-3-minus", "seat-4-minus"))
        for x, y in (target(page, name),)
    ]
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    expect(page.locator(".spot")).to_have_count(2)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".spot")).to_have_count(0)
    wounded = [seats[0].life, *(seat.life - 1 for seat in seats[1:4]), seats[4].life]
    for _ in poll_until_timeout(10, 0.02):
        if [seat.life for seat in game(live).seats] == wounded:
            break


@pytest.mark.parametrize(("width", "height"), [(844, 390), (360, 640), (1280, 720)])
def test_no_seat_is_below_the_end_of_the_page(live: LiveTable, page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator("body")).to_have_attribute("data-scene", "seating")
    for target in TerminalClient(live.url).see().targets:
        expect(page.locator(f"[data-target={target.id}]")).to_be_in_viewport(ratio=0.99)


def test_the_keyboard_is_a_hand(live: LiveTable, page: Page) -> None:
    begin(live, page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to screen")).to_be_focused()
    page.locator("[data-target=seat-1-minus]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-target=seat-1-minus]")).not_to_be_focused()
    page.locator("[data-target=seat-2-menu]").focus()
    page.keyboard.down("Enter")
    expect(page.locator("body")).to_have_attribute("data-scene", "player-menu")
    page.keyboard.up("Enter")
    # What lies where a finger just acted takes no second touch for 0.7 s.
    page.wait_for_timeout(800)
    page.locator("[data-target=back]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-scene", "play")
    page.keyboard.press("r")
    expect(page.locator("#targets")).to_contain_text("Deck 2")
    page.keyboard.press("j")
    expect(page.get_by_role("img", name="Lamp: judge called")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("switch", name="Judge's key")).to_be_checked()


@pytest.mark.nightly
def test_a_screen_reader_finds_everything_by_name_and_hears_what_is_new(live: LiveTable, page: Page) -> None:
    begin(live, page)
    announced = page.locator("#told")
    expect(announced).to_contain_text("turn")
    for button in page.locator("button:visible").all():
        expect(button).to_have_accessible_name(re.compile(r"\w"))
    labels = [target.label for target in TerminalClient(live.url).see().targets]
    for label in labels:
        expect(page.get_by_role("button", name=label).first).to_be_attached()
    expect(page.locator("[tabindex]:not([tabindex='-1'])")).to_have_count(0)
    expect(page.get_by_role("region")).to_have_count(2)
    page.get_by_role("button", name="End turn", exact=True).first.dispatch_event("click")
    expect(announced).to_contain_text("Bartolomeo")
    page.locator("[data-target=menu]").dispatch_event("click")
    expect(announced).to_contain_text("Menu")
    page.locator("[data-target=language]").dispatch_event("click")
    page.locator("[data-target=language-it]").dispatch_event("click")
    expect(page.locator("html")).to_have_attribute("lang", "it")
