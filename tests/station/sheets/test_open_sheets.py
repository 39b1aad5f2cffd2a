"""The queue of paper sheets: one after the other, and never two judges at the same one."""

import re

from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser, shows, words
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
    page = judge.get(sheet(2))
    shows(page, "Ada is entering this sheet.", "Take over", never="sheet-form")
    shows(judge.send(f"{sheet(2)}/take", {}), "sheet-form", never="is entering")
    assert "Roy is entering this sheet." in words(ada.get(sheet(2)))


def test_a_helper_whose_sheet_is_taken_over_sees_it_at_the_next_answer_and_loses_nothing(
    station: Station, judge: Browser
) -> None:
    begins(station)
    ada = helper(judge)
    ada.get(sheet(2))
    judge.send(f"{sheet(2)}/take", {})
    page = ada.answer(sheet(2), {"role-2": "outlaw"}, **{"hx-request": "true"}).text
    shows(page, 'id="check"', "Roy is entering this sheet.", never="Confirm")
    again = ada.send(f"{sheet(2)}/take", {"role-2": "outlaw"})
    assert '<input type="radio" name="role-2" value="outlaw" checked>' in again
    assert "Ada is entering this sheet." in words(judge.get(sheet(2)))


def test_two_browsers_of_one_account_are_two_helpers(station: Station, judge: Browser) -> None:
    begins(station)
    judge.get(sheet(2))
    phone = Browser(station)
    phone.log_in()
    assert "Roy is entering this sheet." in words(phone.get(sheet(2)))
    assert f'action="{sheet(3)}"' in phone.send(f"{sheet(1)}/confirm", {**WON, "next": "yes"})


def test_sheets_in_two_tabs_stay_claimed_and_the_other_tabs_comes_last(
    station: Station, judge: Browser
) -> None:
    begins(station)
    ada = helper(judge)
    ada.get(sheet(2))
    ada.get(sheet(1))
    assert words(judge.get(f"{HERE}/sheets")).count("Ada is entering it") == 2
    page = ada.send(f"{sheet(1)}/confirm", {**WON, "next": "yes"})
    assert f'action="{sheet(3)}"' in page
    page = ada.send(f"{sheet(3)}/confirm", {**WON, "next": "yes"})
    assert f'action="{sheet(2)}"' in page


def test_an_abandoned_claim_ends_but_lasts_while_its_form_changes(station: Station, judge: Browser) -> None:
    begins(station)
    ada = helper(judge)
    ada.get(sheet(1))
    for _minute in range(6):
        station.clock.passed_ms += 60_000
        ada.answer(sheet(1), {}, **{"hx-request": "true"})
    assert "Ada is entering it" in words(judge.get(f"{HERE}/sheets"))
    station.clock.passed_ms += 5 * 60_000
    assert "is entering it" not in words(judge.get(f"{HERE}/sheets"))
    assert "sheet-form" in judge.get(sheet(1))
    assert "Roy is entering this sheet." in words(ada.send(sheet(1), WON))


def test_claims_outlast_a_restart_and_end_with_their_sheet(station: Station, judge: Browser) -> None:
    begins(station)
    helper(judge).get(sheet(1))
    again = station.restarts()
    roy = Browser(again)
    roy.log_in()
    assert "Ada is entering it" in words(roy.get(f"{HERE}/sheets"))
    roy.send(f"{sheet(1)}/take", {})
    roy.send(f"{sheet(1)}/confirm", WON)
    assert "is entering it" not in roy.get(f"{HERE}/sheets")


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
