"""A tournament's data as CSV, as a workbook and as a proof pack."""

import re
from pathlib import Path

import pytest

from core.cli.proof_pack import pack_of
from core.proof.verify import verify_pack
from core.terms import TournamentId
from core.tournament.registration import OpenTournament, RenamePlayer, RenameTournament
from core.tournament.state.tournament import Waivers
from station.accounts.permissions import AccountRole
from tests.station.browser import Browser, logged_in_as, shows
from tests.station.conftest import OPEN, Station

DATA = f"/judge/t/{OPEN}/data"
HOSTILE = "</style><script>alert(1)</script>"
FILE = "2026-11-21-data.xlsx"
CUP = "%D0%BA%D1%83%D0%B1%D0%BE%D0%BA"


def test_a_head_judge_downloads_everything(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.plays_round()
    page = judge.get(DATA)
    for name in ("players", "seats", "results", "penalties", "ranking"):
        assert f"{DATA}/{name}/file.csv" in page
        answer = judge.status(f"{DATA}/{name}/file.csv")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert f'filename="open-2026-11-21-{name}.csv"' in answer.headers["content-disposition"]
    assert judge.status(f"{DATA}/workbook.xlsx").content.startswith(b"PK")
    assert judge.status(f"{DATA}/nothing/file.csv").status_code == 404
    assert f"{DATA}" in judge.get(f"/judge/t/{OPEN}")


@pytest.mark.parametrize(
    ("name", "disposition"),
    [
        ("Torneo d'Autunno: Città", 'attachment; filename="torneo-dautunno-citta-2026-11-21-data.xlsx"'),
        ("Кубок 1", f"attachment; filename=\"1-{FILE}\"; filename*=UTF-8''{CUP}-1-{FILE}"),
        ('../"$%', 'attachment; filename="2026-11-21-data.xlsx"'),
    ],
)
def test_files_are_named_by_the_tournament_and_its_date(
    station: Station, judge: Browser, name: str, disposition: str
) -> None:
    station.opens(10)
    station.does(RenameTournament(name, "2026-11-21"))
    assert judge.status(f"{DATA}/workbook.xlsx").headers["content-disposition"] == disposition


def test_files_of_two_tournaments_of_one_name_and_day_differ(station: Station, judge: Browser) -> None:
    station.opens(10)
    other = station.service.tournament(OPEN)
    twin = OpenTournament(TournamentId("twin-2026"), other.name, other.rules, other.date, other.waivers)
    station.run(station.service.decide(twin.tournament, twin, "Roy"))
    for tournament, short in ((OPEN, "open"), ("twin-2026", "twin")):
        answer = judge.status(f"/judge/t/{tournament}/export")
        wanted = f'attachment; filename="open-2026-11-21-{short}-proof.jsonl"'
        assert answer.headers["content-disposition"] == wanted


def test_others_get_no_money_before_it_is_public(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    browser = logged_in_as(station, AccountRole.ORGANISER)
    shows(browser.get(DATA), "for head judges until the ranking is published", never="results.csv")
    for name in ("results", "ranking"):
        assert browser.status(f"{DATA}/{name}/file.csv").status_code == 403
    book = browser.status(f"{DATA}/workbook.xlsx").content
    assert b"results" not in book
    assert b"ranking" not in book


def test_the_audit_keeps_no_code_of_a_badge(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10)
    own = station.own_page()
    visitor.get(own)
    visitor.post(f"{own}/leave", leaving="yes")
    page = judge.get("/judge/audit")
    shows(page, "Asked to leave", "Player 1")
    assert own.removeprefix("/me/") not in page


def test_an_italian_excel_opens_the_columns(station: Station, judge: Browser) -> None:
    station.opens(10)
    address = f"{DATA}/players/file.csv"
    assert judge.status(address).content.splitlines()[1].startswith(b"1,p001,Player 1,")
    italian = {"accept-language": "it"}
    assert judge.status(address, **italian).content.splitlines()[1].startswith(b"1;p001;Player 1;")
    judge.get("/judge")
    assert judge.status("/judge/audit/audit.csv", **italian).text.startswith("time;person;role;")


def test_the_digest_on_the_page_is_that_of_the_file(station: Station, judge: Browser, tmp_path: Path) -> None:
    station.opens(10, Waivers(rounds=1))
    terminals = (station.terminal(1), station.terminal(2))
    station.publishes()
    for terminal in terminals:
        terminal.plays()
    station.publishes_ranking()
    page = judge.get(f"/judge/t/{OPEN}/proof")
    saved = judge.status(f"/judge/t/{OPEN}/export").headers["content-disposition"]
    (name,) = re.findall('filename="([^"]+)"', saved)
    assert f"saloon-rules verify {name} --digest" in page
    # The digest is on that page: nobody downloads the file past it.
    then = judge.get(f"/judge/t/{OPEN}")
    assert then.count(f'href="/judge/t/{OPEN}/proof"') == 2
    assert f"/judge/t/{OPEN}/export" not in then
    file = tmp_path / "pack.jsonl"
    file.write_text(judge.get(f"/judge/t/{OPEN}/export"), encoding="utf-8", newline="")
    pack = pack_of(file)
    assert pack.digest in page
    verdict = verify_pack(pack, pack.digest)
    assert verdict.faults == ()
    assert verdict.games is not None
    assert (verdict.games.replayed, verdict.games.accepted) == (2, 2)
    shows(page, f"of {pack.count} lines", "Announce the digest with the ranking")


RESULTS = f"/t/{OPEN}/results.html"


def test_the_page_to_share_is_public_once_the_ranking_is_and_loads_nothing(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=2))
    evil = station.service.tournament(OPEN).entrants[0]
    station.does(RenamePlayer(evil.player, HOSTILE, ""))
    station.plays_round()
    station.plays_round("moon")
    shows(judge.get(RESULTS), "For head judges only")
    assert visitor.status(RESULTS).status_code == 404
    assert RESULTS not in visitor.get(f"/t/{OPEN}")
    station.publishes_ranking()
    assert RESULTS in visitor.get(f"/t/{OPEN}")
    answer = visitor.status(RESULTS)
    assert answer.headers["content-disposition"].endswith('results.html"')
    shows(answer.text, "Places by round", "Winnings by round", "Highest share of wins: Outlaw, 8 of 8.")
    assert answer.text.count('<th scope="row">') == 10
    assert HOSTILE not in answer.text
    assert "&lt;script&gt;" in answer.text
    assert re.findall(r"(?:src|href)=|url\(|https?:|@import", answer.text) == ["href="]
    assert 'href="data:,"' in answer.text
    assert len(answer.content) < 1_000_000
