"""The morning of a convention: helpers at the desk, a player with a phone, the draw that waits."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import Hall
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup, press

pytestmark = pytest.mark.browser
PLAYERS = [f"Player {number}" for number in range(5, 12)]
NAMES = ["Anna Müller", "Bruno Rossi", "Carla Bianchi", "Dario Bianchi", *PLAYERS]


@pytest.fixture
def tournament(station: Hall, page: Page) -> str:
    """A tournament of eleven players; a helper is at the page of check-in."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, NAMES)
    log_in(page)
    page.goto(f"/judge/t/{judge.tournament}/check-in")
    return judge.tournament


@pytest.fixture
def phone(browser: Browser, station: Hall) -> Iterator[Page]:
    """A player's phone, without an account."""
    context = browser.new_context(base_url=station.http, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def own_link(page: Page, tournament: str, name: str) -> str:
    """The page that the code on a player's badge opens."""
    page.goto(f"/judge/t/{tournament}/players")
    page.get_by_role("link", name=name).click()
    return str(page.locator("a[href^='/me/']").get_attribute("href"))


def test_a_name_and_enter_check_a_player_in_and_the_other_helper_sees_it(
    tournament: str, page: Page, browser: Browser, station: Hall
) -> None:
    other = browser.new_context(base_url=station.http).new_page()
    log_in(other)
    other.goto(f"/judge/t/{tournament}/check-in")
    other.get_by_label("Find a player").fill("player")
    search = page.get_by_label("Find a player")
    search.fill("bianchi")
    expect(page.locator(".players tbody tr:visible")).to_have_count(2)
    search.press("Enter")
    expect(page.locator(".lead")).to_have_text("0 of 11 players are here")
    page.mouse.wheel(0, 400)
    search.fill("muller")
    search.press("Enter")
    expect(page.locator(".lead")).to_have_text("1 of 11 players are here")
    expect(page.get_by_role("status").filter(has_text="Anna Müller is here.")).to_be_visible()
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    assert page.evaluate("scrollY") == 0
    expect(other.locator(".lead")).to_have_text("1 of 11 players are here")
    expect(other.locator(".players tbody tr:visible")).to_have_count(7)
    expect(other.get_by_label("Find a player")).to_have_value("player")
    other.context.close()


@pytest.mark.nightly
def test_a_scanner_that_types_checks_in_and_the_slip_is_undone(
    tournament: str, page: Page, station: Hall
) -> None:
    link = own_link(page, tournament, "Dario Bianchi")
    page.goto(f"/judge/t/{tournament}/check-in")
    expect(page.get_by_label("Find a player")).to_be_focused()
    page.keyboard.type(f"{station.http}{link}")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Dario Bianchi is here.")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text("Dario Bianchi isn't here yet.")).to_be_visible()
    expect(page.locator(".lead")).to_have_text("0 of 11 players are here")


@pytest.mark.nightly
def test_a_badge_on_the_helpers_phone_and_the_players_own_page(
    tournament: str, page: Page, phone: Page
) -> None:
    link = own_link(page, tournament, "Carla Bianchi")
    phone.goto(link)
    expect(phone.get_by_role("img", name="Carla Bianchi's code")).to_be_visible()
    page.goto(link)
    press(page, "Check in Carla Bianchi")
    expect(page.locator(".card.ask")).to_contain_text("here")
    expect(phone.locator("#own")).to_contain_text("You're checked in.", timeout=60_000)

    page.goto(f"/judge/t/{tournament}/draw")
    expect(page.locator(".missing")).to_contain_text("10 players haven't checked in:")
    page.get_by_label(re.compile("Seat them anyway")).check()
    page.get_by_role("button", name="Seal the draw").click()
    press(page, "Draw tables and Sheriffs")
    page.get_by_role("button", name="Publish to the tables").click()
    expect(phone.locator(".own-seat")).to_contain_text("Table", timeout=60_000)
    assert phone.locator(".own-table [aria-current]").inner_text().startswith("Carla Bianchi")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


OUTSIDE = """
[...document.querySelectorAll(".card > details > .panel")].some(
  panel => panel.getBoundingClientRect().right > panel.closest(".card").getBoundingClientRect().right)
"""
CUT_NAME = "(name => name.scrollWidth > name.clientWidth)(document.querySelector('.crumb'))"


@pytest.mark.nightly
@pytest.mark.usefixtures("tournament")
def test_a_name_in_the_header_and_an_opened_panel_have_room(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(".languages summary").click()
    press(page, "Italiano")
    expect(page.get_by_role("heading", name="Presenze")).to_be_visible()
    assert not page.evaluate(CUT_NAME)
    page.goto("/judge/accounts")
    page.locator(".card > details > summary").first.click()
    assert page.locator(".card > details[open] > .panel").is_visible()
    assert not page.evaluate(OUTSIDE)
