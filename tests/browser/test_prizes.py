"""The form of a prize in a real browser: it asks what its kind needs, and a double click adds one prize."""

import pytest
from playwright.sync_api import Page, expect

from demo.hall import Hall
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup, press
from tests.browser.test_every_page import WCAG, axe_faults

pytestmark = pytest.mark.browser


@pytest.fixture
def prizes(station: Hall, page: Page) -> Page:
    """The page of prizes of a tournament of ten players."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, [f"Player {letter}" for letter in "ABCDEFGHIJ"])
        log_in(page)
        page.goto(f"/judge/t/{judge.tournament}")
    page.get_by_role("link", name="Prizes").click()
    return page


def test_the_form_asks_only_what_the_kind_of_prize_needs(prizes: Page) -> None:
    prizes.get_by_role("link", name="Another prize").click()
    club, others = prizes.get_by_label("Players of each club who count"), "Players who win something else"
    expect(club).to_be_hidden()
    expect(prizes.get_by_label(others)).to_be_visible()
    prizes.get_by_role("textbox", name="Name").fill("Best team")
    prizes.get_by_label("Who can win it").select_option("clubs, by their best players")
    expect(club).to_be_visible()
    expect(prizes.get_by_label(others)).to_be_hidden()
    prizes.get_by_label("Who can win it").select_option("players whom you choose")
    expect(club).to_be_hidden()
    prizes.get_by_text("Chosen players").click()
    prizes.get_by_label("Player C").check()
    press(prizes, "Save")
    expect(prizes.get_by_text("Place in the ranking · 1 chosen player", exact=True)).to_be_visible()
    assert list(axe_faults(prizes, WCAG)) == []
    press(prizes, "Undo")
    expect(prizes.get_by_text("There are no prizes yet.")).to_be_visible()


def test_a_double_click_on_a_suggestion_adds_it_once(prizes: Page) -> None:
    prizes.get_by_role("button", name="Best Sheriff").dblclick()
    prizes.get_by_role("link", name="Prizes").click()
    expect(prizes.get_by_role("heading", name="Best Sheriff")).to_have_count(1)
    expect(prizes.get_by_role("button", name="Best Sheriff", exact=True)).to_have_count(0)
