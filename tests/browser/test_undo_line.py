"""The line after a decision, with its Undo, as a judge meets it in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import begin_round, log_in, open_players, press

pytestmark = pytest.mark.browser


def test_a_player_added_by_mistake_is_undone_by_the_line(page: Page) -> None:
    log_in(page)
    open_players(page, "Sunday")
    page.get_by_label("Name", exact=True).fill("Ada Bianchi")
    press(page, "Add")
    expect(page.get_by_text("1 player registered: Ada Bianchi")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text("Undone: 1 player registered: Ada Bianchi")).to_be_visible()
    expect(page.locator("table.players")).to_have_count(0)


def test_a_published_draw_is_a_draft_again_by_the_line(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Sunday", tmp_path)
    questions: list[str] = []

    def agree(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.accept()

    page.once("dialog", agree)
    press(page, "Undo")
    expect(page.get_by_text("Undone: ")).to_be_visible()
    assert questions == ["Undo the publication? People may have seen it already."]
    page.get_by_role("link", name="Tournament", exact=True).click()
    expect(
        page.get_by_text("Round 1 has been drawn. Check it, then publish it to the tables.")
    ).to_be_visible()
    page.get_by_role("link", name="Check and publish").click()
    press(page, "Publish to the tables")
    page.get_by_role("link", name="Tournament", exact=True).click()
    expect(page.get_by_text("2 tables play on paper")).to_be_visible()
    expect(page.get_by_role("link", name="Print record sheets")).to_be_visible()
