"""The list of players: found, sorted and opened."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import Hall
from tests.browser.conftest import (
    begin_round,
    choose_rules,
    judge_at_work,
    log_in,
    open_spring_cup,
    press,
    register,
)

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_a_player_is_found_sorted_and_renamed(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Open", tmp_path)
    page.get_by_role("link", name="Tournament", exact=True).click()
    page.get_by_role("link", name="Players", exact=True).first.click()
    rows = page.locator("table.players tbody tr:visible")
    expect(rows).to_have_count(10)
    page.get_by_role("button", name="Player", exact=True).click()
    expect(rows.first).to_contain_text("Player A")
    page.get_by_role("button", name="Player", exact=True).click()
    expect(rows.first).to_contain_text("Player J")
    find = page.get_by_role("searchbox", name="Find a player")
    find.fill("nobody")
    expect(page.get_by_text("No player matches.")).to_be_visible()
    find.fill("yer c")
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Player C").click()
    expect(page.get_by_role("link", name="Table")).to_have_count(1)
    page.get_by_label("Name", exact=True).fill("Carla")
    press(page, "Rename")
    expect(page.get_by_role("link", name="Carla")).to_be_visible()


@pytest.mark.nightly
def test_an_archived_tournament_shows_no_title_over_forms_that_it_hides(page: Page, tmp_path: Path) -> None:
    log_in(page)
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill("Given up")
    press(page, "Open the tournament")
    register(page, tmp_path)
    here = page.url.rpartition("/")[0]
    page.goto(here)
    page.locator("summary", has_text="Archive").click()
    press(page, "Archive Given up")
    page.goto(f"{here}/players")
    expect(page.get_by_text("Made a mistake?")).to_have_count(0)
    page.get_by_role("link", name="Player C").click()
    expect(page.locator("h2:visible")).to_have_text(["Tables", "Player's page"])
    page.goto(f"{here}/check-in")
    for title in ("What players can do themselves", "Another day"):
        expect(page.get_by_text(title, exact=True)).not_to_be_visible()


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
    page.locator(".account summary").click()
    press(page, "Italiano")
    expect(page.get_by_role("heading", name="Presenze")).to_be_visible()
    assert not page.evaluate(CUT_NAME)
    page.goto("/judge/accounts")
    page.locator(".card > details > summary").first.click()
    assert page.locator(".card > details[open] > .panel").is_visible()
    assert not page.evaluate(OUTSIDE)


@pytest.mark.nightly
def test_two_players_are_swapped_by_hand_and_everybody_can_read_why(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Open", tmp_path, publishes=False)
    seats = page.locator(".seats ol")
    first, second = (seats.nth(table).locator("li").nth(2).inner_text().strip() for table in (0, 1))
    page.get_by_text("Change by hand").click()
    page.locator("select[name=player]").select_option(label=first)
    page.locator("select[name=with]").select_option(label=second)
    press(page, "Which rules would this break?")
    expect(page.locator("main")).to_contain_text("Nothing has happened yet.")
    expect(page.locator("main")).to_contain_text("stay within the rules")
    page.get_by_label(re.compile("Reason")).fill("siblings")
    press(page, "Change the draft")
    expect(page.locator("main")).to_contain_text(f"{first} and {second} swapped: siblings")
    expect(seats.nth(0).locator("li").nth(2)).to_contain_text(second)
    press(page, "Publish to the tables")
    page.goto(re.sub(r"/judge(/t/[^/]+).*", r"\1/rounds/1/draw", page.url))
    expect(page.locator("main")).to_contain_text("Drawn, then changed by hand")
    expect(page.locator("main")).to_contain_text(f"{first} and {second} swapped: siblings")


def warns(page: Page, category: str, reason: str, button: str) -> None:
    """On *Players*: warn Player A."""
    page.get_by_role("link", name="Player A").click()
    page.get_by_role("link", name="Warn or eject").click()
    form = page.locator("section", has=page.get_by_role("heading", name="Warning", exact=True))
    form.get_by_label("Category").select_option(category)
    form.get_by_label("Reason for the warning").fill(reason)
    press(page, button)


@pytest.mark.nightly
def test_a_second_warning_ejects_only_after_a_page_that_says_so(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Open", tmp_path, publishes=False)
    page.get_by_role("link", name="Players").click()
    warns(page, "slow-play", "five minutes a turn", "Warn")
    expect(page.locator("tr", has_text="Player A")).to_contain_text("Slow play: five minutes a turn")
    warns(page, "swearing", "swore at the judge", "Warn again and eject")
    expect(page.locator("h1")).to_have_text("This is the second warning: Player A will be ejected.")
    press(page, "Warn again and eject")
    expect(page.locator("tr", has_text="Player A")).to_contain_text("ejected")
    page.get_by_role("link", name="Report to the publisher").click()
    expect(page.locator("#report")).to_contain_text("Swearing or blasphemy (Championship 2022/23 v1.4, 2)")
    mail = page.get_by_role("link", name="Write the e-mail").get_attribute("href")
    assert mail is not None
    assert mail.startswith("mailto:")
    press(page, "Copy the text")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
