"""Names in every script, in Chromium: on pages and hall screens no letter is out of place or lacks a font."""

import pytest
from playwright.sync_api import Locator, Page

from base.right_to_left import without_isolates
from demo.hall import Hall
from kiosk.ui.shaping import runs
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup, press

pytestmark = pytest.mark.browser

NAMES = [
    "Zoë Müller", "Ελένη", "Наташа (2)", "محمد (2)", "דנה כהן 4", "דוד (תל אביב)", "Anna דנה Rossi",
    "王小明", "สมชาย 3", "नरेन्द्र", "Bo 😀 [3]", "علي, Roma",
]  # fmt: skip
FONTS = {"ส": "Noto Sans Thai", "न": "Noto Sans Devanagari", "د": "DejaVu Sans", "ד": "DejaVu Sans"}
"""The fonts of scripts on hall screens, by a letter."""
FROM_LEFT = """element => {
    const letters = [], range = document.createRange();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        let at = 0;
        for (const letter of texts.currentNode.data) {
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at += letter.length);
            const place = range.getBoundingClientRect();
            letters.push([letter, place.left + place.width / 2]);
        }
    }
    return letters.sort((one, other) => one[1] - other[1]).map(([letter]) => letter).join("");
}"""
"""An element's letters from left to right, as Chromium has placed them."""


ROUND = str.maketrans(")", "(")
"""Fonts turn brackets around: which side they open to is no matter here."""


def from_left(element: Locator) -> str:
    return without_isolates(str(element.evaluate(FROM_LEFT))).translate(ROUND).strip()


def at_the_table(name: str) -> str:
    """Return a name's letters from left to right, as a terminal places them."""
    return "".join(run.text for run in runs(name)).translate(ROUND)


def fonts_of(page: Page, selector: str) -> set[str]:
    client = page.context.new_cdp_session(page)
    client.send("DOM.enable")
    client.send("CSS.enable")
    root = client.send("DOM.getDocument")["root"]["nodeId"]
    node = client.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = client.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"] for font in fonts}


@pytest.fixture
def judges_page(station: Hall, page: Page) -> tuple[Page, str]:
    """The page of a judge whose tournament has these players and a round, and its address."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, [f'"{name}"' for name in NAMES])
        judge.begin_round("cactus")
    log_in(page)
    return page, f"/judge/t/{judge.tournament}"


def test_names_in_a_list_look_as_at_the_table(judges_page: tuple[Page, str]) -> None:
    page, address = judges_page
    page.goto(f"{address}/players")
    names = [from_left(name) for name in page.locator("table.players tbody strong").all()]
    assert names == [at_the_table(name) for name in NAMES]
    page.get_by_role("searchbox", name="Find a player").fill("דנה")
    assert page.locator("table.players tbody tr:visible").count() == 2


def test_names_on_a_hall_screen_look_as_at_the_table_and_have_fonts(judges_page: tuple[Page, str]) -> None:
    page, address = judges_page
    page.goto(f"{address}/projectors")
    page.get_by_role("textbox", name="Name").fill("Entrance")
    press(page, "Add a screen")
    page.get_by_text("Keep one page on the screen").click()
    press(page, "seats by name")
    page.goto(str(page.get_by_role("link", name="Open", exact=True).get_attribute("href")))
    page.wait_for_selector(".page.now .line")
    names = {from_left(name) for name in page.locator(".page.now .line span").all()}
    # A computer without a font for Chinese shows the player's number.
    assert len(names) == len(NAMES)
    assert names - {f"Player {number}" for number in range(1, 20)} >= {
        at_the_table(name) for name in NAMES if name != "王小明"
    }
    lines = page.locator(".page.now .line").all()
    for number, line in enumerate(lines, 1):
        name, _, place = from_left(line).rpartition("Table ")
        assert name.strip() in names, "the table is to the right of the name"
        assert place[0].isdigit()
        script = next((font for first, font in FONTS.items() if first in line.inner_text()), None)
        if script is not None:
            used = fonts_of(page, f".page.now .line:nth-of-type({number}) span")
            assert any(font.startswith(script) for font in used)
