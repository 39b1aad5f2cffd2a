"""What holds for every answer: what may be kept, TLS-only cookies, HEAD, impossible paths."""

import httpx
import pytest
from tests.station.conftest import OPEN, Station
from tests.station.web.conftest import PASSWORD, Browser

from saloon.core.tournament.events import Waivers


def asked(browser: Browser, method: str, path: str, base: str = "http://station") -> httpx.Response:
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
    token = visitor._token
    answer = visitor.station.run(
        client.post(
            "https://station/login",
            data={"name": "Roy", "password": PASSWORD, "_csrf_token": token},
            follow_redirects=False,
        )
    )
    cookies = answer.headers.get_list("set-cookie")
    assert any(cookie.startswith("session-") for cookie in cookies)
    first = asked(Browser(visitor.station), "GET", "/login", "https://station")
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
    assert asked(visitor, method, path).status_code == 404


@pytest.mark.parametrize("path", ["/", "/login", "/judge", "/judge/backup", "/static/saloon.css", "/nowhere"])
def test_head_is_answered_as_get_without_the_body(judge: Browser, path: str) -> None:
    get, head = asked(judge, "GET", path), asked(judge, "HEAD", path)
    assert head.status_code == get.status_code
    assert head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


def test_a_head_of_a_stream_of_news_ends(station: Station, judge: Browser) -> None:
    station.opens()
    assert asked(judge, "HEAD", "/judge/events").status_code == 200


def test_the_floor_of_two_hundred_tables_is_small_on_the_wire(station: Station, judge: Browser) -> None:
    station.opens(1_000, Waivers(rounds=1))
    station.publishes()
    answer = judge.status(f"/judge/t/{OPEN}/floor?look=rows")
    assert answer.text.count("<article") == 200
    assert int(answer.headers["content-length"]) < 150_000


def test_only_the_longest_pages_are_compressed(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    base = f"/judge/t/{OPEN}"
    asked = {
        path: judge.status(path) for path in (f"{base}/floor", f"{base}/players", f"{base}/find?q=x", "/")
    }
    packed = [path for path, answer in asked.items() if answer.headers.get("content-encoding") == "gzip"]
    assert packed == [f"{base}/floor", f"{base}/players"]
