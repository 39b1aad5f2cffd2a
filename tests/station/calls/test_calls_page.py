"""The page of all calls: claimed, released, handed over, escalated, closed; response times."""

import datetime as dt
import re
from pathlib import Path

import pytest
from cryptography import x509

from core.game.ending.judge_calls import CallJudge, GiveCallReason
from core.game.state.game import CallReason
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.web.page_certificate import page_certificate
from tests.station.browser import PASSWORD, Browser, logged_in_as, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station, present

TABLE = f"/judge/t/{OPEN}/tables/1/1"


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    """The terminal of table 1, whose players have called a judge."""
    terminal = station.running_round()
    terminal.tells(CallJudge(), GiveCallReason(CallReason.RULE))
    station.settle()
    return terminal


@pytest.fixture
def second_judge(station: Station, judge: Browser) -> None:
    del judge  # whose account is the first
    Judges(station.database, station.clock.wall_ms).add("Bean", PASSWORD)


def queue(judge: Browser) -> str:
    return judge.get("/judge/calls/queue")


def waiting_on(page: str) -> int:
    """Return the number on a page's badge, or 0 if it shows none."""
    match = present(re.search(r'class="call-badge[^"]*".*?</a>', page))
    number = re.search(r"<b>(\d+)</b>", match[0])
    return 0 if number is None else int(number[1])


def test_the_queue_tells_table_reason_and_time_and_every_page_the_number(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    station.clock.passed_ms += 3 * 60_000
    queue_page = judge.get("/judge/calls")
    assert f'href="{TABLE}">Table 1</a>' in queue_page
    assert "Rule question" in queue_page
    assert "waiting for 3 min" in queue_page
    for page in ("/judge", f"/judge/t/{OPEN}/players", "/judge/terminals", "/judge/calls/badge"):
        assert waiting_on(judge.get(page)) == 1


def test_a_call_is_claimed_with_one_click_and_released(terminal: ScriptedTerminal, judge: Browser) -> None:
    judge.get("/judge/calls")
    assert "The table now shows that you're coming." in judge.post(f"{TABLE}/answer")
    assert "Roy is on the way" in queue(judge)
    assert waiting_on(judge.get("/judge/calls/badge")) == 0
    assert "The call is waiting for a judge again." in judge.post(f"{TABLE}/call/release")
    assert "Roy is on the way" not in queue(judge)
    assert waiting_on(judge.get("/judge/calls/badge")) == 1
    assert "Nobody is on the way to this table." in judge.post(f"{TABLE}/call/release")


def test_a_call_is_handed_over_to_a_judge_with_an_account(
    terminal: ScriptedTerminal, second_judge: None, judge: Browser
) -> None:
    judge.get("/judge/calls")
    assert "<option>Bean</option>" in queue(judge)
    assert "The call has been handed over." in judge.post(f"{TABLE}/call/hand-over", to="Bean")
    assert "Bean is on the way" in queue(judge)
    assert "Bean is already on the way to this table." in judge.post(f"{TABLE}/answer")
    assert "Choose a judge who has an account." in judge.post(f"{TABLE}/call/hand-over", to="Nobody")
    assert "Bean is on the way" in queue(judge)


def test_a_call_for_the_head_judge_says_so_and_waits(terminal: ScriptedTerminal, judge: Browser) -> None:
    judge.get("/judge/calls")
    judge.post(f"{TABLE}/answer")
    assert "The call is now for the head judge." in judge.post(f"{TABLE}/call/escalate")
    assert "Roy asked for the head judge" in queue(judge)
    assert "Roy is on the way" not in queue(judge)
    for page in (f"/judge/t/{OPEN}/floor/calls", TABLE):
        assert "for the head judge" in judge.get(page)
    assert "for the head judge" in on_floor(judge, OPEN, 1)
    assert "has already been asked" in judge.post(f"{TABLE}/call/escalate")


def test_only_a_head_judge_goes_to_an_escalated_call_unless_it_is_handed_over(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    floor_judge = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    floor_judge.get("/judge/calls")
    assert 'data-calls=""' not in floor_judge.get("/judge/calls/badge")
    floor_judge.post(f"{TABLE}/call/escalate")
    # It rings at the head judge's pages only.
    assert 'data-calls=""' in floor_judge.get("/judge/calls/badge")
    assert 'data-calls=""' not in judge.get("/judge/calls/badge")
    for page in ("/judge/calls", f"/judge/t/{OPEN}/floor", TABLE):
        text = floor_judge.get(page)
        assert "waits for the head judge" in text
        assert "On my way" not in text
    assert "This table waits for the head judge." in floor_judge.post(f"{TABLE}/answer")
    judge.get("/judge/calls")
    judge.post(f"{TABLE}/call/hand-over", to="floor-judge")
    assert "floor-judge is on the way" in floor_judge.get("/judge/calls")
    judge.post(f"{TABLE}/call/release")
    assert "On my way" in judge.get("/judge/calls")
    assert "Roy is on the way" in judge.post(f"{TABLE}/answer")


def test_the_day_s_report_gives_median_and_slowest_answer(
    station: Station, terminal: ScriptedTerminal, judge: Browser
) -> None:
    judge.get("/judge/calls")
    station.clock.passed_ms += 65_000
    judge.post(f"{TABLE}/answer")
    station.clock.passed_ms += 60_000
    assert "The call is closed." in judge.post(f"{TABLE}/call/end")
    for page in ("/judge/calls", "/judge/calls/report"):
        text = judge.get(page)
        assert "<strong>1:05</strong><br><small>slowest 1:05, table 1</small>" in text
        assert "<strong>2:05</strong><br><small>slowest 2:05, table 1</small>" in text
        assert "1 × Rule question" in text
    assert "This call is already closed." in judge.post(f"{TABLE}/answer")


def test_a_station_without_a_certificate_offers_none(judge: Browser) -> None:
    assert "nothing to install" in judge.get("/judge/calls")
    assert "no certificate of their own" in judge.status("/judge/calls/certificate").text


def test_the_certificate_of_the_pages_can_be_installed(judge: Browser, tmp_path: Path) -> None:
    now = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    _key, file = page_certificate(tmp_path, ("192.0.2.1",), now)
    judge.app.state.site.page_certificate = file
    answer = judge.status("/judge/calls/certificate")
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    certificate = x509.load_der_x509_certificate(answer.content)
    assert certificate == x509.load_pem_x509_certificate(file.read_bytes())


def test_the_home_screen_gets_a_name_and_pictures(judge: Browser) -> None:
    page = judge.status("/judge/calls/")
    assert 'rel="manifest" href="/static/saloon.webmanifest"' in page.text
    assert "manifest-src 'self'" in page.headers["content-security-policy"]
    answer = judge.status("/static/saloon.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert manifest["start_url"] == "/judge/calls"
    for icon in manifest["icons"]:
        assert judge.status(icon["src"]).headers["content-type"] == "image/png"
