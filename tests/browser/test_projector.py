"""A screen in the hall, in Chromium: every name once, large enough, never cut, and it never goes dark."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import Hall
from tests.browser.conftest import (
    begin_round,
    confirm_law_wins,
    judge_at_work,
    log_in,
    open_spring_cup,
    press,
    publish_ranking,
)

pytestmark = pytest.mark.browser

FIRST = ("Anna", "Bartolomea-Clementina", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hugo")
LAST = ("Rossi", "Bianchi", "Ferrari", "Fernández de la Vega", "Romano", "Colombo", "Ricci", "Marino")
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]
SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
SEEN = """() => [...document.querySelectorAll('.page.now .line')].filter(line => {
    const place = line.getBoundingClientRect();
    const isWide = place.left >= 0 && place.right <= innerWidth + 1;
    return isWide && place.top >= 0 && place.bottom <= innerHeight + 1;
}).map(line => line.querySelector('span').textContent)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.page.now .line span')].map(
    one => parseFloat(getComputedStyle(one).fontSize))) / innerHeight"""

SMALL_CUT_OR_COVERED = """() => {
    const names = [...document.querySelectorAll('.page.now .line span, .page.now li')];
    const strip = document.getElementById('code').getBoundingClientRect().top;
    const isSmall = one => parseFloat(getComputedStyle(one).fontSize) < innerHeight / 30;
    const isCut = one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0;
    const isCovered = one => one.getBoundingClientRect().bottom > strip;
    return [isSmall, isCut, isCovered].map(wrong => names.filter(wrong).map(one => one.textContent));
}"""


@pytest.fixture
def link(station: Hall, page: Page) -> str:
    """The link of a screen that shows seats by name; the first round is published."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, NAMES)
        judge.begin_round("cactus")
    log_in(page)
    page.goto(f"/judge/t/{judge.tournament}/projectors")
    page.get_by_role("textbox", name="Name").fill("Entrance")
    press(page, "Add a screen")
    page.get_by_text("Keep one page on the screen").click()
    press(page, "seats by name")
    return str(page.get_by_role("link", name="Open", exact=True).get_attribute("href"))


@pytest.fixture
def screen(browser: Browser, station: Hall) -> Iterator[Page]:
    context = browser.new_context(base_url=station.http)
    yield context.new_page()
    context.close()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_name_is_shown_once_and_can_be_read_from_afar(
    link: str, screen: Page, size: tuple[int, int]
) -> None:
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    screen.goto(link)
    screen.wait_for_selector(".page.now .line")
    # Columns have their width when the letters are there.
    screen.evaluate("document.fonts.ready.then(() => document.fonts.load('20px Barlow')).then(() => true)")
    screen.wait_for_timeout(500)
    seen: list[str] = []
    parts = int(screen.locator("#count").inner_text().partition("/")[2] or 1)
    for part in range(parts):
        if part:
            screen.keyboard.press("PageDown")
        seen += screen.evaluate(SEEN)
        assert screen.evaluate(SMALLEST) > 0.04
    assert sorted(seen) == sorted(NAMES)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_page_that_follows_the_day_has_small_names_cuts_them_or_puts_the_code_over_them(
    link: str, screen: Page, page: Page, size: tuple[int, int]
) -> None:
    press(page, "Follow the day")
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    screen.goto(link.replace("127.0.0.1", "station.example"))
    screen.wait_for_selector(".page.now .line")
    screen.wait_for_selector("#code")
    screen.wait_for_timeout(500)
    seen = set()
    for _ in range(12):
        seen.add(screen.evaluate("document.querySelector('.page.now').dataset.page"))
        assert screen.evaluate(SMALL_CUT_OR_COVERED) == [[], [], []]
        screen.keyboard.press("PageDown")
    assert {"seats-by-name", "seats-by-table", "clock", "tables"} <= seen


@pytest.mark.nightly
def test_pages_turn_and_follow_the_judge(link: str, screen: Page, page: Page) -> None:
    screen.goto(link)
    screen.wait_for_selector("[data-page=seats-by-name].now")
    page.get_by_text("Keep one page on the screen").click()
    press(page, "round clock")
    screen.wait_for_selector("[data-page=clock].now")
    expect(screen.locator(".page.now .huge")).to_have_text(re.compile(r"\d+′"))
    press(page, "Follow the day")
    page.get_by_text("Pages, text size, announcement").click()
    page.get_by_label("Seconds for each page").fill("5")
    press(page, "Save")
    for kind in ("seats-by-name", "seats-by-table", "clock"):
        screen.wait_for_selector(f"[data-page={kind}].now", timeout=60_000)


@pytest.mark.nightly
def test_a_screen_without_a_station_says_so_small_and_recovers(link: str, screen: Page) -> None:
    screen.goto(link)
    screen.wait_for_selector(".page.now .line")
    screen.context.set_offline(True)
    expect(screen.locator("#lost")).to_have_text(re.compile("Connection to the station lost"), timeout=40_000)
    assert screen.locator(".page.now .line").count() == len(NAMES)
    lost = screen.locator("#lost").bounding_box()
    assert lost is not None
    assert lost["height"] < 60
    screen.context.set_offline(False)
    expect(screen.locator("#lost")).to_be_hidden(timeout=40_000)


def test_a_screen_asks_its_computer_to_stay_awake(link: str, browser: Browser, station: Hall) -> None:
    context = browser.new_context(base_url=station.http)
    context.add_init_script(
        "navigator.wakeLock.request = kind => { document.title = kind; return Promise.resolve(); }"
    )
    page = context.new_page()
    page.goto(link)
    expect(page).to_have_title("screen")
    context.close()


NEWEST = (
    """() => parseFloat(getComputedStyle(document.querySelector('.newest strong')).fontSize) / innerHeight"""
)
SLOTS = """() => [...document.querySelectorAll('.slot')].map(slot => slot.getBoundingClientRect().top)"""
UNDRAWN = """() => !/[王李]/.test(document.body.innerText) || [...'王李'].every(letter => isDrawn(letter))"""


def test_a_reveal_shows_the_newest_place_large_and_moves_no_other(
    page: Page, screen: Page, tmp_path: Path
) -> None:
    names = [
        "name",
        "王小明",
        "Bo 李",
        "Bartolomea-Clementina Fernández de la Vega y Müller-Lüdenscheid",
        *FIRST[:7],
    ]
    begin_round(page, "Duel", tmp_path, players="\n".join(names))
    confirm_law_wins(page, 1, 2)
    base = re.sub(r"(/judge/t/[^/]+).*", r"\1", page.url)
    publish_ranking(page)
    page.goto(f"{base}/projectors")
    page.get_by_role("textbox", name="Name").fill("Hall")
    press(page, "Add a screen")
    press(page, "Begin")
    screen.goto(str(page.get_by_role("link", name="Open", exact=True).get_attribute("href")))
    expect(screen.locator(".page.now")).to_contain_text("The ranking is about to be revealed.")
    tops = set[str]()
    for place in range(10, 0, -1):
        press(page, f"Reveal place {place}")
        expect(screen.locator(".newest b")).to_have_text(str(place))
        assert screen.evaluate(NEWEST) >= 1 / 12
        assert screen.evaluate(UNDRAWN)
        tops.add(str(screen.evaluate(SLOTS)))
    assert len(tops) == 1
    press(page, "Show the podium")
    expect(screen.locator(".page.now .podium")).to_be_visible()
