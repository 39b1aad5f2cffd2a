"""Check-in at the door: one action per player, without the station for a while, and by the phone's camera."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from demo.hall import Hall
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup

pytestmark = pytest.mark.browser

NAMES = ["Åsa Öberg", "José Núñez", "Łukasz Żak", "Anna Müller", "Carla Bianchi", "Dario Bianchi",
         *(f"Player {word}" for word in ("Five", "Six", "Seven", "Eight", "Nine", "Ten"))]  # fmt: skip
TYPED = ["asa", "nunez", "zak", "muller", "bianchi carla", "dario", "five", "six", "SEVEN", "eight", "nine"]


@pytest.fixture
def tournament(station: Hall, page: Page) -> str:
    """Twelve players are registered; a helper is logged in."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, NAMES)
    log_in(page)
    return judge.tournament


def badge_of(page: Page, tournament: str, name: str) -> str:
    page.goto(f"/judge/t/{tournament}/players")
    page.get_by_role("link", name=name).click()
    return str(page.locator("a[href^='/me/']").get_attribute("href"))


def check_in(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def answer(page: Page, mood: str, text: str) -> None:
    expect(page.locator(f".door-last.{mood} .door-name")).to_have_text(re.compile(text))


def test_twelve_players_are_twelve_actions_and_the_other_helper_counts_along(
    tournament: str, page: Page, browser: Browser, station: Hall
) -> None:
    badge = badge_of(page, tournament, "Player Ten")
    other = browser.new_context(base_url=station.http).new_page()
    log_in(other)
    other.goto(f"/judge/t/{tournament}/check-in/door")
    page.goto(f"/judge/t/{tournament}/check-in/door")
    page.evaluate("window.isSamePage = true")
    for text in (*TYPED, f"{station.http}{badge}".upper()):
        check_in(page, text)  # without waiting, as a scanner types
    expect(page.locator("#door-count")).to_have_text("12 of 12")
    answer(page, "good", "Player Ten is here.")
    expect(page.locator("#door-typed")).to_be_focused()
    assert page.evaluate("window.isSamePage"), "no page was loaded"
    expect(other.locator("#door-count")).to_have_text("12 of 12")
    check_in(other, "carla")
    answer(other, "bad", r"Carla Bianchi was already here, \d\d:\d\d, by judge")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Player Ten isn't here yet.")).to_be_visible()
    expect(other.locator("#door-count")).to_have_text("11 of 12")
    other.context.close()


@pytest.mark.nightly
def test_twelve_players_are_twelve_actions_at_the_list(tournament: str, page: Page) -> None:
    page.goto(f"/judge/t/{tournament}/check-in")
    for number, text in enumerate((*TYPED, "ten"), 1):
        check_in(page, text)
        expect(page.locator(".lead")).to_have_text(f"{number} of 12 players are here")
        expect(page.get_by_label("Find a player")).to_be_focused()
        expect(page.get_by_label("Find a player")).to_have_value("")
        assert page.evaluate("scrollY") == 0


def test_what_was_typed_without_the_station_is_sent_once_it_answers(tournament: str, page: Page) -> None:
    page.goto(f"/judge/t/{tournament}/check-in/door")

    def _is_away(route: Route) -> None:
        is_page = route.request.method == "GET" and not route.request.url.endswith("/health")
        route.continue_() if is_page else route.abort()

    page.route("**/*", _is_away)
    for text in ("asa", "zorro", "nunez"):
        check_in(page, text)
    expect(page.get_by_text("3 not sent yet")).to_be_visible()
    answer(page, "wait", "nunez: saved in this browser")
    page.reload()
    expect(page.get_by_text("3 not sent yet")).to_be_visible()
    page.unroute("**/*")
    expect(page.locator("#door-count")).to_have_text("2 of 12", timeout=20_000)
    expect(page.get_by_text("not sent yet")).to_be_hidden()
    expect(page.locator("#door-refused li")).to_have_text(["Nobody is registered as “zorro”."])
    page.get_by_role("button", name="Clear the list").click()
    expect(page.locator("#door-refused")).to_be_hidden()


@pytest.mark.nightly
def test_a_form_whose_answer_was_lost_is_no_second_check_in(tournament: str, page: Page) -> None:
    page.goto(f"/judge/t/{tournament}/check-in/door")

    def _loses_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/check-in/door", _loses_answer, times=1)
    check_in(page, "asa")
    answer(page, "good", "Åsa Öberg is here.")
    expect(page.locator("#door-refused")).to_be_hidden()


CAMERA = """
window.BarcodeDetector = class {
  async detect() { return window.codes.splice(0, 1).map(rawValue => ({ rawValue })); }
};
window.codes = [];
const canvas = document.createElement("canvas");
setInterval(() => canvas.getContext("2d").fillRect(0, 0, 300, Math.random() * 150), 100);
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5);
"""


@pytest.mark.nightly
def test_a_camera_that_the_browser_reads_checks_in_and_others_are_sent_to_the_phones_own(
    tournament: str, page: Page, station: Hall
) -> None:
    badge = badge_of(page, tournament, "Player Ten")
    page.goto(f"/judge/t/{tournament}/check-in/door")
    expect(page.get_by_role("button", name="Scan with the camera")).to_be_hidden()
    expect(page.get_by_text("point the phone's own camera app at a badge")).to_be_visible()
    page.add_init_script(CAMERA)
    page.reload()
    expect(page.locator("#door-hint")).to_be_hidden()
    page.get_by_role("button", name="Scan with the camera").click()
    page.evaluate("code => window.codes.push(code, code, code)", f"{station.http}{badge}")
    answer(page, "good", "Player Ten is here.")
    page.get_by_role("button", name="Stop the camera").click()
    expect(page.locator("#door-video")).to_be_hidden()
    answer(page, "good", "Player Ten is here.")


@pytest.mark.nightly
def test_what_was_typed_after_the_session_ended_is_sent_after_logging_in_again(
    tournament: str, page: Page
) -> None:
    page.goto(f"/judge/t/{tournament}/check-in/door")
    page.context.clear_cookies()
    check_in(page, "asa")
    # The page says so, unless it has already led to the login by itself.
    expect(page.locator("main")).to_contain_text(
        re.compile("Reload this page, and log in if asked|Judge login")
    )
    log_in(page)
    page.goto(f"/judge/t/{tournament}/check-in/door")
    expect(page.locator("#door-count")).to_have_text("1 of 12")
    answer(page, "good", "Åsa Öberg is here.")
