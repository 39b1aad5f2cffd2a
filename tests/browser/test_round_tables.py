"""Drawn tables seen from above, in Chromium: names around the table do not cover each other."""

from pathlib import Path

import pytest
from jinja2 import Environment
from playwright.sync_api import Browser

import station.web

pytestmark = pytest.mark.browser

WEB = Path(station.web.__file__).parent
OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll('li')].map(seat => {
        const range = document.createRange();
        range.selectNodeContents(seat);
        return range.getBoundingClientRect();
    });
    const list = document.querySelector('.seats').getBoundingClientRect();
    const title = document.querySelector('h3').getBoundingClientRect();
    const outside = boxes.filter(box => box.left < list.left || box.right > list.right
        || box.top < title.bottom || box.bottom > list.bottom);
    const covered = boxes.filter((one, at) => boxes.slice(at + 1).some(other => one.left < other.right - 1
        && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1));
    return [getComputedStyle(document.querySelector('li')).position, outside.length, covered.length];
}"""


def seats_of(names: list[str]) -> str:
    """Render the macro of the public pages, with the station's style sheet."""
    texts = Environment(autoescape=True)
    texts.globals["_"] = str
    source = (WEB / "templates" / "macros.html").read_text("utf-8")
    seating = source.partition("{% macro seating")[2].partition("{% endmacro %}")[0]
    star = "{% macro star() %}★{% endmacro %}"
    macros = texts.from_string(f"{star}{{% macro seating{seating}{{% endmacro %}}").module
    table = {"table": 1, "players": range(len(names))}
    style = (WEB / "static" / "saloon.css").read_text("utf-8")
    return f"<style>{style}</style><main>{macros.seating([table], names, around=True)}</main>"  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("size", [4, 5, 6, 7, 8])
def test_names_around_a_table_can_all_be_read(browser: Browser, size: int, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(seats_of(["Bartolomea Fernández Gil"] * size))
    assert page.evaluate(OVERLAPS) == ["absolute", 0, 0]
    page.set_content(seats_of(["Bartolomea Fernández Gil"] * (size - 1) + ["Name " * 14]))
    assert page.evaluate(OVERLAPS) == ["static", 0, 0]
    page.close()


def test_a_narrow_page_keeps_the_list(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 240, "height": 900})
    page.set_content(seats_of(["Anna"] * 5))
    assert page.evaluate(OVERLAPS)[0] == "static"
    page.close()
