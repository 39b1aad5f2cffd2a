"""The hall plan: tables dragged to their places by the organiser, and shown there on the floor."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import begin_round, press

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


def place(page: Page, table: int) -> tuple[str | None, str | None]:
    place = page.locator(f"[data-table='{table}']")
    return place.get_attribute("data-column"), place.get_attribute("data-row")


def test_a_table_is_dragged_to_its_place_and_found_there_on_the_floor(
    page: Page, station: Hall, tmp_path: Path
) -> None:
    begin_round(page, "Open", tmp_path)
    floor = page.url
    page.goto("/judge/plan")
    page.get_by_label("Tables such as").fill("1-8")
    page.get_by_label("Tables per row").fill("4")
    press(page, "Arrange in rows")
    assert place(page, 6) == ("3", "3")
    box = page.locator("[data-plan]").bounding_box()
    assert box is not None
    page.locator("[data-table='6']").hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.9, steps=5)
    with page.expect_response("**/judge/plan/move") as answer:
        page.mouse.up()
    assert answer.value.status == 204
    assert place(page, 6) == ("8", "4")
    # By the keyboard onto another table: they change places.
    page.locator("[data-table='1']").focus()
    for _ in range(2):
        with page.expect_response("**/judge/plan/move"):
            page.keyboard.press("ArrowRight")
    page.reload()
    assert [place(page, table) for table in (6, 1, 2)] == [("8", "4"), ("3", "1"), ("2", "1")]

    page.goto(f"{floor.split('/judge/')[0]}/judge/")
    page.get_by_role("link", name="Open").first.click()
    page.goto(f"{page.url}/floor?look=plan")
    expect(page.locator("#table-1")).to_be_visible()
    slot = page.locator(".slot:has(#table-1)")
    expect(slot).to_have_attribute("data-column", "3")
    # The live floor replaces its elements: only what asks again can't meet one that has just left it.
    expect(slot).to_have_css("grid-column-start", "3")
    page.get_by_role("link", name="Table 1", exact=False).first.click()
    expect(page.locator("h1")).to_contain_text("Table 1")
