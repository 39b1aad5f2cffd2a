"""Sheets, lists and standings on paper: printed to PDF by a real Chromium, on A4 and Letter."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import Hall
from demo.judge import JudgeAtWork
from tests.browser.conftest import judge_at_work, log_in, open_spring_cup

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PAPERS = ("A4", "Letter")
ROLES = {
    5: ("deputy", "outlaw", "outlaw", "renegade"),
    6: ("deputy", "outlaw", "outlaw", "outlaw", "renegade"),
    7: ("deputy", "deputy", "outlaw", "outlaw", "outlaw", "renegade"),
}
PLAYERS = 27
NAMES = [f"Wanda-{number:02} Lastname{number:02}" for number in range(1, PLAYERS + 1)]


@pytest.fixture
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


@pytest.fixture
def judge(station: Hall) -> Iterator[JudgeAtWork]:
    """A tournament of 27 players on paper, its first round published."""
    with judge_at_work(station) as judge:
        open_spring_cup(judge, NAMES)
        judge.begin_round("cactus")
        yield judge


def enter_round(judge: JudgeAtWork, round_no: int) -> None:
    """The Sheriff shoots everybody on the other side, at each of the five tables."""
    pages = judge.pages
    for table in range(1, 6):
        form = pages.get(f"/judge/t/{judge.tournament}/tables/{round_no}/{table}/sheet").form("/sheet")
        roles = ROLES[1 + sum(name.startswith("out-") for name in form.fields)]
        values = {f"role-{seat}": role for seat, role in enumerate(roles, 2)}
        out = [seat for seat, role in enumerate(roles, 2) if role != "deputy"]
        for number, seat in enumerate(out, 1):
            values |= {f"out-{number}": str(seat), f"by-{number}": "1"}
        pages.send(pages.send(form, values).form("/sheet/confirm"))


def printed(page: Page, path: str, paper: str, folder: Path) -> list[str]:
    """The text of each sheet of paper. The PDF stays in the folder, to be looked at."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    pdf = folder / f"{path.strip('/').replace('/', '-')}-{paper}.pdf"
    content = page.pdf(format=paper, prefer_css_page_size=False, print_background=False)
    pages = pages_of(content, pdf)
    for number, text in enumerate(pages, start=1):
        assert f"{number}/{len(pages)}" in text.replace(" / ", "/")
        assert len(re.sub(r"\s", "", text)) > 60, f"page {number} of {path} is empty"
    return pages


def pages_of(content: bytes, pdf: Path) -> list[str]:
    pdf.write_bytes(content)
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], check=True, capture_output=True, text=True)
    return text.stdout.split("\f")[:-1]


def names_on(text: str) -> int:
    return len(re.findall(r"Wanda-\d\d", text))


def test_papers_are_chosen_by_the_picture_of_their_first_page(judge: JudgeAtWork, page: Page) -> None:
    log_in(page)
    page.goto(f"/judge/t/{judge.tournament}/print")
    cards = page.locator(".paper-card")
    off = page.locator(".paper-card.off").all_inner_texts()
    assert [text.splitlines()[0] for text in off] == [
        "Registration poster", "Hall plan", "Results", "Duel sheets", "Prizes", "Certificates for prizes",
    ]  # fmt: skip
    pictures = page.locator(".paper-card img")
    assert pictures.count() == cards.count() - len(off)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        wide, high = picture.evaluate(
            "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
        )
        assert 200 < min(wide, high) < max(wide, high) < 400
    page.get_by_role("link", name="Certificates").press("Enter")
    page.get_by_label("Best places").fill("2")
    page.get_by_role("button", name="Show").click()
    assert page.locator(".sheets img").count() == 2


@pytest.mark.parametrize("paper", PAPERS)
def test_lists_sheets_and_standings_are_what_a_person_expects_on_paper(
    judge: JudgeAtWork, page: Page, tmp_path: Path, paper: str
) -> None:
    tournament = judge.tournament
    seats = printed(page, f"/t/{tournament}/rounds/1/seats", paper, tmp_path)
    assert "21 Mar 2026" in seats[0]
    assert "Judge" not in "".join(seats)
    assert sum(map(names_on, seats)) == 2 * PLAYERS
    assert all(names_on(text) == 0 or names_on(text) >= 4 for text in seats)
    assert [text for text in seats if "By name" in text and names_on(text) >= PLAYERS]

    log_in(page)
    page.goto(f"/judge/t/{tournament}")
    page.get_by_role("link", name="Hall", exact=True).click()
    page.get_by_role("link", name="Print", exact=True).click()
    page.get_by_role("link", name=re.compile("^Record sheets")).click()
    page.get_by_label("Paper size").select_option(paper)
    page.get_by_role("button", name="Show").click()
    expect(page.locator("main")).to_contain_text("3 pages", timeout=60_000)
    for picture in page.locator(".sheets img").all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
    address = page.get_by_role("link", name="Open the PDF to print").get_attribute("href")
    answer = page.request.get(str(address))
    sheets = pages_of(answer.body(), tmp_path / f"sheets-{paper}.pdf")
    assert [text.count("Spring Cup · Round 1 · 21 Mar 2026") for text in sheets] == [2, 2, 1]
    assert [text.count("Signature") for text in sheets] == [2, 2, 1]
    assert sum(map(names_on, sheets)) == PLAYERS

    for round_no in range(1, 6):
        if round_no > 1:
            judge.begin_round("cactus")
        enter_round(judge, round_no)
    secret = printed(page, f"/judge/t/{tournament}/standings", paper, tmp_path)
    assert "Spring Cup · 21 Mar 2026" in secret[0]
    assert "SECRET until the ranking is published" in secret[0]
    assert "Player's total" not in "".join(secret)
    assert "Publish" not in "".join(secret)
    assert names_on(secret[0]) >= 15
    assert all(names_on(text) >= 3 for text in secret)

    judge.break_ties()
    page.goto(f"/judge/t/{tournament}/standings")
    page.get_by_role("button", name="Publish the ranking").click()
    ranking = printed(page, f"/t/{tournament}", paper, tmp_path)
    assert len(ranking) <= 2
    assert names_on(ranking[0]) >= 15
    assert "21 Mar 2026" in ranking[0]
    assert "Round 1" not in "".join(ranking)
    assert names_on("".join(ranking)) == PLAYERS + 4
    assert "SECRET" not in "".join(printed(page, f"/judge/t/{tournament}/standings", paper, tmp_path))
