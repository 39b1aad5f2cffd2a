"""The print centre: what there is to print, what it looks like, and who may have it."""

import sys
from pathlib import Path

import pytest

from core.terms import PlayerId
from core.tournament.registration import RegisterPlayers
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Player, Waivers
from station.accounts.permissions import AccountRole
from station.paper.papers import PaperKind
from station.paper.worker import PaperFailure, PaperWorker
from station.text.names import printed_code, shown_code
from tests.station.browser import Browser, logged_in_as
from tests.station.conftest import OPEN, Station
from tests.station.phones import PAGES

PRINT = f"/judge/t/{OPEN}/print"
SECRET = (PaperKind.RESULTS, PaperKind.STANDINGS, PaperKind.CERTIFICATES, PaperKind.PROOF)


def test_the_page_lists_what_can_be_printed_and_why_not(station: Station, judge: Browser) -> None:
    station.opens(10)
    page = judge.get(PRINT)
    assert "Hang this list at the entrance" not in page
    assert "No draw has been published yet." in page
    assert "You'll see every page before you print it." in page
    station.publishes()
    assert "Hang this list at the entrance" in judge.get(PRINT)


@pytest.mark.slow
def test_a_paper_is_shown_page_by_page_and_opens_as_a_pdf(station: Station, judge: Browser) -> None:
    station.context.find_pages = lambda: PAGES
    station.opens(40)
    station.plays_round()
    station.publishes("second")
    page = judge.get(f"{PRINT}?paper=record-sheets&size=us-letter&language=it&round=1")
    assert "4 pages" in page
    assert f"{PRINT}/record-sheets/pages/4?size=us-letter&amp;language=it&amp;round=1" in page
    assert "print/record-sheets/pages/5" not in page
    picture = judge.status(f"{PRINT}/record-sheets/pages/1?round=1")
    assert picture.content.startswith(b"\x89PNG")
    assert judge.status(f"{PRINT}/record-sheets/pages/5?round=1").status_code == 404
    pdf = judge.status(f"{PRINT}/record-sheets/file?round=1")
    assert pdf.content.startswith(b"%PDF")
    assert pdf.headers["content-type"] == "application/pdf"
    assert 'filename="open-2026-11-21-record-sheets.pdf"' in pdf.headers["content-disposition"]


@pytest.mark.parametrize("query", ["paper=nothing", "size=a3&language=xx", "paper=results&round=9"])
def test_a_strange_choice_is_answered_in_words(station: Station, judge: Browser, query: str) -> None:
    station.opens(10)
    station.publishes()
    page = judge.get(f"{PRINT}?{query}")
    assert "Print" in page
    if "round=9" in query:
        assert "Draw 9 hasn't been published. Published: 1." in page


@pytest.mark.slow
@pytest.mark.by_day(1)
@pytest.mark.parametrize("kind", SECRET)
def test_money_is_the_head_judges_alone_until_it_is_public(station: Station, kind: PaperKind) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.breaks_ties()
    for role in AccountRole:
        browser = logged_in_as(station, role)
        for path in (f"{PRINT}/{kind.value}/file", f"{PRINT}/{kind.value}/pages/1"):
            assert (browser.status(path).status_code == 200) == (role is AccountRole.HEAD_JUDGE), (role, path)
        if role in {AccountRole.FLOOR_JUDGE, AccountRole.ORGANISER}:
            assert "certificates" not in browser.get(PRINT)
    station.does(PublishRanking())
    browser = Browser(station)
    browser.log_in(AccountRole.FLOOR_JUDGE.value)
    assert browser.status(f"{PRINT}/{kind.value}/file").status_code == 200


def test_the_report_of_ejections_is_a_pdf(station: Station, judge: Browser, tmp_path: Path) -> None:
    station.opens(10)
    assert judge.status(f"{PRINT}/ejections/file").content.startswith(b"%PDF")
    assert f"{PRINT}?paper=ejections" in judge.get(f"/judge/t/{OPEN}/players/ejected")


def test_a_paper_without_room_is_told_on_the_page(station: Station, judge: Browser) -> None:
    judge.app.state.papers = PaperWorker((sys.executable, "-c", "raise MemoryError"))
    station.opens(10)
    assert PaperFailure.MEMORY.value in judge.get(f"{PRINT}?paper=badges")
    assert PaperFailure.MEMORY.value in judge.status(f"{PRINT}/badges/file").text


def test_a_code_is_made_once_for_badge_phone_and_every_picture(station: Station, judge: Browser) -> None:
    station.context.find_pages = lambda: PAGES
    station.opens(10)
    printed_code.cache_clear()
    for page in (f"{PRINT}?paper=badges", f"{PRINT}/badges/pages/1", f"{PRINT}/badges/file"):
        assert judge.status(page).status_code == 200
    assert printed_code.cache_info().misses == 10
    assert shown_code("https://192.0.2.1/me/A") is shown_code("https://192.0.2.1/me/A")
    assert None not in {printed_code.cache_info().maxsize, shown_code.cache_info().maxsize}


def test_players_whose_letters_no_font_has_are_named(station: Station, judge: Browser) -> None:
    rare = "\U00030000"  # of extension G of the Han script, which fonts of few computers have
    station.opens(10)
    assert "No font on this computer" not in judge.get(f"/judge/t/{OPEN}/print")
    station.does(RegisterPlayers((Player(PlayerId("p011"), f"Wu {rare}", ""),)))
    assert f"printouts show boxes instead: Wu {rare} ({rare})." in judge.get(f"/judge/t/{OPEN}/print")
