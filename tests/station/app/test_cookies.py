"""Cookies of one station and one scheme, and what sets the session again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from station.store.settings import Settings
from station.web.http_rules import with_own_cookies
from tests.station.browser import PASSWORD, Browser
from tests.station.conftest import OPEN, Station

CHECK_IN = f"/judge/t/{OPEN}/check-in"


@pytest.fixture
def other(tmp_path: Path, visitor: Browser) -> Iterator[Browser]:
    """Another station at the same host, in the same browser."""
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
    """Its cookie had no ending then; all others without one are of somebody else."""
    seen: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.extend(value.decode() for name, value in scope["headers"] if name == b"cookie")

    headers = [(b"cookie", b"device-ab=secret; session=x")]
    scope: Any = {"type": "http", "scheme": "http", "state": {}, "headers": headers}
    visitor.station.run(with_own_cookies(app, "6" * 64)(scope, None, None))  # type: ignore[arg-type]
    assert seen == ["device-ab=secret"]
