"""Rules for every response, and the cookies of one station and one scheme."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.types import Receive, Scope, Send

from core.tournament.state.tournament import Waivers
from station.store.settings import Settings
from station.web.http_rules import with_own_cookies
from tests.station.browser import PASSWORD, Browser
from tests.station.conftest import OPEN, Station


def request(browser: Browser, method: str, path: str, base: str = "http://station") -> httpx.Response:
    return browser.station.run(browser._client.request(method, base + path, follow_redirects=False))


@pytest.mark.parametrize(
    "path", ["/judge", "/judge/backup", "/judge/accounts", "/judge/account", "/login", "/invitation"]
)
def test_nothing_of_a_judge_is_kept_by_a_browser(judge: Browser, path: str) -> None:
    assert judge.status(path).headers["cache-control"] == "no-store"


def test_static_files_are_kept_for_an_hour_and_set_no_cookie(visitor: Browser) -> None:
    answer = visitor.status("/static/saloon.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert "set-cookie" not in answer.headers


def test_cookies_that_come_by_tls_go_back_by_tls_only(visitor: Browser) -> None:
    client = visitor._client
    visitor._read(visitor.station.run(client.get("https://station/login")), 200)
    login = {"name": "Roy", "password": PASSWORD, "_csrf_token": visitor._token}
    posting = client.post("https://station/login", data=login, follow_redirects=False)
    answer = visitor.station.run(posting)
    cookies = answer.headers.get_list("set-cookie")
    assert any(cookie.startswith("session-") for cookie in cookies)
    first = request(Browser(visitor.station), "GET", "/login", "https://station")
    cookies += first.headers.get_list("set-cookie")
    assert any(cookie.startswith("csrftoken-") for cookie in cookies)
    assert all("; Secure" in cookie for cookie in cookies)
    assert first.headers["strict-transport-security"] == "max-age=86400"


def test_without_tls_cookies_work_all_the_same(visitor: Browser) -> None:
    answer = visitor.status("/login")
    assert "secure" not in answer.headers["set-cookie"].lower()
    assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("path", ["/static/%00", "/t/%00", "/static/" + "a" * 300, "/static/" + "a" * 5000])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_path_that_no_disk_takes_is_not_found(visitor: Browser, method: str, path: str) -> None:
    assert request(visitor, method, path).status_code == 404


@pytest.mark.parametrize("path", ["/", "/login", "/judge", "/judge/backup", "/static/saloon.css", "/nowhere"])
def test_head_is_answered_as_get_without_the_body(judge: Browser, path: str) -> None:
    get, head = request(judge, "GET", path), request(judge, "HEAD", path)
    assert head.status_code == get.status_code
    assert head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


def test_a_head_of_a_stream_of_news_ends(station: Station, judge: Browser) -> None:
    station.opens()
    assert request(judge, "HEAD", "/judge/events").status_code == 200


def test_the_floor_of_two_hundred_tables_is_small_on_the_wire(station: Station, judge: Browser) -> None:
    station.opens(1_000, Waivers(rounds=1))
    station.publishes()
    answer = judge.status(f"/judge/t/{OPEN}/floor?look=rows")
    assert answer.text.count("<article") == 200
    assert int(answer.headers["content-length"]) < 150_000


def test_only_long_pages_and_those_of_phones_are_compressed(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    base = f"/judge/t/{OPEN}"
    public = (f"/t/{OPEN}", f"/t/{OPEN}/rounds/1/draw", f"/t/{OPEN}/rounds/1/seats", station.own_page())
    long = (f"{base}/floor", f"{base}/players", *public)
    paths = (*long, f"/t/{OPEN}/find?q=x", "/", f"{base}/standings", "/login")
    packed = [path for path in paths if judge.status(path).headers.get("content-encoding") == "gzip"]
    assert packed == [*long]


@pytest.mark.parametrize(
    "page", ["/judge/t/{}/floor", "/judge/t/{}/players", "/t/{}", "/t/{}/rounds/1/seats"]
)
def test_no_compressed_page_repeats_words_of_its_address(station: Station, judge: Browser, page: str) -> None:
    station.opens(10)
    station.publishes()
    answer = judge.status(page.format(OPEN) + "?look=Zorro&q=Zorro&Zorro=Zorro")
    assert answer.headers["content-encoding"] == "gzip"
    assert "csrf" in answer.text
    assert "Zorro" not in answer.text


def test_a_phone_that_polls_a_compressed_page_gets_no_body(station: Station, judge: Browser) -> None:
    station.opens(10)
    path = station.own_page()
    (key,) = re.findall(r'seen=(\w+)"', judge.get(path))
    assert judge.status(f"{path}?seen={key}").status_code == 204


CHECK_IN = f"/judge/t/{OPEN}/check-in"


@pytest.fixture
def other(tmp_path: Path, visitor: Browser) -> Iterator[Browser]:
    """Return another station at the same host, in the same browser."""
    station = Station(tmp_path / "other")
    Settings(station.database).set_defaults({"web-secret": "6" * 64})
    browser = Browser(station)
    browser._client.cookies = visitor._client.cookies
    yield browser
    browser.close()
    station.close()


def test_two_stations_at_one_host_leave_each_others_judges_logged_in(
    visitor: Browser, other: Browser
) -> None:
    visitor.log_in()
    other.log_in()
    for browser in (visitor, other):
        assert "Log out Roy" in browser.get("/judge")
    visitor.post("/logout")
    assert "Log out Roy" in other.get("/judge")


def test_http_works_after_https(visitor: Browser) -> None:
    https = visitor.station.run(visitor._client.get("https://station/login"))
    visitor._read(https, 200)
    login = {"name": "Roy", "password": PASSWORD, "_csrf_token": visitor._token}
    assert visitor.station.run(visitor._client.post("https://station/login", data=login)).status_code == 200
    visitor.log_in()
    assert "Log out Roy" in visitor.get("/judge")


def test_a_token_that_the_station_has_not_signed_is_replaced(visitor: Browser) -> None:
    visitor.get("/login")
    name = next(one.name for one in visitor._client.cookies.jar if one.name.startswith("csrftoken-"))
    forged = "a" * 128
    visitor._client.cookies.clear()
    visitor._client.cookies.set(name, forged)
    assert forged not in visitor.get("/login")
    visitor._client.cookies.clear()
    visitor._client.cookies.set(name, forged)
    visitor.post("/login", name="Roy", password=PASSWORD, expected=403)
    visitor._client.cookies.clear()
    visitor.log_in()
    assert "Log out Roy" in visitor.get("/judge")


def sets_session(browser: Browser, path: str, **headers: str) -> bool:
    cookies = browser.status(path, **headers).headers.get_list("set-cookie")
    return any(cookie.startswith("session-") for cookie in cookies)


def test_parts_of_pages_and_files_never_set_the_session_again(station: Station, judge: Browser) -> None:
    station.opens(10)
    part = {"hx-request": "true"}
    for path in (CHECK_IN, f"/judge/t/{OPEN}", "/judge/messages", "/judge/calls/badge"):
        assert not sets_session(judge, path, **part), path
    assert not sets_session(judge, f"/judge/t/{OPEN}/data/players.csv")
    assert sets_session(judge, CHECK_IN)


def test_an_answer_that_comes_late_does_not_undo_what_a_form_did(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.get(CHECK_IN)
    late = judge.status(CHECK_IN, **{"hx-request": "true"})
    form = {"state": "here", "_csrf_token": judge._token}
    station.run(judge._client.post(f"{CHECK_IN}/p001", data=form, follow_redirects=False))
    judge._client.cookies.extract_cookies(late)
    assert "Player 1 is here." in judge.get(CHECK_IN)


def test_a_phone_that_is_a_terminal_since_an_earlier_version_is_known(visitor: Browser) -> None:
    """Its cookie had no suffix then; other cookies without a suffix belong to other programs."""
    seen: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.extend(value.decode() for name, value in scope["headers"] if name == b"cookie")

    headers = [(b"cookie", b"device-ab=secret; session=x")]
    scope: Any = {"type": "http", "scheme": "http", "state": {}, "headers": headers}
    visitor.station.run(with_own_cookies(app, "6" * 64)(scope, None, None))  # type: ignore[arg-type]
    assert seen == ["device-ab=secret"]
