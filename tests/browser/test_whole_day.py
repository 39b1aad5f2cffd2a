"""A tournament on paper from login to ranking, in Italian: by keys alone, and by a finger on a phone."""

from collections.abc import Iterator
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall
from tests.browser.conftest import ROLES, close_windows

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana")
OVER_THE_EDGE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Hand(Protocol):
    def press(self, selector: str) -> None:
        """Press a link or a button."""

    def choose(self, name: str, value: str) -> None:
        """Choose one of a sheet's buttons."""

    def type(self, selector: str, text: str) -> None:
        """Put text into a field."""


class Keys:
    """Nothing but Tab, Enter, and what is typed."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, selector: str) -> None:
        self._reach(selector)
        with self._page.expect_navigation():
            self._page.keyboard.press("Enter")

    def choose(self, name: str, value: str) -> None:
        self._reach(f"[name={name}]")
        values = self._page.locator(f"[name={name}]").evaluate_all("all => all.map(one => one.value)")
        at = self._page.evaluate("document.activeElement.value")
        for _ in range((values.index(value) - values.index(at)) % len(values)):
            self._page.keyboard.press("ArrowRight")
        if at == value:
            self._page.keyboard.press("Space")

    def type(self, selector: str, text: str) -> None:
        self._reach(selector)
        self._page.keyboard.press("Control+a")
        self._page.keyboard.type(text)

    def _reach(self, selector: str) -> None:
        expect(self._page.locator(selector).first).to_be_visible()
        for _ in range(250):
            if self._page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"no Tab reaches {selector} on {self._page.url}")


class Finger:
    """Taps on what is on the screen and not under anything else."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, selector: str) -> None:
        with self._page.expect_navigation():
            self._page.locator(selector).locator("visible=true").first.tap()
        assert self._page.evaluate(OVER_THE_EDGE) <= 0, self._page.url

    def choose(self, name: str, value: str) -> None:
        self._page.locator(f"[name={name}][value='{value}']").tap()

    def type(self, selector: str, text: str) -> None:
        self._page.locator(selector).first.tap()
        self._page.locator(selector).first.fill(text)


@pytest.fixture(params=["keys", "finger"])
def hand_and_page(
    request: pytest.FixtureRequest, browser: Browser, station: Hall
) -> Iterator[tuple[Hand, Page]]:
    phone = request.param == "finger"
    context = browser.new_context(
        base_url=station.http,
        locale="it-IT",
        has_touch=phone,
        is_mobile=phone,
        viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 720},
    )
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    yield Finger(page) if phone else Keys(page), page
    close_windows(browser)


NEXT = ".card.next .main:not([disabled])"
"""The one button that goes on with the day."""


def test_a_judge_runs_a_day_on_paper_without_a_mouse(hand_and_page: tuple[Hand, Page]) -> None:
    hand, page = hand_and_page
    page.goto("/login")
    hand.type("[name=name]", JUDGE)
    hand.type("[name=password]", JUDGE_PASSWORD)
    hand.press("main form button")
    hand.press("a[href='/judge/new']")
    hand.press("a[href='/judge/new/championship-2022']")
    hand.type("[name=name]", "Sabato")
    hand.type("[name=rounds]", "1")
    hand.press("main form button.main")
    start = page.url
    hand.press(NEXT)
    for number, name in enumerate(NAMES, 1):
        hand.type("form.grid [name=name]", name)
        hand.press("form.grid button")
        expect(page.locator(".players tbody tr")).to_have_count(number)
    hand.press(f".tabs a[href='{start.removeprefix(page.url.split('/judge')[0])}']")
    hand.press(NEXT)
    while page.locator("[name=hall_word]").count() == 0:
        hand.press(NEXT)
    hand.type("[name=hall_word]", "cactus")
    hand.press("main form button.main")
    hand.press(NEXT)
    hand.press("main a[href$='/sheets']")
    hand.press(".list a")
    for _ in range(2):
        for seat, role in enumerate(ROLES, 2):
            hand.choose(f"role-{seat}", role)
        hand.choose("out-1", "1")
        hand.choose("by-1", str(2 + ROLES.index("outlaw")))
        expect(page.locator("#check")).to_contain_text("Fuorilegge")
        hand.press("#check form:not([action$='/again']) button.main")
    hand.press(".tabs a[href$='/standings']")
    while page.locator("form[action$='/lots']").count():
        hand.press("form[action$='/lots'] button")
    with page.expect_navigation():
        hand.press("form[action$='/publish'] button")
    page.goto(page.url.replace("/judge/t/", "/t/"))
    expect(page.locator("table.ranking tbody tr")).to_have_count(len(NAMES))
    expect(page.locator("main")).to_contain_text("Classifica")
