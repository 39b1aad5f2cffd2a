"""Check-in at the door: one action per player, without the station for a while, and by the phone's camera."""

import re
from io import BytesIO
from pathlib import Path

import pytest
import segno
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page, Playwright, Route, expect

from demo.hall import JUDGE_PASSWORD, Hall
from tests.browser.conftest import QUIET, find_program, judge_at_work, log_in, log_in_here, open_spring_cup

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
    expect(other.locator("#door-recent strong")).to_have_text(
        ["Player Ten", *(f"Player {word}" for word in ("Nine", "Eight", "Seven", "Six"))]
    )
    other.get_by_role("button", name="Undo Player Ten").click()
    answer(other, "good", "Check-in undone: Player Ten")
    expect(page.locator("#door-count")).to_have_text("11 of 12")
    page.get_by_role("button", name="Undo Player Ten").click()
    answer(page, "bad", "Nothing was undone: Player Ten was changed meanwhile.")
    expect(page.locator("#door-typed")).to_be_focused()
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

    check_in(page, "five")
    answer(page, "good", "Player Five is here.")
    page.route("**/*", _is_away)
    for text in ("asa", "zorro", "nunez", "six"):
        check_in(page, text)
    expect(page.get_by_text("4 not sent yet")).to_be_visible()
    answer(page, "wait", "six: saved in this browser")
    page.get_by_role("button", name="Undo six").click()
    page.get_by_role("button", name="Undo Player Five").click()
    answer(page, "wait", "Undo Player Five: saved in this browser")
    page.reload()
    expect(page.get_by_text("4 not sent yet")).to_be_visible()
    page.unroute("**/*")
    expect(page.locator("#door-recent strong")).to_have_text(["José Núñez", "Åsa Öberg"], timeout=20_000)
    expect(page.locator("#door-count")).to_have_text("2 of 12")
    expect(page.get_by_text("not sent yet")).to_be_hidden()
    said = "No name, club or number matches “zorro”. Try the number, or scan the badge."
    expect(page.locator("#door-refused li")).to_have_text([said])
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


def film_of(code: str, path: Path) -> None:
    """Write a video as a camera sees a badge: tilted, blurred, grainy, and only after a while."""
    out = BytesIO()
    segno.make(code, error="m").save(out, kind="png", scale=6)
    badge = Image.open(out).convert("L").resize((260, 260))
    size, corners = (640, 480), (-170, -90, -230, 420, 520, 370, 430, -140)
    tilted = Image.new("L", size, 90)
    tilted.paste(badge.transform(size, Image.Transform.QUAD, corners, fillcolor=90), (0, 0))
    noise = Image.effect_noise(size, 40)
    seen = Image.blend(tilted.filter(ImageFilter.GaussianBlur(1.2)), noise, 0.15)
    grey = bytes([128]) * (size[0] * size[1] // 2)
    with path.open("wb") as film:
        film.write(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n")
        for number in range(40):
            film.write(b"FRAME\n" + (noise if number < 10 else seen).tobytes() + grey)


def test_a_real_camera_reads_a_tilted_badge_and_the_page_says_when_it_is_blind(
    tournament: str, page: Page, station: Hall, playwright: Playwright, tmp_path: Path
) -> None:
    film = tmp_path / "badge.y4m"
    film_of(f"{station.http}{badge_of(page, tournament, 'Player Ten')}", film)
    arguments = [*QUIET, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                 f"--use-file-for-fake-video-capture={film}"]  # fmt: skip
    chromium = playwright.chromium.launch(
        executable_path=find_program("chromium", "chromium-browser"), args=arguments
    )
    helper = chromium.new_context(base_url=station.http).new_page()
    log_in(helper)
    helper.goto(f"/judge/t/{tournament}/check-in/door")
    expect(helper.locator("#door-hint")).to_be_hidden()
    helper.get_by_role("button", name="Scan with the camera").click()
    answer(helper, "good", "Player Ten is here.")
    expect(helper.locator("#door-count")).to_have_text("1 of 12")
    helper.context.set_offline(True)
    expect(helper.get_by_text("This browser needs the station to read codes")).to_be_visible(timeout=15_000)
    helper.context.set_offline(False)
    expect(helper.get_by_text("This browser needs the station to read codes")).to_be_hidden(timeout=15_000)
    helper.get_by_role("button", name="Stop the camera").click()
    expect(helper.locator("#door-video")).to_be_hidden()
    chromium.close()


def test_two_helpers_without_a_network_check_each_player_in_once(
    tournament: str, page: Page, browser: Browser, station: Hall
) -> None:
    page.goto("/judge/accounts")
    account = page.locator("form[action='/judge/accounts']")
    page.locator("details", has=account).locator("summary").click()
    for field, value in (("name", "Ada"), ("password", JUDGE_PASSWORD)):
        account.locator(f"[name={field}]").fill(value)
    account.locator("[name=role]").select_option("organiser")
    account.get_by_role("button").click()
    other = browser.new_context(base_url=station.http).new_page()
    other.goto("/login")
    log_in_here(other, JUDGE_PASSWORD, "Ada")
    for helper in (page, other):
        helper.goto(f"/judge/t/{tournament}/check-in/door")
        helper.context.set_offline(True)
    for text in TYPED[:6]:
        check_in(page, text)
    for text in ("zak", *TYPED[6:10], "zorro"):  # Łukasz shows his badge at both doors
        check_in(other, text)
    expect(page.get_by_text("6 not sent yet")).to_be_visible(timeout=15_000)
    expect(other.get_by_text("6 not sent yet")).to_be_visible(timeout=15_000)
    page.context.set_offline(False)
    expect(page.locator("#door-count")).to_have_text("6 of 12", timeout=30_000)
    other.context.set_offline(False)
    for helper in (page, other):
        expect(helper.locator("#door-count")).to_have_text("10 of 12", timeout=30_000)
        expect(helper.get_by_text("not sent yet")).to_be_hidden()
    expect(page.locator("#door-refused li")).to_have_count(0)
    expect(other.locator("#door-refused li")).to_have_text(
        [
            re.compile(r"Łukasz Żak was already here, \d\d:\d\d, by judge"),
            "No name, club or number matches “zorro”. Try the number, or scan the badge.",
        ]
    )
    other.context.close()


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
