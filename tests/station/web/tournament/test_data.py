"""Downloads of a tournament's data, by role."""

from tests.station.conftest import OPEN, Station
from tests.station.web.conftest import Browser, logged_in_as

from saloon.station.accounts.permissions import AccountRole

DATA = f"/judge/t/{OPEN}/data"


def test_a_head_judge_downloads_everything(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.plays_round()
    page = judge.get(DATA)
    for name in ("players", "seats", "results", "penalties", "ranking"):
        assert f"{DATA}/{name}/file.csv" in page
        answer = judge.status(f"{DATA}/{name}/file.csv")
        assert answer.headers["content-type"].startswith("text/csv")
        assert f'filename="{OPEN}-{name}.csv"' in answer.headers["content-disposition"]
    assert judge.status(f"{DATA}/workbook.xlsx").content.startswith(b"PK")
    assert judge.status(f"{DATA}/nothing/file.csv").status_code == 404
    assert f"{DATA}" in judge.get(f"/judge/t/{OPEN}")


def test_others_get_no_money_before_it_is_public(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    browser = logged_in_as(station, AccountRole.ORGANISER)
    page = browser.get(DATA)
    assert "results.csv" not in page
    assert "for head judges until the ranking is published" in page
    for name in ("results", "ranking"):
        assert browser.status(f"{DATA}/{name}/file.csv").status_code == 403
    book = browser.status(f"{DATA}/workbook.xlsx").content
    assert b"results" not in book
    assert b"ranking" not in book
    browser.close()


def test_the_audit_keeps_no_code_of_a_badge(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10)
    code = station.service.codes.badge(OPEN, station.service.tournament(OPEN).entrants[0].player)
    visitor.get(f"/me/{code}")
    visitor.post(f"/me/{code}/leave", leaving="yes")
    page = judge.get("/judge/audit")
    assert "Asked to leave" in page
    assert "Player 1" in page
    assert code not in page
