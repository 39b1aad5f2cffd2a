"""The publisher's own document, for every player; and players who have a judge's account."""

import pytest

from base.errors import Unavailable
from core.tournament.registration import RenamePlayer
from station.accounts.permissions import AccountRole
from station.tournaments.documents import LARGEST_PDF
from tests.station.browser import Browser, logged_in_as
from tests.station.conftest import OPEN, Station

BASE = f"/judge/t/{OPEN}"
PDF = b"%PDF-1.7\n" + b"rules " * 30_000 + b"\n%%EOF\n"


@pytest.fixture(autouse=True)
def _opened(station: Station) -> None:
    station.opens(10)


def test_everybody_can_save_the_pdf_that_an_organiser_uploaded(station: Station, visitor: Browser) -> None:
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    assert "The publisher's document" in organiser.get(BASE)
    organiser.send_file(f"{BASE}/document", "file", "rules.pdf", PDF)
    for page in (f"/t/{OPEN}", f"/t/{OPEN}/rules"):
        assert f'href="/t/{OPEN}/document"' in visitor.get(page)
    answer = visitor.status(f"/t/{OPEN}/document")
    assert answer.content == PDF
    assert answer.headers["content-type"].startswith("application/pdf")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    organiser.send_file(f"{BASE}/document", "file", "rules.pdf", PDF.replace(b"rules", b"other"))
    assert b"other" in visitor.status(f"/t/{OPEN}/document").content


def test_a_station_that_stops_while_it_stores_a_document_still_has_the_one_before(
    station: Station, judge: Browser, visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.send_file(f"{BASE}/document", "file", "rules.pdf", PDF)
    settings = station.service.context.parts.settings
    store = settings.set

    def stop_at_the_name(name: str, value: str) -> None:
        if name == f"document-{OPEN}":
            raise Unavailable("the station stops here")
        store(name, value)

    with monkeypatch.context() as stopped:
        stopped.setattr(settings, "set", stop_at_the_name)
        other = PDF.replace(b"rules", b"other")
        judge.send_file(f"{BASE}/document", "file", "rules.pdf", other)
    assert visitor.status(f"/t/{OPEN}/document").content == PDF


def test_the_rules_are_shown_while_the_database_is_away(
    station: Station, visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:

    def away(name: str) -> None:
        raise Unavailable(f"no database for {name}")

    monkeypatch.setattr(station.service.context.parts.settings, "get", away)
    assert "Winnings" in visitor.get(f"/t/{OPEN}/rules")


def test_a_link_takes_the_place_of_the_pdf_and_both_can_go(judge: Browser, visitor: Browser) -> None:
    judge.send_file(f"{BASE}/document", "file", "rules.pdf", PDF)
    judge.post(f"{BASE}/document", link="https://publisher.example/rules.pdf")
    assert 'href="https://publisher.example/rules.pdf"' in visitor.get(f"/t/{OPEN}/rules")
    assert visitor.status(f"/t/{OPEN}/document").status_code == 404
    judge.post(f"{BASE}/document", link="")
    assert "publisher" not in visitor.get(f"/t/{OPEN}")


@pytest.mark.parametrize(
    "content",
    [b"<html><script>", b"%PDF-1.7 without an end", PDF + b" " * (LARGEST_PDF - len(PDF)) + b"%%EOF\n"],
)
def test_what_is_no_pdf_or_too_large_is_refused(judge: Browser, visitor: Browser, content: bytes) -> None:
    assert "Choose a PDF of up to 10 MB." in judge.send_file(f"{BASE}/document", "file", "x.pdf", content)
    assert visitor.status(f"/t/{OPEN}/document").status_code == 404


@pytest.mark.parametrize(
    "link",
    ["http://publisher.example", "javascript:alert(1)", "https://", "https://me:pw@host/", "rules.pdf"],
)
def test_only_a_whole_https_address_is_a_link(judge: Browser, visitor: Browser, link: str) -> None:
    assert "Type the whole address of the document" in judge.post(f"{BASE}/document", link=link)
    assert "document" not in visitor.get(f"/t/{OPEN}/rules").split("</h1>")[1].split("columns")[0]


@pytest.mark.parametrize("name", ["Roy", "ROY", "Róy"])
def test_a_player_who_has_a_judges_account_is_asked_about(
    station: Station, judge: Browser, name: str
) -> None:
    assert "has a judge's account" not in judge.get(BASE).replace("&#39;", "'")
    first = station.service.tournament(OPEN).entrants[0].player
    station.does(RenamePlayer(first, name, ""))
    warning = f"{name} is a player and also has a judge's account."
    assert warning in judge.get(BASE).replace("&#39;", "'")
