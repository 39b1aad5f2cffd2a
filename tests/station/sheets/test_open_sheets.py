"""The queue of paper sheets: one after the other, and never two judges at the same one."""

import re

from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser, words
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"
WON = {
    "role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade",
    "out-1": "1", "by-1": "2",
}  # fmt: skip


def helper(judge: Browser, name: str = "Ada") -> Browser:
    """Return the browser of another judge."""
    judge.judges.add(name, PASSWORD, AccountRole.HEAD_JUDGE)
    other = Browser(judge.station)
    other.log_in(name)
    return other


def sheet(table: int) -> str:
    return f"{HERE}/tables/1/{table}/sheet"


def begins(station: Station, players: int = 15) -> None:
    station.opens(players)
    station.publishes()


def test_confirming_goes_on_to_the_next_sheet_until_none_is_left(station: Station, judge: Browser) -> None:
    begins(station)
    assert "Enter 3 record sheets" in judge.get(HERE)
    page = judge.send(sheet(2), WON)
    assert "Confirm, then table 3" in words(page)
    page = judge.send(f"{sheet(2)}/confirm", {**WON, "next": "yes"})
    assert f'action="{sheet(3)}"' in page
    page = judge.send(f"{sheet(3)}/confirm", {**WON, "next": "yes"})
    assert f'action="{sheet(1)}"' in page, "those before come after the last"
    assert "Confirm, then" not in judge.send(sheet(1), WON)
    page = judge.send(f"{sheet(1)}/confirm", {**WON, "next": "yes"})
    assert "all record sheets are confirmed" in words(page)


def test_a_number_opens_the_sheet_of_that_table(station: Station, judge: Browser) -> None:
    begins(station)
    for code in ("2", " 1-2 ", "r1t2", "R1T2", "1/2", f"https://192.168.7.7:8443{sheet(2)}"):
        assert f'action="{sheet(2)}"' in judge.get(f"{HERE}/sheets/open?code={code}"), code
    for code in ("9", "2-2", "", "x", "1-2-3", "-2", "99999"):
        assert "No record sheet is missing there" in judge.get(f"{HERE}/sheets/open?code={code}"), code


def test_two_judges_are_sent_to_different_sheets(station: Station, judge: Browser) -> None:
    begins(station)
    ada = helper(judge)
    ada.get(sheet(2))
    assert "Ada is entering it" in words(judge.get(f"{HERE}/sheets"))
    page = judge.send(f"{sheet(1)}/confirm", {**WON, "next": "yes"})
    assert f'action="{sheet(3)}"' in page
    assert "Ada has opened this sheet too." in words(judge.get(sheet(2)))
    assert "has opened" not in judge.send(f"{sheet(2)}/take", {})
    assert "Roy has opened this sheet too." in words(ada.get(sheet(2)))


def test_a_claim_ends_with_its_sheet_or_at_the_judges_next_one(station: Station, judge: Browser) -> None:
    begins(station)
    ada = helper(judge)
    ada.get(sheet(1))
    ada.get(sheet(2))
    assert words(judge.get(f"{HERE}/sheets")).count("is entering it") == 1
    ada.send(f"{sheet(2)}/confirm", WON)
    assert "is entering it" not in judge.get(f"{HERE}/sheets")


def test_while_a_sheet_is_typed_an_incomplete_one_is_no_error(station: Station, judge: Browser) -> None:
    begins(station)
    judge.get(sheet(1))
    judge.get(sheet(1))
    assert judge.answer(sheet(1), {}, **{"hx-request": "true"}).status_code == 204
    answer = judge.answer(sheet(1), WON, **{"hx-request": "true"})
    assert answer.status_code == 200
    assert "The Outlaws win" in answer.text
    assert re.search(r'<div id="check">.*Confirm, then table 2', answer.text, re.DOTALL)


def test_a_published_round_on_paper_leads_to_printing_and_entering(station: Station, judge: Browser) -> None:
    station.opens(15)
    judge.send(f"{HERE}/draw/seal", {})
    judge.send(f"{HERE}/draw/make", {"hall_word": "cactus"})
    page = judge.send(f"{HERE}/draw/publish", {})
    assert "All tables play on paper" in words(page)
    assert f"{HERE}/print?paper=record-sheets" in page
    assert "Enter 3 record sheets" in words(judge.get(f"{HERE}/floor"))
