"""The print centre: what there is to print, what it looks like, and who may have it."""

import sys
from pathlib import Path

import pytest

from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Player, Waivers
from station.accounts.permissions import AccountRole
from station.paper.certificates import LetterheadRefusal
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


def test_a_paper_that_cannot_be_printed_yet_is_no_link_and_others_have_a_thumbnail(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    page = judge.get(PRINT)
    assert page.index("Before you play") < page.index("While you play") < page.index("At the end")
    assert "paper=badges" in page
    assert f"{PRINT}/badges/thumbnail?size=a4&amp;language=en" in page
    assert "paper=seats-by-name" not in page
    assert judge.status(f"{PRINT}/badges/thumbnail").content.startswith(b"\x89PNG")
    assert judge.status(f"{PRINT}/seats-by-name/thumbnail").status_code == 404
    assert judge.status(f"{PRINT}/nothing/thumbnail").status_code == 404


@pytest.mark.slow
def test_certificates_are_samples_for_every_judge_until_the_end(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    floor = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    page = floor.get(f"{PRINT}?paper=certificates")
    assert "These are samples with example names." in page
    assert "4 pages" in page
    assert "letterhead" not in page
    station.plays_round()
    station.breaks_ties()
    assert floor.status(f"{PRINT}?paper=certificates").status_code == 403
    head = logged_in_as(station, AccountRole.HEAD_JUDGE)
    page = head.get(f"{PRINT}?paper=certificates&best=4")
    assert "4 pages" in page
    assert "samples" not in page
    player = station.service.tournament(OPEN).entrants[0].player
    assert "1 page<" in head.get(f"{PRINT}?paper=certificates&player={player}")
    assert "no place in the ranking" in head.get(f"{PRINT}?paper=certificates&player=nobody")
    assert "10 pages" in head.get(f"{PRINT}?paper=certificates&best=-1")


LETTERHEAD = f"{PRINT}/letterhead"
NEXT = TournamentId("next")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'


@pytest.mark.slow
def test_a_letterhead_is_kept_and_goes_with_the_next_tournament(station: Station, judge: Browser) -> None:
    station.opens(10)
    certificates = f"{PRINT}?paper=certificates"
    typed = {"venue": "Circolo dei Lettori", "organiser": "Dal Tenda APS"}

    def upload(name: str, content: bytes) -> str:
        return judge.send_file(
            LETTERHEAD, "logo", name, content, venue=typed["venue"], organiser=typed["organiser"]
        )

    judge.get(certificates)
    page = upload("logo.svg", SVG)
    assert 'value="Circolo dei Lettori"' in page
    assert "Remove the logo" in page
    page = upload("logo.gif", b"GIF89a")
    assert LetterheadRefusal.NO_LOGO.value in page
    assert "Remove the logo" in page
    assert "This has 101 characters" in judge.send(LETTERHEAD, typed | {"venue": "x" * 101})

    rules = RuleSet("championship-2022")
    opened = OpenTournament(NEXT, "Next", rules, "2026-12-05", Waivers())
    station.run(station.service.decide(NEXT, opened, "Roy"))
    following = certificates.replace(OPEN, NEXT)
    page = judge.get(following)
    assert 'value="Dal Tenda APS"' in page
    assert "Remove the logo" in page
    judge.send(LETTERHEAD.replace(OPEN, NEXT), {**typed, "venue": "Elsewhere", "remove-logo": "yes"})
    page = judge.get(following)
    assert 'value="Elsewhere"' in page
    assert "Remove the logo" not in page
    page = judge.get(certificates)
    assert 'value="Circolo dei Lettori"' in page
    assert "Remove the logo" in page


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


@pytest.mark.parametrize("page", ["print", "players"])
def test_players_whose_letters_no_font_has_are_named(station: Station, judge: Browser, page: str) -> None:
    rare = "\U00030000"  # of extension G of the Han script, which fonts of few computers have
    station.opens(10)
    assert "no font here" not in judge.get(f"/judge/t/{OPEN}/{page}")
    station.does(RegisterPlayers((Player(PlayerId("p011"), f"Wu {rare}", ""),)))
    assert f"Wu {rare} → “Wu…”" in judge.get(f"/judge/t/{OPEN}/{page}")
